import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SESSION_FORMAT_VERSION, SessionStore, type SessionEvent, type SessionHeader } from '@deepseek-ai/dsh-session'
import { BlockEcho, growRun } from '@deepseek-ai/dsh-session-persistence'
import { JsonlSessionPersistence } from '../src/index.ts'
import { eventLines, headerLine, toLine } from '../src/lines.ts'

const GOLDEN = join(import.meta.dirname, 'golden')
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Every log that a version wrote, with what it says. They are added to and never changed; in `v1-draft` lies what was written before the first release and is written otherwise now. */
const logs = readdirSync(GOLDEN, { recursive: true }).map(String).filter(path => path.endsWith('.jsonl') && !path.endsWith('.stream.jsonl'))

/** The stream in flight beside a log. */
function journalOf(path: string): string {
  return path.replace(/\.jsonl$/, '.stream.jsonl')
}

function expected(path: string): { header: SessionHeader; events: SessionEvent[] } {
  return JSON.parse(readFileSync(join(GOLDEN, path.replace(/\.jsonl$/, '.json')), 'utf8')) as { header: SessionHeader; events: SessionEvent[] }
}

describe('logs of released versions', () => {
  it.each(logs)('%s is read as what was said', async path => {
    const root = mkdtempSync(join(tmpdir(), 'dsh-golden-'))
    cleanups.push(() => rmSync(root, { recursive: true, force: true }))
    const folder = join(root, 'sessions', 'root-12345678')
    mkdirSync(folder, { recursive: true })
    for (const each of [path, journalOf(path)].filter(name => existsSync(join(GOLDEN, name)))) cpSync(join(GOLDEN, each), join(folder, basename(each)))
    const ctx = createRoot()
    cleanups.push(() => ctx.fiber.dispose())
    await ctx.plugin(SessionStore)
    await ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 5 })
    const { header, events } = expected(path)
    const stored = await ctx.sessionPersistence.load(header.id, new AbortController().signal)
    expect([stored.header, stored.events, stored.damage]).toEqual([header, events, []])
  })

  // A change of what is written needs a new version, a step in upcast.ts, and golden files of its own.
  it.each(logs.filter(path => path.startsWith(`v${SESSION_FORMAT_VERSION}/`)))('%s is written to the byte as the current version writes it', path => {
    const { header, events } = expected(path)
    const echo = new BlockEcho()
    const lines = readFileSync(join(GOLDEN, path), 'utf8').split('\n').slice(1, -1).map(line => JSON.parse(line) as { seq: number; n?: number })
    // As it was written: an append for each record, so that a run is packed where it was packed then.
    const text = lines.map(({ seq, n = 1 }) => eventLines(events.slice(seq, seq + n), echo)).join('')
    expect(headerLine(header) + text).toBe(readFileSync(join(GOLDEN, path), 'utf8'))
  })

  it.each(logs.filter(path => path.startsWith(`v${SESSION_FORMAT_VERSION}/`) && existsSync(join(GOLDEN, journalOf(path)))))('the stream in flight beside %s is written to the byte as the current version writes it', path => {
    const { events } = expected(path)
    const text = readFileSync(join(GOLDEN, journalOf(path)), 'utf8')
    const pieces = text.split('\n').slice(1, -1).map(line => JSON.parse(line) as [seq: number, n: number])
    expect(pieces.flatMap(([seq, n], index) => growRun(events.slice(seq, seq + n), index === 0 ? undefined : events[seq - 1]).map(toLine)).join('')).toBe(text)
  })
})
