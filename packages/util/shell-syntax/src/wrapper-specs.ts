/** The options of programs that run another program given in their arguments. */
import type { OptionSpec } from './options.ts'

/** How the inner command follows the options of one wrapper. */
export interface WrapperSpec extends OptionSpec {
  /** Operands before the program (`timeout 5 ls`). */
  leading?: number
  /** Options with which nothing is run (`command -v`). */
  lookups?: readonly string[]
  /** Whether `NAME=value` before the program sets variables. */
  setsVariables?: boolean
  /** Whether arguments that are not known yet are added at the end. */
  addsArguments?: boolean
  /** The option whose value stands for unknown text inside the arguments (`xargs -I{}`). */
  replaces?: readonly string[]
  /** Whether the words are joined and given to `sh -c`. */
  joins?: boolean
  /** The option whose value is a text for `sh -c`. */
  text?: readonly string[]
}

/** Every wrapper with options of the usual form. */
export const WRAPPERS: ReadonlyMap<string, WrapperSpec> = new Map<string, WrapperSpec>([
  ['command', { flags: 'pvV', lookups: ['v', 'V'] }],
  ['builtin', {}],
  ['exec', { flags: 'cl', values: 'a' }],
  ['nice', { values: 'n', longValues: ['adjustment'], digits: true }],
  ['nohup', { long: ['version', 'help'] }],
  ['timeout', { flags: 'fpv', values: 'ks', long: ['foreground', 'preserve-status', 'verbose'], longValues: ['kill-after', 'signal'], leading: 1 }],
  ['gtimeout', { flags: 'fpv', values: 'ks', long: ['foreground', 'preserve-status', 'verbose'], longValues: ['kill-after', 'signal'], leading: 1 }],
  ['stdbuf', { values: 'ioe', longValues: ['input', 'output', 'error'] }],
  ['setsid', { flags: 'cfw', long: ['ctty', 'fork', 'wait'] }],
  ['time', { flags: 'pvaql', values: 'fo', long: ['portability', 'verbose', 'append', 'quiet'], longValues: ['format', 'output'] }],
  ['ionice', { flags: 't', values: 'cnpPu', long: ['ignore'], longValues: ['class', 'classdata', 'pid'], lookups: ['p', 'P', 'u', 'pid'] }],
  ['chrt', { flags: 'abdfiorRmp', values: 'TPD', leading: 1, lookups: ['p', 'm'] }],
  ['taskset', { flags: 'acp', long: ['all-tasks', 'cpu-list', 'pid'], leading: 1, lookups: ['p', 'pid'] }],
  ['chroot', { longValues: ['userspec', 'groups'], long: ['skip-chdir'], leading: 1 }],
  ['busybox', {}],
  ['toybox', {}],
  ['fakeroot', {}],
  ['unbuffer', { flags: 'p' }],
  ['caffeinate', { flags: 'disum', values: 'tw' }],
  ['pkexec', { longValues: ['user'], long: ['disable-internal-agent', 'keep-cwd'] }],
  ['doas', { flags: 'Lns', values: 'uCa', setsVariables: true }],
  [
    'sudo',
    {
      flags: 'AbEeHKkilnPSsVvN',
      values: 'aCcDghpRrtTuU',
      long: ['askpass', 'background', 'preserve-env', 'edit', 'set-home', 'login', 'non-interactive', 'preserve-groups', 'stdin', 'shell', 'reset-timestamp', 'validate', 'list', 'version', 'remove-timestamp'],
      longValues: ['user', 'group', 'host', 'prompt', 'chdir', 'chroot', 'role', 'type', 'command-timeout', 'close-from', 'other-user'],
      setsVariables: true,
      lookups: ['l', 'list', 'e', 'edit'],
    },
  ],
  [
    'env',
    {
      flags: 'i0v',
      values: 'uCS',
      long: ['ignore-environment', 'null', 'debug', 'block-signal', 'default-signal', 'ignore-signal', 'list-signal-handling'],
      longValues: ['unset', 'chdir', 'split-string'],
      setsVariables: true,
    },
  ],
  [
    'xargs',
    {
      flags: '0rtpxo',
      values: 'aEILnPsdJRS',
      optional: 'eil',
      long: ['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty', 'replace', 'max-lines', 'eof', 'show-limits'],
      longValues: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars'],
      addsArguments: true,
      replaces: ['I', 'J', 'i', 'replace'],
    },
  ],
  ['flock', { flags: 'sxeunoF', values: 'wEc', long: ['shared', 'exclusive', 'unlock', 'nonblock', 'nb', 'close', 'no-fork', 'verbose'], longValues: ['timeout', 'wait', 'conflict-exit-code', 'command'], leading: 1, text: ['c', 'command'] }],
  ['watch', { flags: 'bcdegptwCx', values: 'nq', long: ['beep', 'color', 'no-color', 'differences', 'errexit', 'chgexit', 'precise', 'no-title', 'no-wrap', 'exec'], longValues: ['interval', 'equexit'], joins: true }],
  ['ssh', { flags: '46AaCfGgKkMNnqsTtVvXxYy', values: 'BbcDEeFIiJLlmOoPpQRSWw', leading: 1, joins: true }],
  ['su', { flags: 'lmpfP', values: 'cCgGswT', long: ['login', 'preserve-environment', 'pty'], longValues: ['command', 'session-command', 'group', 'shell', 'supp-group'], text: ['c', 'command', 'session-command', 'C'] }],
  ['runuser', { flags: 'lmpfP', values: 'ucCgGswT', long: ['login', 'preserve-environment', 'pty'], longValues: ['user', 'command', 'session-command', 'group', 'shell'], text: ['c', 'command', 'session-command', 'C'] }],
])
