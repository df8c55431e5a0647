import { execFile, execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { promisify } from 'node:util'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { renderCompletion } from '../src/completion.ts'
import { optionSpecs } from '../src/options.ts'

const typed = COMMANDS.map(({ name }) => name).filter(name => name !== 'run')

/** Which of the shells are there to be asked. */
const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', ':'])
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

const STORED = '[\n  {\n    "id": "m1abc",\n    "title": "x"\n  },\n  {\n    "id": "m2def"\n  }\n]\n'

/** What bash offers for the last of the words, with a `dsh` that knows two sessions. */
async function bash(...words: string[]): Promise<string[]> {
  await using folder = await tempWorkspace({ 'completion.bash': renderCompletion('bash'), 'dsh': `#!/bin/sh\ntest "$*" = "sessions list --all --json" && printf '%s' '${STORED}'\n`, 'tree/leaf/x': '', 'file.txt': '' })
  await chmod(folder.resolve('dsh'), 0o755)
  const script = 'source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dsh; printf "%s\\n" "${COMPREPLY[@]}"'
  const { stdout } = await promisify(execFile)('bash', ['--norc', '--noprofile', '-c', script, 'bash', './dsh', ...words], { cwd: folder.path })
  return stdout.split('\n').filter(line => line !== '')
}

describe('the completion of bash', () => {
  it.each<[string[], string[]]>([
    [[''], typed],
    [['ses'], ['sessions']],
    [['sessions', ''], ['list', 'show', 'export', 'delete', 'rename', 'search', 'repair']],
    [['sessions', 'show', 'm1'], ['m1abc']],
    [['sessions', 'delete', 'm1abc', ''], ['m1abc', 'm2def']],
    [['sessions', 'export', '--fo'], ['--format']],
    [['sessions', 'list', '--fo'], []],
    [['--permission', 'a'], ['ask', 'auto']],
    [['--output-format', '=', 'js'], ['json', 'jsonl']],
    [['--output-format', '='], ['text', 'json', 'jsonl', 'stream-json']],
    [['-r', ''], ['m1abc', 'm2def']],
    [['--cwd', 'tr'], ['tree']],
    [['trust', 'tree/'], ['tree/leaf']],
    [['trust', '--r'], ['--revoke']],
    [['--model', 'x', 'doc'], ['doctor']],
    [['completion', ''], ['bash', 'zsh', 'fish']],
    [['help', 'ex'], ['explain']],
    [['--', '--pr'], []],
    [['-p', 'sessions', ''], []],
    [['a prompt', 'sess'], []],
    [['-o', 'fi'], []],
  ])('offers for %j what may stand there', async (words, offered) => {
    expect(await bash(...words)).toEqual(offered)
  })

  it('offers every option of a run, and not those of commands', async () => {
    const run = optionSpecs.filter(([, { of }]) => of === undefined || (of as readonly string[]).includes('run')).map(([name]) => `--${name}`)
    expect(await bash('--')).toEqual(run)
  })
})

/** These shells are not on every machine; where they are not, only what they are given is looked at. */
describe('the completion of other shells', () => {
  it.each(['zsh', 'fish'])('names for %s every command and option there is, on one line of the shell each', shell => {
    const script = renderCompletion(shell)
    for (const name of typed) expect(script).toMatch(new RegExp(`(?:-a |'|\\|)${name}\\b`))
    for (const [name] of optionSpecs) expect(script).toMatch(new RegExp(`(?:-l |--)${name}\\b`))
  })

  // There is no zsh.
  it.skipIf(!has('zsh')).each([
    [['ses'], [...typed, 'files']],
    [['sessions', 'ex'], ['list', 'show', 'export', 'delete', 'rename', 'search', 'repair']],
    [['sessions', 'delete', '--'], ['--cwd', '--config', '--set', '--force', '--json', '--quiet', '--verbose', '-V', '--version', '-h', '--help']],
    [['--permission', 'a'], ['ask', 'auto', 'read-only']],
    [['--output-format=j'], ['text', 'json', 'jsonl', 'stream-json']],
    [['sessions', 'show', 'm'], ['m1abc', 'm2def']],
    [['completion', ''], ['bash', 'zsh', 'fish']],
    [['trust', ''], ['files -/']],
    [['-p', 'sessions', ''], ['files']],
  ])('offers in zsh for %j what may stand there', async (words, offered) => {
    // What the completion system of zsh is called with; it picks those that begin right.
    const system = `
compdef() { : }
compset() { : }
compadd() { shift; print -l -- "$@" }
_files() { print -- files "$@" }
_describe() { local -a all; all=(\${(P)@[-1]}); print -l -- \${all%%:*} }
source ./_dsh
words=(./dsh "$@"); CURRENT=$#words
_dsh`.replaceAll('\\$', '$')
    await using folder = await tempWorkspace({ _dsh: renderCompletion('zsh'), test: system, dsh: `#!/bin/sh\nprintf '%s' '${STORED}'\n` })
    await chmod(folder.resolve('dsh'), 0o755)
    const { stdout } = await promisify(execFile)('zsh', ['-f', './test', ...words], { cwd: folder.path })
    expect(stdout.split('\n').map(line => line.trim()).filter(line => line !== '')).toEqual(offered)
  })

  // There is no fish.
  it.skipIf(!has('fish')).each([
    ['dsh ses', ['sessions']],
    ['dsh sessions ex', ['export']],
    ['dsh sessions export --fo', ['--format']],
    ['dsh --permission a', ['ask', 'auto']],
    ['dsh completion ', ['bash', 'fish', 'zsh']],
  ])('completes in fish: %s', async (line, offered) => {
    await using folder = await tempWorkspace({ 'dsh.fish': renderCompletion('fish') })
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', `source ${folder.resolve('dsh.fish')}; complete -C '${line}'`])
    expect(stdout.split('\n').filter(text => text !== '').map(text => text.split('\t')[0]).filter(text => !text?.endsWith('/'))).toEqual(offered)
  })

  it('is refused for shells that there is none for', () => {
    expect(() => renderCompletion(undefined)).toThrow('dsh completion takes one of bash, zsh, fish')
    expect(() => renderCompletion('bsh')).toThrow('dsh completion is one of bash, zsh, fish, not "bsh"; did you mean bash?')
  })
})
