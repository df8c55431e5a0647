/** The environment that a child process gets: everything, minus secrets and start-up hooks, set for a program that nobody watches. */

import { isSecretName } from './secret-names.ts'

export interface ChildEnvOptions {
  /** Set last and as they are, secrets included: whoever names them means it. */
  extra?: Readonly<Record<string, string>>
  /** Names that pass although they look like secrets or hooks. */
  keep?: readonly string[]
  /** Further names to leave out. */
  drop?: readonly string[]
}

/** What makes a shell or a tool run or print something of the host's: start-up files, options, colour by force, editors. */
const HOOKS: ReadonlySet<string> = new Set([
  ...['BASH_ENV', 'ENV', 'PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4', 'SHELLOPTS', 'BASHOPTS', 'BASH_XTRACEFD', 'CDPATH', 'OLDPWD'],
  ...['FORCE_COLOR', 'CLICOLOR_FORCE', 'COLORTERM', 'GREP_OPTIONS', 'GIT_SEQUENCE_EDITOR', 'HGEDITOR', 'SVN_EDITOR'],
])

/** Nobody is there to page, to answer or to edit. `false` as an editor makes `git rebase -i` fail where `true` would rewrite history unasked. */
const UNATTENDED: Readonly<Record<string, string>> = {
  NO_COLOR: '1',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/**
 * A copy of `base` fit for a child. Without secrets (`isSecretName`) and
 * start-up hooks, with a search path where there is none, and with a UTF-8
 * character set where the locale has none.
 */
export function childEnv(base: NodeJS.ProcessEnv, { extra, keep = [], drop = [] }: ChildEnvOptions = {}): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && (keep.includes(name) || passes(name)) && !drop.includes(name)) env[name] = value
  }
  if (!env['PATH'] && !env['Path']) env['PATH'] = DEFAULT_PATH
  return { ...env, ...utf8Locale(env), ...UNATTENDED, ...extra }
}

function passes(name: string): boolean {
  return !HOOKS.has(name) && !isSecretName(name)
}

/** Only the character set changes: language, sorting and number formats stay as they were, except under `LC_ALL`, which rules over all. */
function utf8Locale(env: Readonly<Record<string, string>>): Record<string, string> {
  const all = env['LC_ALL']
  const effective = all || env['LC_CTYPE'] || env['LANG'] || ''
  if (/utf-?8/i.test(effective)) return {}
  const wanted = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  return all ? { LC_ALL: wanted } : { LC_CTYPE: wanted }
}
