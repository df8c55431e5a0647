import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../src/command-line.ts'
import type { SessionOptions } from '../src/session-options.ts'

describe('the session of a run', () => {
  it.each<[string[], SessionOptions | undefined, string?]>([
    [['go'], undefined, 'go'],
    [['-c'], { choice: { kind: 'continue' }, isStored: true }],
    [['-pc', 'go'], { choice: { kind: 'continue' }, isStored: true }, 'go'],
    [['-r'], { choice: { kind: 'resume' }, isStored: true }],
    [['--resume', '-p', 'go'], { choice: { kind: 'resume' }, isStored: true }, 'go'],
    [['-r', '--', '-r'], { choice: { kind: 'resume' }, isStored: true }, '-r'],
    [['-r', 'abc', 'go'], { choice: { kind: 'resume', id: 'abc' }, isStored: true }, 'go'],
    [['--resume=abc'], { choice: { kind: 'resume', id: 'abc' }, isStored: true }],
    [['-rabc'], { choice: { kind: 'resume', id: 'abc' }, isStored: true }],
    [['-r', '../x'], { choice: { kind: 'resume', id: '../x' }, isStored: true }],
    [['--fork', 'abc'], { choice: { kind: 'fork', from: 'abc' }, isStored: true }],
    [['--fork', 'abc@12', '--session-id', 'new.1'], { choice: { kind: 'fork', from: 'abc', until: 12, id: 'new.1' }, isStored: true }],
    [['--fork', 'a@b'], { choice: { kind: 'fork', from: 'a@b' }, isStored: true }],
    [['--fork', 'abc', '--no-session'], { choice: { kind: 'fork', from: 'abc' }, isStored: false }],
    [['--session-id', 'x'], { choice: { kind: 'new', id: 'x' }, isStored: true }],
    [['--no-session'], { choice: { kind: 'new' }, isStored: false }],
    [['--title', ' T '], { choice: { kind: 'new' }, isStored: true, title: 'T' }],
    [['-c', '--title', 'T'], { choice: { kind: 'continue' }, isStored: true, title: 'T' }],
  ])('%j is read as it is meant', (args, session, prompt) => {
    const line = parseCommandLine(args)
    expect({ session: line.session, prompt: line.prompt }).toEqual({ session, prompt })
  })

  it.each([
    [['-c', '-r', 'x'], '--continue and --resume exclude each other'],
    [['-c', '--fork', 'x'], '--continue and --fork exclude each other'],
    [['-r', 'x', '--session-id', 'y'], '--session-id names a new session; --resume goes on with an old one'],
    [['-c', '--no-session'], '--no-session keeps nothing; --continue goes on with what is kept (dsh --fork ID --no-session goes on in a copy)'],
    [['--resume='], '--resume takes a value that is not empty'],
    [['--fork', ''], '--fork takes a value that is not empty'],
    [['--title', ' '], '--title takes a value that is not empty'],
    [['--session-id', '../x'], '--session-id takes letters, digits, dots, dashes and underscores, 128 at most, beginning with a letter or digit, not "../x"'],
    [['--session-id', 'x.lock'], '--session-id takes no id that ends like the files beside a session (.lock, .meta, .stream, .damaged-1): "x.lock"'],
    [['--session-id', 'x.stream'], '--session-id takes no id that ends like the files beside a session (.lock, .meta, .stream, .damaged-1): "x.stream"'],
    [['--session-id=-rf'], '--session-id takes letters, digits, dots, dashes and underscores, 128 at most, beginning with a letter or digit, not "-rf"'],
    [['doctor', '-c'], '--continue belongs to a run'],
    [['sessions', '-c'], '--continue belongs to a run'],
  ])('%j is refused with the reason', (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(expect.objectContaining({ code: 'USAGE', message }))
  })
})

describe('dsh sessions and dsh replay', () => {
  it.each([
    [['sessions'], { verb: 'list', all: false }],
    [['sessions', 'list', '--all'], { verb: 'list', all: true }],
    [['sessions', 'show', 'a'], { verb: 'show', id: 'a' }],
    [['sessions', 'export', 'a'], { verb: 'export', id: 'a' }],
    [['sessions', 'export', 'a', '--format', 'html', '-o', 'x'], { verb: 'export', id: 'a', format: 'html', output: 'x' }],
    [['sessions', 'delete', 'a', 'b', '--force'], { verb: 'delete', ids: ['a', 'b'], force: true }],
    [['sessions', 'rename', 'a', 'A', 'new', 'name'], { verb: 'rename', id: 'a', title: 'A new name' }],
    [['sessions', 'search', 'two', 'words', '--all'], { verb: 'search', query: 'two words', all: true }],
    [['sessions', 'repair', 'a', 'b'], { verb: 'repair', ids: ['a', 'b'] }],
    [['sessions', 'repair'], { verb: 'repair', ids: [] }],
    [['replay', 'a'], { verb: 'replay', id: 'a' }],
  ])('%j is one call', (args, call) => {
    expect(parseCommandLine(args)).toMatchObject({ call, prompt: undefined })
  })

  it('take their names for a prompt behind two dashes', () => {
    expect(parseCommandLine(['--', 'sessions', 'list'])).toMatchObject({ command: 'run', call: undefined, prompt: 'sessions list' })
    expect(parseCommandLine(['-p', 'replay', 'it'])).toMatchObject({ command: 'run', call: undefined, prompt: 'replay it' })
  })

  it.each([
    [['sessions', 'lst'], 'dsh sessions takes list, show, export, delete, rename, search, repair, not "lst"; did you mean list? (a prompt that begins with "sessions" goes after --)'],
    [['sessions', 'replay'], 'dsh sessions takes list, show, export, delete, rename, search, repair, not "replay" (a prompt that begins with "sessions" goes after --)'],
    [['sessions', 'list', 'x'], 'dsh sessions list takes no argument, not "x"'],
    [['sessions', 'show'], 'dsh sessions show takes ID'],
    [['sessions', 'show', 'a', 'b'], 'dsh sessions show takes ID and nothing more, not "b"'],
    [['sessions', 'rename', 'a'], 'dsh sessions rename takes ID TITLE'],
    [['sessions', 'rename', 'a', ' '], 'a title must not be empty'],
    [['sessions', 'export', 'a', '--format', 'htm'], '--format is one of markdown, json, html, not "htm"; did you mean html?'],
    [['sessions', 'export', 'a', '-o', ''], '--output takes a value that is not empty'],
    [['sessions', 'show', 'a', '--force'], '--force belongs to dsh sessions delete'],
    [['sessions', 'export', 'a', '--all'], '--all belongs to dsh sessions list and dsh sessions search'],
    [['replay'], 'dsh replay takes the ID of one session (a prompt that begins with "replay" goes after --)'],
    [['replay', 'a', 'b'], 'dsh replay takes the ID of one session (a prompt that begins with "replay" goes after --)'],
    [['replay', 'a', '--json'], '--json belongs to dsh explain, dsh doctor, dsh sessions, dsh models and dsh trust'],
    [['replay', 'a', '--force'], '--force belongs to dsh sessions delete'],
    [['go', '--format', 'html'], '--format belongs to dsh sessions export'],
    [['sessions', 'list', '-o', 'x'], '--output belongs to a run and dsh sessions export'],
    [['go', '--force'], '--force belongs to dsh sessions delete'],
  ])('%j is refused with what is wrong', (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(expect.objectContaining({ code: 'USAGE', message }))
  })
})
