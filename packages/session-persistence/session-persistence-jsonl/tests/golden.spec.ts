import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SESSION_FORMAT_VERSION, SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { goldenSessions } from '@deepseek-ai/dsh-session-persistence/golden'
import { JsonlSessionPersistence } from '../src/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal

function goldenFile(version: number): string {
  return readFileSync(join(import.meta.dirname, `golden/v${version}.jsonl`), 'utf8')
}

async function open(): Promise<{ persistence: SessionPersistence; root: string }> {
  const root = mkdtempSync(join(tmpdir(), 'dsh-golden-'))
  cleanups.push(() => rmSync(root, { recursive: true, force: true }))
  const ctx = createRoot()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 5 })
  return { persistence: ctx.sessionPersistence, root }
}

describe('golden files', () => {
  it.each(goldenSessions())('of version $version open as they were written, and go on without being rewritten', async ({ version, header, events }) => {
    const { persistence, root } = await open()
    const path = join(root, 'sessions/no-project', `${header.id}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, goldenFile(version))

    const { writer, stored } = await persistence.open(header.id, signal)
    expect([stored.header, stored.events, stored.damage]).toEqual([header, events, []])
    const next: SessionEvent = { type: 'turn/start', seq: events.length, time: 1, data: { turn: 3, trigger: { kind: 'message', source: { kind: 'user' } } } }
    await writer.append([next])
    await writer.close()

    expect(readFileSync(path, 'utf8')).toBe(`${goldenFile(version)}${JSON.stringify(next)}\n`)
    expect((await persistence.load(header.id, signal)).events).toEqual([...events, next])
  })

  it('of the current version are what is written today, to the byte', async () => {
    const golden = goldenSessions().at(-1)
    const { persistence, root } = await open()
    const writer = await persistence.create(golden?.header ?? { version: 0, id: '', createdAt: 0 }, signal)
    await writer.append(golden?.events ?? [])
    await writer.close()
    const [name = ''] = readdirSync(join(root, 'sessions/no-project')).filter(file => file.endsWith('.jsonl'))
    expect(readFileSync(join(root, 'sessions/no-project', name), 'utf8')).toBe(goldenFile(SESSION_FORMAT_VERSION))
  })
})
