/** Says whether every tool call of a request has exactly one result, right behind it. Pure. */

import type { Message } from '@deepseek-ai/dsh-llm'

/** The first thing wrong; undefined when nothing is. */
export function findBadPairing(messages: readonly Message[]): string | undefined {
  const seen = new Set<string>()
  let open: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    const results = content.filter(block => block.type === 'tool-result').map(block => block.toolCallId)
    const calls = content.filter(block => block.type === 'tool-call').map(block => block.id)
    const at = `message ${index}`
    if (role !== 'user' && results.length > 0) return `${at}: a tool result in a message of the ${role}`
    if (role !== 'assistant' && calls.length > 0) return `${at}: a tool call in a message of the ${role}`
    if (role !== 'user' && open.length > 0) return `${at}: no result for ${open.join(', ')} before the next message of the ${role}`
    for (const id of results) {
      if (!open.includes(id)) return `${at}: a result for ${id}, which is not an open call`
      open = open.filter(other => other !== id)
    }
    if (role === 'user' && results.length === 0 && open.length > 0) return `${at}: no result for ${open.join(', ')}`
    const twice = calls.find((id, i) => id === '' || seen.has(id) || calls.indexOf(id) !== i)
    if (twice !== undefined) return `${at}: the call id "${twice}" is empty or used twice`
    for (const id of calls) seen.add(id)
    if (role === 'assistant') open = calls
  }
  return open.length > 0 ? `the request ends without a result for ${open.join(', ')}` : undefined
}
