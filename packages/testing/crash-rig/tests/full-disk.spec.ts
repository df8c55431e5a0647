import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { mountSpine } from '../src/mount-spine.ts'
import { PacedAdapter } from '../src/paced-adapter.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal

function smallDisk(): string {
  const root = mkdtempSync(join(tmpdir(), 'dsh-full-'))
  cleanups.push(() => rmSync(root, { recursive: true }))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', root])
  cleanups.push(() => execFileSync('umount', ['-l', root]))
  return root
}

/** Takes all the room that there is; what it returns gives it back. */
function fill(root: string): () => void {
  const path = join(root, 'filler')
  const fd = openSync(path, 'w')
  try {
    for (;;) writeSync(fd, Buffer.alloc(4096))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(fd)
  }
  return () => rmSync(path)
}

/** How the turn of this message ended. */
async function turnOf(agent: Agent, message: string): Promise<object | undefined> {
  agent.send(message)
  await agent.whenIdle()
  const end = agent.session.events.findLast(event => event.type === 'turn/end')
  return end?.data.reason
}

// Only root may mount the small disk that this needs.
it.runIf(process.platform === 'linux' && process.getuid?.() === 0).each(['jsonl', 'sqlite'] as const)('ends a turn with the error while the disk is full, and loses nothing of it when there is room again, with %s', async backend => {
  const root = smallDisk()
  const ctx = await mountSpine(backend, root)
  cleanups.push(() => ctx.fiber.dispose())
  ctx.llm.registerAdapter(['paced'], new PacedAdapter())
  const { agent } = ctx.agents.create({ sessionId: 'one', meta: { cwd: root }, agentOptions: { model: 'paced' } })
  const stored = async () => (await ctx.get('sessionPersistence')?.load('one', signal)) ?? { events: [], damage: [] }

  expect(await turnOf(agent, 'while there is room')).toEqual({ kind: 'completed' })
  const giveBack = fill(root)
  // Longer than what the last page of a file may still have room for.
  expect(await turnOf(agent, 'x'.repeat(20_000))).toMatchObject({ kind: 'error', code: 'STORE_FULL' })
  const { events, damage } = await stored()
  expect([events, damage, events.length < agent.session.events.length]).toEqual([agent.session.events.slice(0, events.length), [], true])

  giveBack()
  expect(await turnOf(agent, 'go on')).toEqual({ kind: 'completed' })
  expect(await stored()).toMatchObject({ events: agent.session.events, damage: [] })
}, 30_000)
