import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterAll } from 'vitest'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { describePersistence } from '@deepseek-ai/dsh-session-persistence/contract'
import { JsonlSessionPersistence } from '../src/index.ts'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

function fileOf(root: string, name: string): string {
  const found = readdirSync(join(root, 'sessions'), { recursive: true }).map(String).find(path => path.endsWith(`/${name}`))
  if (found === undefined) throw new Error(`there is no ${name}`)
  return join(root, 'sessions', found)
}

function edit(root: string, id: string, change: (lines: string[]) => void): void {
  const path = fileOf(root, `${id}.jsonl`)
  const lines = readFileSync(path, 'utf8').split('\n')
  change(lines)
  writeFileSync(path, lines.join('\n'))
}

describePersistence('JsonlSessionPersistence', {
  module: new URL('../src/index.ts', import.meta.url).href,
  newRoot() {
    const root = mkdtempSync(join(tmpdir(), 'dsh-jsonl-'))
    roots.push(root)
    return root
  },
  async open(root) {
    const ctx = createRoot()
    await ctx.plugin(SessionStore)
    await ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 5 })
    return { persistence: ctx.sessionPersistence, close: () => ctx.fiber.dispose() }
  },
  damage: (root, id, seq) => edit(root, id, lines => (lines[seq + 1] = '{"half":')),
  duplicate: (root, id, seq) => edit(root, id, lines => lines.splice(seq + 1, 0, lines[seq + 1] ?? '')),
  damageHeader: (root, id) => edit(root, id, lines => (lines[0] = '{"type":"sess')),
  setLease: (root, id, lease) => writeFileSync(join(fileOf(root, `${id}.jsonl`).replace(/\.jsonl$/, '.lock')), lease),
  readLease: (root, id) => readFileSync(fileOf(root, `${id}.lock`), 'utf8'),
})
