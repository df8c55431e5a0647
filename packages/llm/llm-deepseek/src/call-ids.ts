/** Gives every tool call an id that is unique in its conversation and that any provider accepts. Pure. */

import type { Message } from '@deepseek-ai/dsh-llm'

const LONGEST = 64

/** Remembers the ids of a conversation and of the answer that is being read. */
export class CallIds {
  private readonly messages: readonly Message[]
  private readonly claimed = new Set<string>()
  private used: Set<string> | undefined

  constructor(messages: readonly Message[]) {
    this.messages = messages
  }

  /** `wanted`, made legal, and with a number behind it when it was used before. */
  claim(wanted: string): string {
    const legal = wanted.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST)
    const id = this.isFree(legal) ? legal : this.numbered(legal)
    this.claimed.add(id)
    return id
  }

  /** Looks through the messages: for the one id that most answers have, a set of all would take ten times as long. */
  private isFree(id: string): boolean {
    return id !== '' && !this.claimed.has(id) && !(this.used?.has(id) ?? holds(this.messages, id))
  }

  private numbered(legal: string): string {
    this.used ??= idsOf(this.messages)
    for (let n = 2; ; n++) {
      const suffix = `_${n}`
      const id = `${legal.slice(0, LONGEST - suffix.length)}${suffix}`
      if (this.isFree(id)) return id
    }
  }
}

function holds(messages: readonly Message[], id: string): boolean {
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) if (block.type === 'tool-call' && block.id === id) return true
  }
  return false
}

function idsOf(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) if (block.type === 'tool-call') ids.add(block.id)
  }
  return ids
}
