/**
 * The process that is killed: `node victim.ts <backend> <root> <session id> <file>`.
 * Begins or resumes the session, talks to a paced model for ever, and announces
 * every event in the file, a line each: number, time, mark of its content; and,
 * a hundred times a second, that it is being given time to run: `-`, time.
 */

import { openSync, writeSync } from 'node:fs'
import { PersistenceError, resumeAgent } from '@deepseek-ai/dsh-session-persistence'
import { markOf } from './announcement.ts'
import { mountSpine, type Backend } from './mount-spine.ts'
import { PacedAdapter } from './paced-adapter.ts'

const [, , backend = 'jsonl', root = '', sessionId = '', file = ''] = process.argv
const announcements = openSync(file, 'a')
const ctx = await mountSpine(backend as Backend, root)
ctx.llm.registerAdapter(['paced'], new PacedAdapter())
ctx.on('session/event', (_session, event) => void writeSync(announcements, `${event.seq} ${Date.now()} ${markOf(event)}\n`))

setInterval(() => void writeSync(announcements, `- ${Date.now()}\n`), 10)
const agent = await begin()
process.stdout.write('ready\n')
for (let n = 0; ; n++) {
  agent.send(`message ${n}`)
  await agent.whenIdle()
}

async function begin() {
  try {
    return (await resumeAgent(ctx, sessionId, { model: 'paced' }, new AbortController().signal)).handle.agent
  } catch (error) {
    if (!(error instanceof PersistenceError) || error.code !== 'SESSION_NOT_FOUND') throw error
    return ctx.agents.create({ sessionId, meta: { cwd: root }, agentOptions: { model: 'paced' } }).agent
  }
}
