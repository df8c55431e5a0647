import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { PersistenceError, upcast, type StoredForm, type UpcastStep } from '../src/index.ts'
import { turn } from './events.ts'

const form = (version: number): StoredForm => ({ header: { version, id: 'one', createdAt: 1, cwd: '/' }, events: turn(0) })

/** Renames `from` to `to`. */
const rename = (from: string, to: string): UpcastStep => ({ header, events }) => ({ header, events: events.map(event => (event.type === from ? ({ ...event, type: to } as unknown as SessionEvent) : event)) })

function failure(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error instanceof PersistenceError ? [error.code, error.message] : error
  }
}

describe('upcast', () => {
  it('leaves the current version as it is', () => {
    const current = form(1)
    expect(upcast(current)).toBe(current)
  })

  it('takes one step after the other, and raises the version with each', () => {
    const steps = { 1: rename('turn/end', 'turn/over'), 2: rename('turn/over', 'turn/finished') }
    const { header, events } = upcast(form(1), steps, 3)
    expect([header, events.map(({ type }) => type)]).toEqual([{ version: 3, id: 'one', createdAt: 1, cwd: '/' }, ['turn/start', 'user/message', 'turn/finished']])
  })

  it('begins in the middle for a log of the middle, and does not change what it was given', () => {
    const given = form(2)
    const before = structuredClone(given)
    const { header } = upcast(given, { 1: () => form(99), 2: rename('turn/end', 'turn/over') }, 3)
    expect([header.version, given]).toEqual([3, before])
  })

  it('refuses what is newer than this program, and what no version ever wrote', () => {
    expect([failure(() => upcast(form(2))), failure(() => upcast(form(0)))]).toEqual([
      ['SESSION_VERSION', 'the session one cannot be read: it was written by a newer version of dsh (format 2, this one knows 1); use that one'],
      ['SESSION_VERSION', 'the session one cannot be read: format 0 is not one that dsh ever wrote'],
    ])
  })
})
