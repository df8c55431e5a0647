import { expect, it } from 'vitest'
import type { FsObservation } from '@deepseek-ai/dsh-fs'
import { observe, type Known } from '../src/observations.ts'

function after(...observations: FsObservation[]): Known | undefined {
  return observations.reduce<Known | undefined>(observe, undefined)
}

const part = (from: number, to: number, version = 'v1'): FsObservation => ({ by: 'read', version, range: { from, to, total: 10 } })

it('adds parts of one version up to the whole', () => {
  expect(after(part(1, 4), part(8, 10))).toEqual({ version: 'v1', whole: false, ranges: [{ from: 1, to: 4, total: 10 }, { from: 8, to: 10, total: 10 }] })
  expect(after(part(1, 4), part(8, 10), part(5, 7))).toEqual({ version: 'v1', whole: true, ranges: [] })
})

it('forgets the parts of another version', () => {
  expect(after(part(1, 4), part(5, 10, 'v2'))).toEqual({ version: 'v2', whole: false, ranges: [{ from: 5, to: 10, total: 10 }] })
})

it('keeps a whole view when a part is read again', () => {
  expect(after({ by: 'read', version: 'v1' }, part(1, 2))).toEqual({ version: 'v1', whole: true, ranges: [] })
})

it('moves to the version that an own edit made, knowing as much as before', () => {
  expect(after({ by: 'read', version: 'v1' }, { by: 'edit', version: 'v2' })).toEqual({ version: 'v2', whole: true, ranges: [] })
  expect(after(part(1, 4), { by: 'edit', version: 'v2' })).toEqual({ version: 'v2', whole: false, ranges: [] })
  expect(after(part(1, 4), { by: 'write', version: 'v2' })).toEqual({ version: 'v2', whole: true, ranges: [] })
})
