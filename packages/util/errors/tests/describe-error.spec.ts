import { describe, expect, it } from 'vitest'
import { assertNever, describeError, HarnessError, isHarnessError, toHarnessError } from '../src/index.ts'

function coded(message: string, code: unknown, options?: ErrorOptions): Error {
  return Object.assign(new Error(message, options), { code })
}

describe('describeError', () => {
  it('joins the messages of the causes, outermost first', () => {
    expect(describeError(new Error('cannot save', { cause: new Error('cannot write', { cause: new Error('disk full') }) }))).toBe('cannot save: cannot write: disk full')
  })

  it('leaves out what an outer message says already', () => {
    expect(describeError(new Error('cannot write: disk full', { cause: new Error('disk full') }))).toBe('cannot write: disk full')
  })

  it('adds the codes of the system where the message lacks them, and no others', () => {
    expect(describeError(coded('connect failed', 'ECONNREFUSED'))).toBe('connect failed (ECONNREFUSED)')
    expect(describeError(coded('connect ECONNREFUSED', 'ECONNREFUSED'))).toBe('connect ECONNREFUSED')
    expect(describeError(coded('headers', 'UND_ERR_HEADERS_TIMEOUT'))).toBe('headers (UND_ERR_HEADERS_TIMEOUT)')
    expect(describeError(coded('no', 'DENIED'))).toBe('no')
    expect(describeError(coded('no', 7))).toBe('no')
    expect(describeError(coded('', 'EPIPE'))).toBe('Error (EPIPE)')
  })

  it('lists the parts of an aggregate', () => {
    const parts = [coded('v4', 'ECONNREFUSED'), new Error('v6')]
    expect(describeError(new AggregateError(parts))).toBe('v4 (ECONNREFUSED); v6')
    expect(describeError(new AggregateError(parts, 'all failed'))).toBe('all failed (v4 (ECONNREFUSED); v6)')
    expect(describeError(new AggregateError([], 'none'))).toBe('none')
    expect(describeError(new Error('fetch failed', { cause: new AggregateError(parts) }))).toBe('fetch failed: v4 (ECONNREFUSED); v6')
  })

  it('says something about whatever was thrown', () => {
    expect([undefined, null, '', 'text', 5, new TypeError(), { a: 1 }, Object.create(null), Symbol('s')].map(describeError)).toEqual([
      'unknown error',
      'unknown error',
      'unknown error',
      'text',
      '5',
      'TypeError',
      '{"a":1}',
      '{}',
      'Symbol(s)',
    ])
  })

  it('ends although an error is its own cause, or a part of itself', () => {
    const circle = new Error('round')
    circle.cause = circle
    expect(describeError(circle)).toBe('round')
    const nest = new AggregateError([], 'nest')
    nest.errors.push(nest, new Error('egg'))
    expect(describeError(nest)).toContain('egg')
  })
})

describe('HarnessError', () => {
  class FileError extends HarnessError {}

  it('carries its code, its cause and the name of its class', () => {
    const cause = new Error('x')
    const error = new FileError('GONE', 'the file is gone', { cause })
    expect([error.name, error.code, error.message, error.cause, error instanceof HarnessError]).toEqual(['FileError', 'GONE', 'the file is gone', cause, true])
  })

  it('is recognised by its code', () => {
    expect([new FileError('GONE', ''), coded('', 'X'), coded('', 5), new Error(''), { code: 'X' }, undefined].map(isHarnessError)).toEqual([true, true, false, false, false, false])
  })

  it('is made of anything that was thrown', () => {
    const known = new FileError('GONE', 'gone')
    expect(toHarnessError(known)).toBe(known)
    const cause = new Error('outer')
    expect(toHarnessError(cause)).toMatchObject({ code: 'UNKNOWN', message: 'outer', cause })
    expect(toHarnessError({ a: 1 })).toMatchObject({ code: 'UNKNOWN', message: '{"a":1}', cause: { a: 1 } })
  })
})

it('names the member that a switch forgot', () => {
  expect(() => assertNever({ kind: 'new' } as never, 'decision')).toThrow(new TypeError('unexpected decision: {"kind":"new"}'))
  expect(() => assertNever(5n as never)).toThrow(new TypeError('unexpected value: 5'))
})
