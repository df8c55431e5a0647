/**
 * Builds request bodies so that a growing conversation costs what is new.
 *
 *     {"model":…,"stream":true,…,"tools":[…],"messages":[ system , m1 , m2 , … ]}
 *     └─ head: the same in every request ────────────┘   └ kept ┘   └ added ┘└ tail
 *
 * The messages stand last, so one body is the beginning of the next. The bytes
 * stay in one buffer per conversation; a request writes the new messages and
 * the tail behind what is there. Messages are recognised by identity: they are
 * frozen and keep theirs.
 */

import type { Message } from '@deepseek-ai/dsh-llm'

const TAIL = ']}'
const MOST_KEPT = 8
const MOST_KEPT_BYTES = 64 * 1024 * 1024
const SMALLEST = 64 * 1024

/** One body in use. `release` it when it has been sent: its bytes are written over by the next request. */
export interface RequestBody {
  bytes: Buffer
  release(): void
}

/** What a body is made of. */
export interface BodyParts {
  /** Up to and with the opening bracket of the messages, and the system message behind it. */
  head: string
  /** Whether the head ends in a message, so that a comma has to follow. */
  headHasMessage: boolean
  messages: readonly Message[]
  encode: (message: Message) => string
}

export class RequestBodies {
  /** Most recently used last. */
  private kept: KeptBody[] = []

  /** Takes the time of the messages that no earlier body of the same conversation holds. */
  build(parts: BodyParts): RequestBody {
    const known = this.kept.find(body => body.continues(parts))
    const body = known ?? new KeptBody(parts.head, parts.headHasMessage)
    this.kept = [...this.kept.filter(other => other !== body), body]
    this.trim(body)
    return { bytes: body.extend(parts), release: () => body.release() }
  }

  private trim(current: KeptBody): void {
    let bytes = this.kept.reduce((sum, body) => sum + body.capacity, 0)
    while (this.kept.length > 1 && (this.kept.length > MOST_KEPT || bytes > MOST_KEPT_BYTES)) {
      const [oldest] = this.kept
      if (oldest === undefined || oldest === current) return
      bytes -= oldest.capacity
      this.kept.shift()
    }
  }
}

class KeptBody {
  private readonly head: string
  private readonly messages: Message[] = []
  private buffer: Buffer = Buffer.allocUnsafeSlow(SMALLEST)
  private length = 0
  private hasMessage: boolean
  private busy = false

  constructor(head: string, headHasMessage: boolean) {
    this.head = head
    this.hasMessage = headHasMessage
    this.append(head)
  }

  get capacity(): number {
    return this.buffer.length
  }

  /** Free, and the beginning of what is asked for. */
  continues({ head, messages }: BodyParts): boolean {
    if (this.busy || this.head !== head || this.messages.length > messages.length) return false
    // Backwards: conversations of one head differ at the end of what they share.
    for (let i = this.messages.length - 1; i >= 0; i--) if (this.messages[i] !== messages[i]) return false
    return true
  }

  extend({ messages, encode }: BodyParts): Buffer {
    for (let i = this.messages.length; i < messages.length; i++) {
      const message = messages[i]
      if (!message) break
      const json = encode(message)
      if (json !== '') this.append(this.hasMessage ? `,${json}` : json)
      this.hasMessage ||= json !== ''
      this.messages.push(message)
    }
    const end = this.length
    this.append(TAIL)
    this.length = end
    this.busy = true
    return this.buffer.subarray(0, end + TAIL.length)
  }

  release(): void {
    this.busy = false
  }

  private append(text: string): void {
    const size = Buffer.byteLength(text)
    if (this.length + size > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.length + size + SMALLEST))
      this.buffer.copy(larger, 0, 0, this.length)
      this.buffer = larger
    }
    this.length += this.buffer.write(text, this.length)
  }
}
