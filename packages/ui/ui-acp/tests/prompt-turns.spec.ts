import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { PromptTurns } from '../src/prompt-turns.ts'

function event(type: string, data: unknown): SessionEvent {
  return { type, seq: 0, time: 0, data } as never
}

describe('prompts that wait', () => {
  it('are answered by the end of the turn that claimed them, all of them', async () => {
    const turns = new PromptTurns()
    const ends = [turns.wait('a'), turns.wait('b'), turns.wait('c')]

    turns.observe(event('inbox/claimed', { ids: ['a', 'b', 'stranger'], turn: 1 }), undefined)
    turns.observe(event('turn/end', { turn: 1, reason: { kind: 'completed' } }), undefined)
    turns.observe(event('inbox/claimed', { ids: ['c'], turn: 2 }), undefined)
    turns.observe(event('turn/end', { turn: 2, reason: { kind: 'max-tokens' } }), undefined)

    expect(await Promise.all(ends)).toEqual([{ reason: { kind: 'completed' }, turn: 1 }, { reason: { kind: 'completed' }, turn: 1 }, { reason: { kind: 'max-tokens' }, turn: 2 }])
    expect(turns.isWaiting).toBe(false)
  })

  it('are cancelled when they are dropped, at once or with the turn that runs', async () => {
    const turns = new PromptTurns()
    const idle = turns.wait('a')
    const busy = turns.wait('b')

    turns.observe(event('inbox/dropped', { ids: ['a'], reason: 'stopped' }), undefined)
    turns.observe(event('inbox/dropped', { ids: ['b'], reason: 'stopped' }), 3)
    turns.observe(event('turn/end', { turn: 3, reason: { kind: 'error', step: 1, message: 'no' } }), undefined)

    expect(await Promise.all([idle, busy])).toEqual([{ reason: { kind: 'aborted', reason: 'stopped' } }, { reason: { kind: 'error', step: 1, message: 'no' }, turn: 3 }])
  })

  it('are answered at once when they are taken back, whatever runs', async () => {
    const turns = new PromptTurns()
    const end = turns.wait('a')

    turns.observe(event('inbox/dropped', { ids: ['a'], reason: 'taken back' }), 3)
    turns.giveUp('a', 'taken back')

    expect(await end).toEqual({ reason: { kind: 'aborted', reason: 'taken back' } })
    expect(turns.isWaiting).toBe(false)
  })

  it('are answered when the session goes', async () => {
    const turns = new PromptTurns()
    const end = turns.wait('a')

    turns.close()

    expect(await end).toEqual({ reason: { kind: 'disposed' } })
  })
})
