/** Gives every tool call an id that is unique in its conversation and that any provider accepts. Pure. */

import type { Message } from '@deepseek-ai/dsh-llm'

const LONGEST = 64

/** Remembers the ids of a conversation and of the answer that is being read. */
export class CallIds {
  private readonly messages: readonly Message[]
  private used: Set<string> | undefined

  constructor(messages: readonly Message[]) {
    this.messages = messages
  }

  /** `wanted`, made legal, and with a number behind it when it was used before. */
  claim(wanted: string): string {
    this.used ??= idsOf(this.messages)
    const legal = wanted.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST)
    let id = legal
    for (let n = 2; id === '' || this.used.has(id); n++) {
      const suffix = `_${n}`
      id = `${legal.slice(0, LONGEST - suffix.length)}${suffix}`
    }
    this.used.add(id)
    return id
  }
}

function idsOf(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) if (block.type === 'tool-call') ids.add(block.id)
  }
  return ids
}
