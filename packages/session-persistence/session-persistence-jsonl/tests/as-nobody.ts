/** Looks at a store that belongs to somebody else: `node as-nobody.ts <root>`, started as root. Prints what it is told. */

import { createRoot } from 'cordis/host'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { JsonlSessionPersistence } from '../src/index.ts'

const ctx = createRoot()
await ctx.plugin(SessionStore)
await ctx.plugin(JsonlSessionPersistence, { root: process.argv[2] ?? '', writeBehindMs: 5 })
process.setgid?.(65534)
process.setuid?.(65534)

const { signal } = new AbortController()
const store = ctx.get('sessionPersistence') as JsonlSessionPersistence
console.log(
  JSON.stringify({
    list: await list(),
    load: await codeOf(store.load('one', signal)),
    open: await codeOf(store.open('two', signal)),
    append: await codeOf(append()),
  }),
)

async function list(): Promise<unknown> {
  const found = await store.list({}, signal).catch((error: unknown) => codeOf(Promise.reject(error)))
  return typeof found === 'string' ? found : found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, damage }) => [id, damage?.[0]?.kind ?? null])
}

async function append(): Promise<void> {
  const writer = await store.create({ version: 1, id: 'new', createdAt: 1, cwd: '/' }, signal)
  await writer.append([{ type: 'turn/start', seq: 0, time: 1, data: { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } } }])
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof PersistenceError) return error.code
    throw error
  }
}
