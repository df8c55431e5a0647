import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { EXIT, exitCodeOf, exitCodeOfSignal } from '../src/index.ts'

/** A tool result with this error code. */
function result(code?: string): SessionEvent {
  return { type: 'tool/result', seq: 0, time: 0, data: { turn: 1, step: 1, callId: 'c', content: [], isError: code !== undefined, ...(code !== undefined && { error: { name: 'ToolError', code } }) } } as SessionEvent
}

const error = (code?: string): TurnEndReason => ({ kind: 'error', step: 1, message: 'no', ...(code !== undefined && { code }) })

describe('the exit code', () => {
  it.each<[TurnEndReason, number]>([
    [{ kind: 'completed' }, 0],
    [error(), 1],
    [error('INVALID_REQUEST'), 1],
    [error('AUTH'), 1],
    [error('QUOTA'), 1],
    [error('CONTEXT_OVERFLOW'), 1],
    [error('CONTENT_FILTER'), 1],
    [error('HTTP_418'), 1],
    [error('NO_MODEL'), 2],
    [error('NO_ADAPTER'), 2],
    [error('NO_FACTORY'), 2],
    [{ kind: 'limit', which: 'deadline' }, 3],
    [{ kind: 'limit', which: 'steps' }, 6],
    [{ kind: 'limit', which: 'tokens' }, 6],
    [{ kind: 'limit', which: 'cost' }, 6],
    ...['RATE_LIMIT', 'SERVER', 'UNREACHABLE', 'STREAM_CLOSED', 'TIMEOUT', 'MALFORMED_RESPONSE', 'EMPTY_RESPONSE', 'HTTP_408', 'HTTP_409', 'HTTP_425', 'HTTP_529'].map((code): [TurnEndReason, number] => [error(code), 75]),
    [{ kind: 'aborted', reason: 'SIGINT' }, 130],
    [{ kind: 'aborted' }, 130],
    [{ kind: 'aborted', reason: 'SIGTERM' }, 143],
    [{ kind: 'aborted', reason: 'SIGHUP' }, 143],
    [{ kind: 'disposed' }, 1],
    [{ kind: 'max-tokens' }, 1],
    [{ kind: 'rejected', reason: 'no' }, 1],
    [{ kind: 'interrupted' }, 1],
    [{ kind: 'never-heard-of' } as never, 1],
  ])('of a turn that ended with %j is %d', (reason, code) => {
    expect(exitCodeOf(reason, [])).toBe(code)
  })

  it.each([
    [['PERMISSION_REQUIRED'], 5],
    [['READ_ONLY', undefined], 5],
    [['DENIED', 'INVALID_ARGS', undefined], 0],
  ])('of a completed turn with results of the codes %j is %d', (codes, code) => {
    expect(exitCodeOf({ kind: 'completed' }, codes.map(result))).toBe(code)
  })

  it.each([['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 143]] as const)('of a process that %s has ended is %d', (signal, code) => {
    expect(exitCodeOfSignal(signal)).toBe(code)
  })

  it('says first what ended the turn, and only then what was refused in it', () => {
    expect(exitCodeOf(error('SERVER'), [result('READ_ONLY')])).toBe(EXIT.retry)
    expect(exitCodeOf({ kind: 'limit', which: 'steps' }, [result('READ_ONLY')])).toBe(EXIT.budget)
  })
})
