/** What the specs stand on: a plan with a store of real files, sessions in it, and streams that are read back. */

import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import type { Plan, PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Workspace } from '@deepseek-ai/dsh-testkit'
import { openStore, type SessionTools } from '../src/index.ts'

/** The test runner's own import() knows nothing of the protocol of plugins. */
const { nativeImport } = createRequire(import.meta.url)('./native-import.mjs') as { nativeImport: (specifier: string) => Promise<unknown> }

const STORE = '@deepseek-ai/dsh-session-persistence-jsonl'

export interface Told {
  tools: SessionTools
  stdout(): string
  stderr(): string
}

export function rowOf(id: string, name: string, config: Record<string, unknown> = {}): PlanRow {
  return { id, name, config, disabled: false, required: false, origin: 'composition', position: { file: '/cordis.yml', line: 1, column: 1 }, provenance: {} }
}

export function planOf(...rows: PlanRow[]): Plan {
  return { rows, untrusted: [], trusted: [], files: ['/cordis.yml'] }
}

/** The tools over a store in `folder`; `input` is typed on a terminal. */
export function toolsIn(folder: Workspace, { input, json = false, cwd = folder.path }: { input?: string; json?: boolean; cwd?: string } = {}): Told {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  if (input !== undefined) {
    Object.assign(stdin, { isTTY: true })
    Object.assign(stderr, { isTTY: true })
    stdin.end(input)
  }
  const read = (stream: PassThrough): string => String(stream.read() ?? '')
  return {
    tools: {
      plan: planOf(rowOf('session-persistence-jsonl', STORE, { root: folder.path })),
      cwd,
      terminal: { stdin, stdout, stderr },
      env: {},
      boot: { builtins: { [STORE]: () => import('@deepseek-ai/dsh-session-persistence-jsonl') }, importModule: nativeImport },
      json,
      signal: new AbortController().signal,
    },
    stdout: () => read(stdout),
    stderr: () => read(stderr),
  }
}

/** Stores a session of one message. */
export async function storeSession(folder: Workspace, id: string, { said = 'hello', cwd = folder.path, time = Date.now() } = {}): Promise<void> {
  await using store = await openStore(toolsIn(folder).tools)
  const signal = new AbortController().signal
  const writer = await store.persistence.create({ version: 1, id, createdAt: time, cwd }, signal)
  const source = { kind: 'user' } as const
  const events: SessionEvent[] = [
    { type: 'turn/start', seq: 0, time, data: { turn: 1, trigger: { kind: 'message', source } } },
    { type: 'user/message', seq: 1, time, data: { content: [{ type: 'text', text: said }], source }, surfaceOp: 'append' },
    { type: 'turn/end', seq: 2, time, data: { turn: 1, reason: { kind: 'completed' } } },
  ]
  await writer.append(events)
  await writer.close()
}
