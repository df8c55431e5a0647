/** What the contract of stores works with: the fixture that a backend hands in, and stores and processes that are cleared away. */

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '../src/index.ts'

export interface PersistenceFixture {
  /** The absolute URL of the module whose default export is the backend. */
  module: string
  /** A fresh folder; removed by the fixture's own clean-up. */
  newRoot(): string
  /** One more instance over `root`, as another process would have. */
  open(root: string): Promise<{ persistence: SessionPersistence; close(): Promise<void> }>
  /** Makes what is stored of event `seq` unreadable. The session is closed. */
  damage(root: string, id: string, seq: number): void
  /** Stores event `seq` a second time, directly after itself; absent where the store cannot hold one twice. */
  duplicate?(root: string, id: string, seq: number): void
  /** Makes the header unreadable. */
  damageHeader(root: string, id: string): void
  /** Writes `lease` in place of the one that is stored, for holders of other hosts. */
  setLease(root: string, id: string, lease: string): void
  /** The lease as it is stored. */
  readLease(root: string, id: string): string
}

export const signal: AbortSignal = new AbortController().signal

export function header(id: string): SessionHeader {
  return { version: 1, id, createdAt: 1000, cwd: '/' }
}

export async function store(persistence: SessionPersistence, id: string, ...batches: SessionEvent[][]): Promise<void> {
  const writer = await persistence.create(header(id), signal)
  for (const batch of batches) await writer.append(batch)
  await writer.close()
}

export interface Kit {
  /** Ran after each test, the last first. */
  cleanups: (() => unknown)[]
  opened(root?: string): Promise<{ persistence: SessionPersistence; root: string; close(): Promise<void> }>
  /** A child that waits for a line before it takes a session (see `holder.ts`); killed at the end. */
  waiting(root: string, id: string, how?: { mode?: 'create' | 'open'; umask?: string }): Promise<Holder>
  /** The same, and it holds the session. */
  holder(root: string, id: string, how?: { umask?: string }): Promise<Holder>
}

export interface Holder {
  child: ChildProcess
  /** Sends a line, and resolves with the one that comes back. */
  ask(line: string): Promise<string>
}

export function kit(fixture: PersistenceFixture): Kit {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  const waiting: Kit['waiting'] = async (root, id, { mode = 'create', umask = '077' } = {}) => {
    const args = [join(import.meta.dirname, 'holder.ts'), fixture.module, root, id, mode]
    const child = spawn('sh', ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    cleanups.push(() => child.kill('SIGKILL'))
    let errors = ''
    child.stderr.on('data', (bytes: Buffer) => (errors += String(bytes)))
    const ask = (line?: string): Promise<string> =>
      new Promise((resolve, reject) => {
        child.stdout.once('data', (bytes: Buffer) => resolve(String(bytes).trim()))
        child.once('exit', () => reject(new Error(`the holder ended: ${errors}`)))
        if (line !== undefined) child.stdin.write(`${line}\n`)
      })
    await ask()
    return { child, ask }
  }
  return {
    cleanups,
    waiting,
    async opened(root = fixture.newRoot()) {
      const { persistence, close } = await fixture.open(root)
      cleanups.push(close)
      return { persistence, root, close }
    },
    async holder(root, id, how = {}) {
      const held = await waiting(root, id, how)
      const said = await held.ask('take')
      if (said !== 'holding') throw new Error(`the holder says ${said}`)
      return held
    },
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
