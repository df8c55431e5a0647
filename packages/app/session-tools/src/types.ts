/** What the command line asks of stored sessions. Types only. */

import type { BootOptions } from '@deepseek-ai/dsh-composition'
import type { Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { Terminal } from '@deepseek-ai/dsh-front-door'

export type ExportFormat = 'markdown' | 'json' | 'html'

/** One `dsh sessions …` or `dsh replay …`. Ids may be given by their first characters. */
export type SessionsCall =
  /** `all`: of every directory. */
  | { verb: 'list'; all: boolean }
  | { verb: 'show'; id: string }
  /** Without a format the file's extension decides, then Markdown; without a file it goes to stdout. */
  | { verb: 'export'; id: string; format?: ExportFormat; output?: string }
  | { verb: 'delete'; ids: string[]; force: boolean }
  | { verb: 'rename'; id: string; title: string }
  | { verb: 'search'; query: string; all: boolean }
  /** Without ids, the whole store. */
  | { verb: 'repair'; ids: string[] }
  | { verb: 'replay'; id: string }

/** Which session a run wants, as it is typed. */
export type SessionChoice =
  | { kind: 'new'; id?: string }
  /** The latest of the directory. */
  | { kind: 'continue' }
  /** Without an id somebody picks one. */
  | { kind: 'resume'; id?: string }
  | { kind: 'fork'; from: string; until?: number; id?: string }

/** Where and with what the commands work. */
export interface SessionTools {
  plan: Plan
  /** Absolute. */
  cwd: string
  terminal: Terminal
  env: NodeJS.ProcessEnv
  boot: Pick<BootOptions, 'builtins' | 'hostModules' | 'importModule' | 'approve'>
  /** JSON instead of words, where there is a list or a document. */
  json: boolean
  signal: AbortSignal
}
