import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { parseCommandLine, type CommandLine } from '../src/command-line.ts'

const NOTHING: CommandLine = {
  command: 'run', topic: undefined, acp: undefined, print: false, prompt: undefined, words: [], model: undefined, permission: undefined, maxSteps: undefined,
  maxTurns: undefined, maxCost: undefined, timeoutMs: undefined, config: undefined, set: [], cwd: undefined, verbosity: 'normal', plain: false, json: false,
  output: undefined, session: undefined, call: undefined, trust: undefined, user: false,
}

describe('a command line', () => {
  it.each<[string[], Partial<CommandLine>]>([
    [[], {}],
    [['fix', 'the', 'test'], { prompt: 'fix the test' }],
    [['-p', 'fix  it'], { print: true, prompt: 'fix  it' }],
    [['--print'], { print: true }],
    [['fix', '-p'], { print: true, prompt: 'fix' }],
    [['-p', '--', '--version', '-x'], { print: true, prompt: '--version -x' }],
    [['-p', ''], { print: true, prompt: '' }],
    [['-m', 'offline'], { model: 'offline' }],
    [['-moffline'], { model: 'offline' }],
    [['--model=a', '--model', 'b'], { model: 'b' }],
    [['--permission', 'read-only'], { permission: 'read-only' }],
    [['--max-steps', '12'], { maxSteps: 12 }],
    [['--config', 'x.yml', '--cwd', '/tmp'], { config: 'x.yml', cwd: '/tmp' }],
    [['--set', 'a.b=1', '--set', 'c.d='], { set: ['a.b=1', 'c.d='] }],
    [['--quiet'], { verbosity: 'quiet' }],
    [['--verbose'], { verbosity: 'verbose' }],
    [['explain'], { command: 'explain' }],
    [['--json', 'explain', '-m', 'x'], { command: 'explain', json: true, model: 'x' }],
    [['doctor', '--json'], { command: 'doctor', json: true }],
    [['-p', 'explain'], { print: true, prompt: 'explain' }],
    [['--', 'explain'], { prompt: 'explain' }],
    [['-m', 'x', '--', 'help', '--quiet'], { model: 'x', prompt: 'help --quiet' }],
    [['explain', '--'], { command: 'explain' }],
    [['please', 'explain'], { prompt: 'please explain' }],
    [['help'], { command: 'help' }],
    [['help', 'explain'], { command: 'help', topic: 'explain' }],
    [['sessions', 'list', '--help'], { command: 'help', topic: 'sessions' }],
    [['-h', 'anything'], { command: 'help' }],
    [['explain', 'permission', 'ls -l'], { command: 'explain', words: ['permission', 'ls -l'] }],
    [['trust'], { command: 'trust', trust: { verb: 'trust', yes: false } }],
    [['trust', '--yes', 'there'], { command: 'trust', words: ['there'], trust: { verb: 'trust', dir: 'there', yes: true } }],
    [['trust', '--list', '--json'], { command: 'trust', json: true, trust: { verb: 'list' } }],
    [['trust', '--revoke', 'x'], { command: 'trust', words: ['x'], trust: { verb: 'revoke', dir: 'x' } }],
    [['init', '--user'], { command: 'init', user: true }],
    [['--max-turns', '3', '--max-cost', '0.50'], { maxTurns: 3, maxCost: 0.5 }],
    [['-p', '--output-format', 'json'], { print: true, output: { format: 'json', inputFormat: 'text' } }],
    [['-p', '--output-format', 'stream-json', '--input-format', 'stream-json', '--include-partial-messages'], { print: true, output: { format: 'stream-json', inputFormat: 'stream-json', includePartialMessages: true } }],
    [['-p', '-o', 'last.md', '--json-schema', 's.json', 'go'], { print: true, prompt: 'go', output: { format: 'text', inputFormat: 'text', lastMessageFile: 'last.md', schemaFile: 's.json' } }],
    [['-p', '-V', '--help'], { command: 'version', print: true }],
  ])('%j means what it says', (args, meaning) => {
    expect(parseCommandLine(args)).toEqual({ ...NOTHING, ...meaning })
  })

  it.each([['90', 90_000], ['90s', 90_000], ['1.5m', 90_000], ['2h', 7_200_000], ['500ms', 500], ['1ms', 1], ['0.5ms', 1], ['0.4ms', undefined], ['24d', undefined], ['0', undefined], ['-1', undefined], ['1e3', undefined], ['', undefined], ['0.1ms', undefined], ['597h', undefined], ['596h', 2_145_600_000]])('takes a duration of %s for %s ms', (value, ms) => {
    const parse = (): number | undefined => parseCommandLine([`--timeout=${value}`]).timeoutMs
    if (ms === undefined) expect(parse).toThrow(`--timeout takes a duration such as 90, 90s, 5m or 1h (up to 24 days), not "${value}"`)
    else expect(parse()).toBe(ms)
  })

  it.each([
    [['--prnt'], 'there is no option --prnt; did you mean --print? (a prompt that begins with a dash goes after --)'],
    [['--frobnicate'], 'there is no option --frobnicate; dsh --help lists them (a prompt that begins with a dash goes after --)'],
    [['-x'], 'there is no option -x; dsh --help lists them (a prompt that begins with a dash goes after --)'],
    [['-m'], "Option '-m, --model <value>' argument missing"],
    [['--print=yes'], "Option '-p, --print' does not take an argument"],
    [['--permission', 'auot'], '--permission is one of ask, auto, read-only, not "auot"; did you mean auto?'],
    [['--permission', 'everything'], '--permission is one of ask, auto, read-only, not "everything"'],
    [['--max-steps', '0'], '--max-steps takes a whole number from 1, not "0"'],
    [['--max-steps', '1.5'], '--max-steps takes a whole number from 1, not "1.5"'],
    [['--max-steps', '12345678901'], '--max-steps takes a whole number from 1, not "12345678901"'],
    [['--quiet', '--verbose'], '--quiet and --verbose exclude each other'],
    [['--json', 'hello'], '--json belongs to dsh explain, dsh doctor, dsh sessions, dsh models and dsh trust'],
    [['doctor', '--max-steps', '3'], '--max-steps belongs to a run'],
    [['help', 'me'], `there is no command "me"; there are ${COMMANDS.map(({ name }) => name).filter(name => name !== 'run').join(', ')} (a prompt that begins with "help" goes after --)`],
    [['help', 'sesions'], 'there is no command "sesions"; did you mean sessions? (a prompt that begins with "help" goes after --)'],
    [['help', 'explain', 'it', 'all'], 'dsh help takes [COMMAND] and nothing more, not "it" (a prompt that begins with "help" goes after --)'],
    [['trust', '--list', '--revoke'], '--list and --revoke exclude each other'],
    [['trust', '--list', 'x'], 'dsh trust --list takes no argument "x"'],
    [['trust', 'x', 'y'], 'dsh trust takes [DIR] and nothing more, not "y" (a prompt that begins with "trust" goes after --)'],
    [['trust', '--json'], '--json goes with dsh trust --list'],
    [['init', '--force'], '--force belongs to dsh sessions delete'],
    [['go', '--yes'], '--yes belongs to dsh trust'],
    [['--max-cost', '0'], '--max-cost takes a number above 0 such as 2 or 0.50, not "0"'],
    [['--max-turns', 'x'], '--max-turns takes a whole number from 1, not "x"'],
    [['--output-format', 'jsonnl'], '--output-format is one of text, json, jsonl, stream-json, not "jsonnl"; did you mean jsonl?'],
    [['--input-format', 'jsonl'], '--input-format jsonl goes with --output-format jsonl, not with text'],
    [['--input-format', 'stream-json', '--output-format', 'jsonl'], '--input-format stream-json goes with --output-format stream-json, not with jsonl'],
    [['--include-partial-messages'], '--include-partial-messages goes with --output-format stream-json'],
    [['-o', ''], '--output takes a value that is not empty'],
    [['--max-steps', '-1'], `Option '--max-steps' is followed by a dash; a value that begins with one goes behind "="`],
    [['doctor', 'who'], 'dsh doctor takes no argument "who" (a prompt that begins with "doctor" goes after --)'],
    [['--model='], '--model takes a value that is not empty'],
    [['--cwd', ' '], '--cwd takes a value that is not empty'],
    [['--config='], '--config takes a value that is not empty'],
  ])('%j is refused with what is wrong', (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(expect.objectContaining({ name: 'UsageError', code: 'USAGE', message }))
  })
})
