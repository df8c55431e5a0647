import type { Plan, PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import { expect, it } from 'vitest'
import { editedRows } from '../src/edited-rows.ts'

const row = (id: string, more: Partial<PlanRow> = {}): PlanRow => ({ id, name: id, disabled: false, required: false, origin: 'composition' as never, position: { file: '/c/cordis.yml', line: 1, column: 1 } as never, provenance: {}, ...more })
const plan = (...rows: PlanRow[]): Plan => ({ rows, untrusted: [], trusted: [], files: [] })

it('names the rows that differ, came or went, wherever they stand now', () => {
  const before = plan(row('same', { config: { a: 1 } }), row('config', { config: { a: 1 } }), row('off'), row('gone'))
  const after = plan(row('new'), row('off', { disabled: true }), row('config', { config: { a: 2 } }), row('same', { config: { a: 1 }, position: { file: '/c/other.yml', line: 9, column: 1 } as never }))
  expect(editedRows(before, after, [])).toEqual(['new', 'off', 'config', 'gone'])
})

it('names the rows whose own source was edited', () => {
  const both = plan(row('beside', { name: './p.ts' }), row('absolute', { name: '/q.ts' }), row('package', { name: 'p' }))
  expect(editedRows(both, both, ['/c/p.ts'])).toEqual(['beside'])
  expect(editedRows(both, both, ['/q.ts', '/elsewhere/p.ts'])).toEqual(['absolute'])
})
