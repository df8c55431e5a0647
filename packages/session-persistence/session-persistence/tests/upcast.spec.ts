import { describe, expect, it } from 'vitest'
import { Session, SESSION_FORMAT_VERSION } from '@deepseek-ai/dsh-session'
import { checkPrefix, upcast, type StoredForm, type UpcastStep } from '../src/index.ts'
import { turn } from './events.ts'
import { goldenSessions } from './golden.ts'

const old: StoredForm = { header: { version: 1, id: 'one', createdAt: 1 }, events: turn(0) }

/** Notes in the header that it was there, and drops the first event. */
function step(mark: string): UpcastStep {
  return ({ header, events }) => ({ header: { ...header, cwd: `${header.cwd ?? ''}${mark}` }, events: events.slice(1) })
}

describe('upcast', () => {
  it('leaves what is current as it is', () => {
    const current = { ...old, header: { ...old.header, version: SESSION_FORMAT_VERSION } }
    expect(upcast(current)).toBe(current)
  })

  it('takes one step a version, in order, and leaves the stored form alone', () => {
    const before = structuredClone(old)
    const steps = { 1: step('a'), 2: step('b'), 3: step('c') }
    expect(upcast(old, steps, 3)).toEqual({ header: { ...old.header, version: 3, cwd: 'ab' }, events: turn(0).slice(2) })
    expect(old).toEqual(before)
  })

  it.each([
    [7, 'the session one cannot be read: it was written by a newer version of dsh (format 7, this one knows 3); use that one'],
    [0, 'the session one cannot be read: format 0 is not one that dsh ever wrote'],
    [1.5, 'the session one cannot be read: format 1.5 is not one that dsh ever wrote'],
    [-1, 'the session one cannot be read: format -1 is not one that dsh ever wrote'],
  ])('refuses format %s with the reason', (version, message) => {
    expect(() => upcast({ ...old, header: { ...old.header, version } }, { 1: step('a'), 2: step('b') }, 3)).toThrow(expect.objectContaining({ code: 'SESSION_VERSION', message }))
  })
})

describe('golden sessions', () => {
  it('are there for every version that was ever written', () => {
    expect(goldenSessions().map(({ version }) => version)).toEqual(Array.from({ length: SESSION_FORMAT_VERSION }, (_, i) => i + 1))
  })

  it.each(goldenSessions())('tell the model of version $version what they always did', ({ header, events, messages }) => {
    const records = events.map(value => ({ value, place: 'golden' }))
    expect([checkPrefix(records), header.version]).toEqual([{ events, damage: [] }, SESSION_FORMAT_VERSION])
    expect(new Session(header, events).deriveMessages()).toEqual(messages)
  })
})
