/** Makes random logs, crashes and rewrites included, for the properties of the fold. */

import fc from 'fast-check'
import { Session, type SessionEventMap, type SessionEventType, type SurfaceIntent } from '@deepseek-ai/dsh-session'

/** One thing that happens; `pick` chooses among what is possible at that moment. */
export interface Move {
  kind: 'user' | 'answer' | 'start-call' | 'result' | 'orphan' | 'context' | 'steering' | 'empty-answer' | 'thought' | 'replace' | 'replace-tail' | 'crash'
  pick: number
  size: number
}

/** Some stand twice: groups of calls must grow long enough to be cut in the middle. */
const KINDS: Move['kind'][] = ['user', 'answer', 'answer', 'start-call', 'start-call', 'start-call', 'result', 'result', 'result', 'orphan', 'context', 'steering', 'empty-answer', 'thought', 'replace', 'replace-tail', 'crash']

export const moves: fc.Arbitrary<Move[]> = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(1_000), size: fc.integer({ min: 1, max: 4 }) }), { maxLength: 40, size: 'max' })

type AnyAppend = (type: SessionEventType, data: SessionEventMap[SessionEventType], intent?: SurfaceIntent) => void

/** Plays moves into a session; ids are unique as the loop makes them. */
export class RandomLog {
  readonly session = new Session({ version: 1, id: 'random', createdAt: 0 })
  private ids = 0
  private step = 0
  private asked: string[] = []
  private startedCalls: string[] = []
  private readonly put: AnyAppend = this.session.append.bind(this.session) as unknown as AnyAppend

  play({ kind, pick, size }: Move): void {
    const source = { kind: 'plugin' as const, plugin: 'p' }
    switch (kind) {
      case 'user':
        return this.put('user/message', { content: [{ type: 'text', text: `u${pick}` }], source: { kind: 'user' } }, { surfaceOp: 'append' })
      case 'answer':
        return this.answer(size)
      case 'empty-answer':
        return this.put('assistant/message', { turn: 1, step: ++this.step, content: [], finish: { kind: 'stop' }, model: 'm' }, { surfaceOp: 'append' })
      case 'thought':
        return this.put('assistant/message', { turn: 1, step: ++this.step, content: [{ type: 'reasoning', text: 'hm' }], finish: { kind: 'max-tokens' }, model: 'm' }, { surfaceOp: 'append' })
      case 'start-call':
        return this.startCall(pick)
      case 'result':
        return this.result(this.startedCalls[pick % Math.max(1, this.startedCalls.length)])
      case 'orphan':
        return this.result(`nobody-${pick % 3}`)
      case 'context':
        return this.put('context/message', { content: [{ type: 'text', text: `c${pick}` }], source }, { surfaceOp: 'append' })
      case 'steering':
        return this.put('steering/message', { turn: 1, content: [{ type: 'text', text: `s${pick}` }], source }, { surfaceOp: 'append' })
      case 'replace':
        return this.replace(pick % Math.max(1, this.session.surfaceEvents.length), size)
      case 'replace-tail':
        return this.replace(Math.max(0, this.session.surfaceEvents.length - 1 - (pick % 3)), size)
      case 'crash':
        // What ran is forgotten; its calls will never be answered.
        this.asked = []
        this.startedCalls = []
    }
  }

  private answer(calls: number): void {
    const ids = Array.from({ length: calls - 1 }, () => `call-${++this.ids}`)
    this.asked.push(...ids)
    const blocks = ids.map(id => ({ type: 'tool-call' as const, id, name: 't', arguments: '{}' }))
    this.put('assistant/message', { turn: 1, step: ++this.step, content: [{ type: 'text', text: 'a' }, ...blocks], finish: { kind: 'stop' }, model: 'm' }, { surfaceOp: 'append' })
  }

  private startCall(pick: number): void {
    const callId = this.asked[pick % Math.max(1, this.asked.length)]
    if (callId === undefined) return
    this.asked = this.asked.filter(id => id !== callId)
    this.startedCalls.push(callId)
    this.put('tool/call', { turn: 1, step: this.step, callId, name: 't', arguments: '{}' })
  }

  private result(callId: string | undefined): void {
    if (callId === undefined) return
    this.put('tool/result', { turn: 1, step: this.step, callId, content: [{ type: 'text', text: callId }], isError: false }, { surfaceOp: 'append' })
  }

  private replace(from: number, size: number): void {
    const nodes = this.session.surfaceEvents
    const start = nodes[from]
    const end = nodes[Math.min(from + size - 1, nodes.length - 1)]
    if (!start || !end) return
    const surfaceOp = { op: 'replace' as const, start: start.seq, end: end.seq }
    this.put('user/message', { content: [{ type: 'text', text: 'summary' }], source: { kind: 'plugin', plugin: 'compact' } }, { surfaceOp })
  }
}
