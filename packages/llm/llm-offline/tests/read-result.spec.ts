/** What is made of the texts that tools answer with. */

import { describe, expect, it } from 'vitest'
import { describeGit } from '../src/describe-git.ts'
import { code, fenced } from '../src/fence.ts'
import { countLanguages } from '../src/languages.ts'
import { readManifest, readReadme } from '../src/manifest.ts'
import { isAbsent, isUnread, readFileText, readPaths, readRun, reasonOf } from '../src/read-result.ts'

describe('the text of a file', () => {
  it('is what stands behind the line numbers', () => {
    expect(readFileText('<path>a</path>\n<type>file</type>\n<content>\n1: a: 1\n2:\n3:   c\n\n(Lines 1-3 of 9. To read on, use offset 4.)\n</content>')).toEqual({ lines: ['a: 1', '', '  c'], nextOffset: 4, note: '(Lines 1-3 of 9. To read on, use offset 4.)' })
    expect(readFileText('<content>\n\n(The file is empty.)\n</content>')).toEqual({ lines: [], note: '(The file is empty.)' })
    expect(readFileText('plain\ntext')).toEqual({ lines: ['plain', 'text'], note: '' })
  })
})

describe('a listing', () => {
  it.each([
    ['a\n./b/c', { paths: ['a', 'b/c'], notes: [] }],
    ['No files match "x" in here.', { paths: [], notes: ['No files match "x" in here.'] }],
    ['a\nb\n\n(truncated: 2 of at least 900 files shown)\nFiles found below each directory:\n  ./ 900 files', { paths: ['a', 'b'], total: 900, notes: ['truncated: 2 of at least 900 files shown', 'Files found below each directory:', '  ./ 900 files'] }],
  ])('is read from %j', (said, expected) => expect(readPaths(said)).toEqual(expected))
})

describe('the end of a command', () => {
  it.each([
    ['out\n', { output: 'out' }],
    ['(no output)', { output: '' }],
    ['a\n[stderr]\nb\n[exit code: 2]', { output: 'a\n[stderr]\nb', trouble: 'exit code: 2' }],
    ['(no output)\n[timed out after 10ms]\n[killed by signal: SIGKILL]', { output: '', trouble: 'timed out after 10ms, killed by signal: SIGKILL' }],
    ['a\n[a process is still running in the background; its further output is not shown]', { output: 'a' }],
  ])('is read from %j', (said, expected) => expect(readRun(said)).toEqual(expected))
})

describe('a failure', () => {
  const failure = (said: string) => ({ name: 'x', arguments: {}, text: said, isError: true })

  it('is told in the words of the tool', () => {
    expect([reasonOf({ text: 'Error: denied' }), reasonOf({ text: 'no.' }), reasonOf({ text: '' })]).toEqual(['denied.', 'no.', 'the tool gave no reason.'])
  })

  it('is told apart by whether the file is absent, or was not read', () => {
    const said = ['Error: a.txt does not exist: ENOENT', 'Error: a.txt exists already (2 lines) and was not read; read it before you overwrite it', 'Error: write may change something, and this session is read-only', 'Error: no permission']
    expect(said.map(each => [isAbsent(failure(each)), isUnread(failure(each))])).toEqual([[true, false], [false, true], [false, false], [false, false]])
  })
})

describe('the log of git', () => {
  const id = (digit: string) => digit.repeat(40)
  const asked = (said: string, isError = false) => describeGit({ name: 'read', arguments: { file_path: '.git/logs/HEAD' }, text: said, isError }, 2)

  it('is worded with the newest entry first', () => {
    const log = `1: ${id('0')} ${id('a')} N <n@x> 1 +0000\tcommit (initial): First\n2: ${id('a')} ${id('b')} N <n@x> 2 +0000\tcheckout: moving from main to topic`
    expect(asked(`<path>.git/logs/HEAD</path>\n<content>\n${log}\n</content>`)).toEqual(['It is a git repository; the last 2 entries of the 2 in its log:\n\n- bbbbbbb checkout: moving from main to topic\n- aaaaaaa First'])
  })

  it('is said to be missing, unreadable, or none', () => {
    expect([asked('Error: .git/logs/HEAD does not exist', true), asked('Error: denied', true), asked('1: nonsense'), describeGit(undefined, 0)]).toEqual([['I found no history of commits here.'], ['I could not look at its history: denied.'], ['I found no history of commits here.'], []])
  })
})

describe('what a project says of itself', () => {
  it.each([
    ['package.json', '{"name":"a","workspaces":[],"scripts":{"test":"x","start":"y","lint":"z"}}', { about: 'A Node workspace named `a`.', commands: ['npm test', 'npm start', 'npm run lint'] }],
    ['package.json', '{"name":', undefined],
    ['pyproject.toml', '[project]\nname = "p"\ndescription = "Does it"\n[project.scripts]\nserve = "p:main"\n', { about: 'A Python project named `p`: Does it.', commands: ['serve'] }],
    ['Cargo.toml', '[package]\nname = "c"\n', { about: 'A Rust crate named `c`.', commands: ['cargo test', 'cargo build'] }],
    ['go.mod', 'module example.org/m\n', { about: 'A Go module named `example.org/m`.', commands: ['go build ./...', 'go test ./...'] }],
    ['Makefile', 'X := 1\nall: a\n\techo\ntest:\n', { about: 'It is built by make.', commands: ['make all', 'make test'] }],
  ])('stands in %s: %j', (name, said, expected) => expect(readManifest(name, said)).toEqual(expected))

  it.each([
    ['# A title #\n\n[![b](x)](y)\n<p>\n\nIt is\nthis.\n\nMore.', { title: 'A title', opening: 'It is this.' }],
    ['Old\n===\n\nStyle.', { title: 'Old', opening: 'Style.' }],
    ['- only\n- a list', {}],
  ])('stands in the readme %j', (said, expected) => expect(readReadme(said)).toEqual(expected))

  it('is counted by language', () => {
    expect(countLanguages(['a.ts', 'b.tsx', 'c.py', 'LICENSE', 'x.weird', '.gitignore'])).toBe('TypeScript 2, without ending 2, .weird 1, Python 1')
  })
})

describe('a fence', () => {
  it('is longer than any in its text', () => {
    expect([fenced('a\n```\nb', 'md'), code('a`b'), code('x\ny')]).toEqual(['````md\na\n```\nb\n````', '`` a`b ``', '`x y`'])
  })
})
