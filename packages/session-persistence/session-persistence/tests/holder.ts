/**
 * A process that holds a session: `node holder.ts <backend module> <root> <id>`.
 * Writes one turn, says `holding`, and stays until it is killed.
 */

import { createRoot } from 'cordis/host'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { turn } from './events.ts'

const [, , module = '', root = '', id = ''] = process.argv
const { default: Backend } = (await import(module)) as { default: never }
const ctx = createRoot()
await ctx.plugin(SessionStore)
await ctx.plugin(Backend, { root } as never)
const writer = await ctx.get('sessionPersistence')?.create({ version: 1, id, createdAt: 1000, cwd: '/' }, new AbortController().signal)
await writer?.append(turn(0))
await writer?.sync()
process.stdout.write('holding\n')
setInterval(() => undefined, 60_000)
