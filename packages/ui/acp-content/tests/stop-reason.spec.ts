import { expect, it } from 'vitest'
import type { TurnEndReason } from '@deepseek-ai/dsh-session'
import { toStop } from '../src/stop-reason.ts'

it.each<[TurnEndReason, object]>([
  [{ kind: 'completed' }, { kind: 'stop', stopReason: 'end_turn' }],
  [{ kind: 'max-tokens' }, { kind: 'stop', stopReason: 'max_tokens' }],
  [{ kind: 'limit', which: 'steps' }, { kind: 'stop', stopReason: 'max_turn_requests', notice: 'the turn ran out of its budget of steps' }],
  [{ kind: 'limit', which: 'tokens' }, { kind: 'stop', stopReason: 'max_tokens', notice: 'the turn ran out of its budget of tokens' }],
  [{ kind: 'limit', which: 'deadline' }, { kind: 'stop', stopReason: 'max_turn_requests', notice: 'the turn ran out of its budget of time' }],
  [{ kind: 'rejected', reason: 'a hook says no' }, { kind: 'stop', stopReason: 'refusal', notice: 'the prompt was not accepted: a hook says no' }],
  [{ kind: 'aborted', reason: 'x' }, { kind: 'stop', stopReason: 'cancelled' }],
  [{ kind: 'disposed' }, { kind: 'stop', stopReason: 'cancelled' }],
  [{ kind: 'interrupted' }, { kind: 'stop', stopReason: 'cancelled' }],
  [{ kind: 'error', step: 1, code: 'CONTENT_FILTER', message: 'withheld' }, { kind: 'stop', stopReason: 'refusal', notice: 'withheld' }],
  [{ kind: 'error', step: 1, code: 'AUTH', message: 'no key' }, { kind: 'failed', code: 'AUTH', message: 'no key', needsKey: true }],
  [{ kind: 'error', step: 1, message: 'oh' }, { kind: 'failed', code: undefined, message: 'oh', needsKey: false }],
  [{ kind: 'new-kind' } as never, { kind: 'failed', code: undefined, message: 'the turn ended: new-kind', needsKey: false }],
])('a turn that ends with %j answers %j', (reason, stop) => {
  expect(toStop(reason)).toEqual(stop)
})
