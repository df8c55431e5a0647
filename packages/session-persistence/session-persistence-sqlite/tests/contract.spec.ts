import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterAll } from 'vitest'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { describePersistence } from '@deepseek-ai/dsh-session-persistence/contract'
import { SqliteSessionPersistence } from '../src/index.ts'

const roots: string[] = []
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

function edit<T>(root: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(root, 'sessions.sqlite'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

describePersistence('SqliteSessionPersistence', {
  module: new URL('../src/index.ts', import.meta.url).href,
  newRoot() {
    const root = mkdtempSync(join(tmpdir(), 'dsh-sqlite-'))
    roots.push(root)
    return root
  },
  async open(root) {
    const ctx = createRoot()
    await ctx.plugin(SessionStore)
    await ctx.plugin(SqliteSessionPersistence, { root, writeBehindMs: 5 })
    return { persistence: ctx.sessionPersistence, close: () => ctx.fiber.dispose() }
  },
  damage: (root, id, seq) => void edit(root, database => database.prepare("UPDATE events SET data = '{half' WHERE session = (SELECT key FROM sessions WHERE id = ?) AND seq = ?").run(id, seq)),
  damageHeader: (root, id) => void edit(root, database => database.prepare("UPDATE sessions SET header = '{half' WHERE id = ?").run(id)),
  setLease: (root, id, lease) => void edit(root, database => database.prepare('UPDATE sessions SET lease = ? WHERE id = ?').run(lease, id)),
  readLease: (root, id) => edit(root, database => (database.prepare('SELECT lease FROM sessions WHERE id = ?').get(id) as { lease: string }).lease),
})
