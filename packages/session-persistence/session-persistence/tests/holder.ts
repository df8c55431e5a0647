/**
 * A process that holds a session: `node holder.ts <backend module> <root> <id> <create|open>`.
 * Says `ready`, waits for a line, takes the session (a new one gets a turn) and
 * says `holding` or the code of the error. Every further line is one turn more.
 * It stays until it is killed.
 */

import { createInterface } from 'node:readline/promises'
import { createRoot } from 'cordis/host'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { PersistenceError, type SessionPersistence, type SessionWriter } from '../src/index.ts'
import { turn } from './events.ts'

const [, , module = '', root = '', id = '', mode = 'create'] = process.argv
const { default: Backend } = (await import(module)) as { default: never }
const ctx = createRoot()
await ctx.plugin(SessionStore)
await ctx.plugin(Backend, { root } as never)
const signal = new AbortController().signal
let writer: SessionWriter | undefined

process.stdout.write('ready\n')
for await (const _line of createInterface({ input: process.stdin })) process.stdout.write(`${await step()}\n`)

async function step(): Promise<string> {
  try {
    if (writer) await writer.append(turn(writer.next))
    else writer = await take(ctx.get('sessionPersistence') as SessionPersistence)
    await writer.sync()
    return 'holding'
  } catch (error) {
    if (error instanceof PersistenceError) return error.code
    throw error
  }
}

async function take(persistence: SessionPersistence): Promise<SessionWriter> {
  if (mode === 'open') return (await persistence.open(id, signal)).writer
  const created = await persistence.create({ version: 1, id, createdAt: 1000, cwd: '/' }, signal)
  await created.append(turn(0))
  return created
}
