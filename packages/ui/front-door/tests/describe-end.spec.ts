import type { TurnEndReason } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { describeEnd } from '../src/index.ts'

describe('the end of a turn', () => {
  it.each<[TurnEndReason, string | undefined]>([
    [{ kind: 'completed' }, undefined],
    [{ kind: 'aborted' }, 'stopped'],
    [{ kind: 'aborted', reason: 'SIGINT' }, 'stopped: SIGINT'],
    [{ kind: 'error', step: 2, message: 'the provider said no', code: 'AUTH' }, 'the turn failed in step 2: the provider said no [AUTH]'],
    [{ kind: 'error', step: 0, message: 'early' }, 'the turn failed: early'],
    [{ kind: 'disposed' }, 'the agent was shut down before the turn ended'],
    [{ kind: 'max-tokens' }, "the answer was cut off at the model's output limit; ask it to go on"],
    [{ kind: 'rejected', reason: 'a hook' }, 'the prompt was not accepted: a hook'],
    [{ kind: 'interrupted' }, 'the turn was interrupted by a crash'],
    [{ kind: 'limit', which: 'steps' }, 'the turn ran out of its budget of steps (--max-steps)'],
    [{ kind: 'limit', which: 'deadline' }, 'the turn ran out of its budget of time (--timeout)'],
    [{ kind: 'limit', which: 'tokens' }, 'the turn ran out of its budget of tokens'],
    [{ kind: 'limit', which: 'cost' }, 'the turn ran out of its budget of cost'],
    [{ kind: 'of-a-plugin' } as never, 'the turn ended: of-a-plugin'],
  ])('%j reads as %j', (reason, words) => {
    expect(describeEnd(reason)).toBe(words)
  })
})
