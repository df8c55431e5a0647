import { HarnessError } from '@deepseek-ai/dsh-errors'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { expect, it } from 'vitest'
import { describeSessionError, EXIT, exitCodeOfError, shortId } from '../src/index.ts'

const holder = { pid: 42, host: 'box', since: Date.UTC(2026, 0, 1) }

it('names the holder of a session once, and the ways around it', () => {
  const ways = 'dsh --fork abc goes on in a copy, dsh sessions show abc reads it'
  expect(describeSessionError(new PersistenceError('SESSION_IN_USE', 'in use', { holder }), 'abc')).toBe(`in use (process 42 on box since 2026-01-01T00:00:00.000Z); ${ways}`)
  expect(describeSessionError(new PersistenceError('SESSION_IN_USE', 'in use by process 42', { holder }), 'abc')).toBe(`in use by process 42; ${ways}`)
  expect(describeSessionError(new PersistenceError('SESSION_IN_USE', 'in use'))).toBe('in use; dsh --fork ID goes on in a copy, dsh sessions show ID reads it')
  expect(describeSessionError(new PersistenceError('SESSION_NOT_FOUND', 'there is none'))).toBe('there is none')
})

it.each([
  [new HarnessError('USAGE', ''), EXIT.usage],
  [new HarnessError('invalid-composition', ''), EXIT.usage],
  [new HarnessError('boot-failed', ''), EXIT.usage],
  [new HarnessError('NO_STORE', ''), EXIT.noSession],
  [new PersistenceError('SESSION_NOT_FOUND', ''), EXIT.noSession],
  [new PersistenceError('SESSION_AMBIGUOUS', ''), EXIT.noSession],
  [new PersistenceError('SESSION_IN_USE', ''), EXIT.noSession],
  [new PersistenceError('SESSION_EXISTS', ''), EXIT.noSession],
  [new PersistenceError('SESSION_DAMAGED', ''), EXIT.error],
  [new PersistenceError('STORE_FULL', ''), EXIT.error],
  [new Error('x'), EXIT.error],
])('%j ends the program with %d', (error, code) => {
  expect(exitCodeOfError(error)).toBe(code)
})

it('shortens ids that are made, and no others', () => {
  expect(['0mx40mj2v-e9a2be23', 'mine', '0mx40mj2v-e9a2be2', '0mx40mj2v-e9a2be23x'].map(shortId)).toEqual(['0mx40mj2v', 'mine', '0mx40mj2v-e9a2be2', '0mx40mj2v-e9a2be23x'])
})
