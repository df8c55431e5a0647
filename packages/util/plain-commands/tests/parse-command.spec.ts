/** What each sentence is understood as; one row a sentence. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDirect, parseCommands, type Command } from '../src/index.ts'

const run = (command: string): Command => ({ kind: 'run', command })
const read = (...paths: string[]): Command => ({ kind: 'read', paths })
const list = (pattern = '**/*', path?: string): Command => ({ kind: 'list', pattern, ...(path !== undefined && { path }) })
const search = (pattern: string, more: Partial<Extract<Command, { kind: 'search' }>> = {}): Command => ({ kind: 'search', pattern, ...more })
const write = (path: string, content: string, mayOverwrite = true): Command => ({ kind: 'write', path, content, mayOverwrite })
const replace = (path: string, from: string, to: string): Command => ({ kind: 'replace', path, from, to })
const append = (path: string, content: string): Command => ({ kind: 'append', path, content })
const todo = (...items: string[]): Command => ({ kind: 'todo', items: items.map(content => ({ content, status: 'pending' })) })
const survey = (request: string): Command => ({ kind: 'survey', request })
const beyond = (request: string): Command => ({ kind: 'beyond', request })

describe('a shell command', () => {
  it.each<[string, Command[]]>([
    ['run `ls -la`', [run('ls -la')]],
    ['Run the command `make`.', [run('make')]],
    ['can you run `ls` please?', [run('ls')]],
    ['please run: npm run build', [run('npm run build')]],
    ['execute "echo \\"hi\\""', [run('echo "hi"')]],
    ['use bash to run `ls`', [run('ls')]],
    ['$ echo hi', [run('echo hi')]],
    ['! pwd', [run('pwd')]],
    ['git status', [run('git status')]],
    ['show git log', [run('git log')]],
    ['ls -la', [run('ls -la')]],
    ['grep -rn foo .', [run('grep -rn foo .')]],
    ['rm a.txt', [run('rm a.txt')]],
    ['```bash\nls | wc -l\n```', [run('ls | wc -l')]],
    ['show me the output of `git log`', [run('git log')]],
    ['run git status and show me the output', [run('git status')]],
    ['run if true; then echo hi; fi', [run('if true; then echo hi; fi')]],
    ['run echo a; echo b', [run('echo a; echo b')]],
    ['run ls; then read a.txt', [run('ls'), read('a.txt')]],
    ['Use the bash tool to run echo hello', [run('echo hello')]],
    ['run this command: ls -la', [run('ls -la')]],
    ['run ls && pwd', [run('ls && pwd')]],
    ['run `a`, `b` and `c`', [run('a'), run('b'), run('c')]],
    ['run `sleep 5` in the background', [{ kind: 'run', command: 'sleep 5', background: true }]],
    ['make a folder called "my build"', [run("mkdir -p -- 'my build'")]],
    ['run the tests', [survey('run the tests')]],
    ['make it faster', [survey('make it faster')]],
    ["don't run `ls`", [survey("don't run `ls`")]],
    ['run', [{ kind: 'incomplete', advice: 'Say what to run, for example: run `ls -la`.' }]],
    ['delete a.txt', [{ kind: 'incomplete', advice: 'I delete only by a command that you write yourself, for example: run `rm a.txt`.' }]],
  ])('is found in %j', (prompt, commands) => expect(parseCommands(prompt)).toEqual(commands))
})

describe('reading', () => {
  it.each<[string, Command[]]>([
    ['read README.md', [read('README.md')]],
    ['show me the file src/index.ts', [read('src/index.ts')]],
    ['cat Makefile', [read('Makefile')]],
    ['print `a.txt`', [read('a.txt')]],
    ['read "my file.txt"', [read('my file.txt')]],
    ['read a.txt, b.txt and c.txt', [read('a.txt', 'b.txt', 'c.txt')]],
    ['what is in package.json?', [read('package.json')]],
    ['what does src/a.ts contain?', [read('src/a.ts')]],
    ['read lines 10-20 of src/a.ts', [{ kind: 'read', paths: ['src/a.ts'], offset: 10, limit: 11 }]],
    ['show me the first 5 lines of a.txt', [{ kind: 'read', paths: ['a.txt'], offset: 1, limit: 5 }]],
    ['show the readme', [{ kind: 'read-readme' }]],
    ['tell me what is in a.txt', [read('a.txt')]],
    ['open the file called a.txt', [read('a.txt')]],
    ['what does the readme say?', [{ kind: 'read-readme' }]],
    ['read src/', [list('**/*', 'src/')]],
    ['read a.txt and tell me what it means', [read('a.txt'), beyond('tell me what it means')]],
    ['read the docs carefully', [survey('read the docs carefully')]],
    ['show me how the loop works', [survey('show me how the loop works')]],
  ])('is found in %j', (prompt, commands) => expect(parseCommands(prompt)).toEqual(commands))
})

describe('a listing', () => {
  it.each<[string, Command[]]>([
    ['list files', [list()]],
    ['ls', [list()]],
    ['ls src', [list('**/*', 'src')]],
    ['list the files in this directory', [list()]],
    ['what files are in src?', [list('**/*', 'src')]],
    ['what is in src/?', [list('**/*', 'src/')]],
    ['list all *.ts files', [list('**/*.ts')]],
    ['list the TypeScript files in packages', [list('**/*.{ts,tsx,mts,cts}', 'packages')]],
    ['find files named *.spec.ts', [list('**/*.spec.ts')]],
    ['find file named "a b.txt" in docs', [list('**/a b.txt', 'docs')]],
    ['find foo.ts', [list('**/foo.ts')]],
    ['glob src/**/*.ts', [list('src/**/*.ts')]],
    ['list the functions in a.ts', [survey('list the functions in a.ts')]],
    ['what is in this folder?', [survey('what is in this folder?')]],
  ])('is found in %j', (prompt, commands) => expect(parseCommands(prompt)).toEqual(commands))
})

describe('a search', () => {
  it.each<[string, Command[]]>([
    ['search for TODO', [search('TODO')]],
    ['search for foo.bar in the codebase', [search('foo\\.bar')]],
    ['search for "hello world" in src', [search('hello world', { path: 'src' })]],
    ['find "parse" in *.ts files', [search('parse', { glob: '*.ts' })]],
    ['look for "a" ignoring case', [search('a', { ignoreCase: true })]],
    ['grep for `a.*b`', [search('a.*b')]],
    ['grep foo src', [search('foo', { path: 'src' })]],
    ['where is parseCommands defined?', [search('parseCommands')]],
    ['find TODO and FIXME', [search('TODO|FIXME')]],
    ['find files containing "x"', [search('x')]],
    ['find the bug', [survey('find the bug')]],
    ['find out why it fails', [survey('find out why it fails')]],
    ['search the web for cats', [{ kind: 'web-search', query: 'cats' }]],
    ['open https://example.org/a.html.', [{ kind: 'fetch', url: 'https://example.org/a.html' }]],
  ])('is found in %j', (prompt, commands) => expect(parseCommands(prompt)).toEqual(commands))
})

describe('a change of a file', () => {
  it.each<[string, Command[]]>([
    ['write hello.txt with content "hello world"', [write('hello.txt', 'hello world')]],
    ['create a file named notes.md containing hello there', [write('notes.md', 'hello there', false)]],
    ['create a.txt containing Come in, please.', [write('a.txt', 'Come in, please.', false)]],
    ['write "hi" to a.txt', [write('a.txt', 'hi')]],
    ['save "a\\nb" as out.txt', [write('out.txt', 'a\nb')]],
    ['write `a\\nb` into "c d.txt"', [write('c d.txt', 'a\\nb')]],
    ['create hello.py with:\n```python\nprint("hi")\n```', [write('hello.py', 'print("hi")\n', false)]],
    ['write a.txt with content:\nread b.txt\n\n- two', [write('a.txt', 'read b.txt\n\n- two')]],
    ['create an empty file x.txt', [write('x.txt', '', false)]],
    ['create a.txt containing a  b', [write('a.txt', 'a  b', false)]],
    ['create a.txt: hello', [write('a.txt', 'hello', false)]],
    ['Create foo.txt with "bar" in it', [write('foo.txt', 'bar', false)]],
    ['write the following to a.txt:\n```\nhi\n```', [write('a.txt', 'hi\n')]],
    ['write hello to a.txt', [{ kind: 'incomplete', advice: 'If a.txt shall hold these very words, put them in quotes: write "hello" to a.txt.' }]],
    ['append hello there to a.txt', [append('a.txt', 'hello there')]],
    ['update a.txt: replace x with y', [replace('a.txt', 'x', 'y')]],
    ['rename the variable foo to bar in a.ts', [replace('a.ts', 'foo', 'bar')]],
    ['write a poem to poem.txt', [survey('write a poem to poem.txt')]],
    ['create server.js with an express app', [{ kind: 'incomplete', advice: 'I cannot think of content for server.js myself. Put it in quotes or in a fenced block, for example: write server.js with content "hello".' }]],
    ['replace foo with bar in a.txt', [replace('a.txt', 'foo', 'bar')]],
    ['in a.txt, replace "x y" with "z"', [replace('a.txt', 'x y', 'z')]],
    ['replace all occurrences of "a" by "b" in b.md', [replace('b.md', 'a', 'b')]],
    ['change the title to Foo in index.html', [survey('change the title to Foo in index.html')]],
    ['replace "a" with "b"', [{ kind: 'incomplete', advice: 'Say in which file, for example: replace "old" with "new" in notes.txt.' }]],
    ['append "x" to a.txt', [append('a.txt', 'x')]],
    ['add the line "x" to the end of notes.txt', [append('notes.txt', 'x')]],
    ['add a test to foo.ts', [survey('add a test to foo.ts')]],
  ])('is found in %j', (prompt, commands) => expect(parseCommands(prompt)).toEqual(commands))
})

describe('several commands', () => {
  it.each<[string, Command[]]>([
    ['run `a` then run `b`', [run('a'), run('b')]],
    ['run `echo "a then b"` and then run `echo c`', [run('echo "a then b"'), run('echo c')]],
    ['run npm test and read README.md', [run('npm test'), read('README.md')]],
    ['read a.txt. Then list files. Finally run `pwd`', [read('a.txt'), list(), run('pwd')]],
    ['read a.txt, then write b.txt with content "x", and then run `cat b.txt`', [read('a.txt'), write('b.txt', 'x'), run('cat b.txt')]],
    ['Create hello.txt with the content "Hello". Then read it back.', [write('hello.txt', 'Hello', false), read('hello.txt')]],
    ['create a.txt with content hello then run `cat a.txt`', [write('a.txt', 'hello', false), run('cat a.txt')]],
    ['1. read a.txt\n2. run `ls`\n3. todo: x, y', [read('a.txt'), run('ls'), todo('x', 'y')]],
    ['- read a.txt\n- list files\n', [read('a.txt'), list()]],
    ['make a todo list: write, test; ship', [todo('write, test', 'ship')]],
    ['Fix the bug and then run `npm test`', [survey('Fix the bug'), run('npm test')]],
    ['I get an error when I do this:\nrun npm test\nIt says foo.', [survey('I get an error when I do this:\nrun npm test\nIt says foo.')]],
    ['read it', [{ kind: 'incomplete', advice: 'I cannot tell which file "it" is: name the file.' }]],
    ['read a.txt\nwrite it with', [read('a.txt'), { kind: 'incomplete', advice: 'Say what a.txt shall hold, for example: write a.txt with content "hello".' }]],
    ['Was ist in diesem Ordner?', [survey('Was ist in diesem Ordner?')]],
    ['这个文件夹里有什么', [survey('这个文件夹里有什么')]],
    ['   ', []],
  ])('are found in %j', (prompt, commands) => expect(parseCommands(prompt)).toEqual(commands))

  it('keeps the states that to-do items are marked with, and each item once', () => {
    expect(parseCommands('todos:\n- [x] one\n- [~] two\n- three\n- three')).toEqual([
      { kind: 'todo', items: [{ content: 'one', status: 'completed' }, { content: 'two', status: 'in_progress' }, { content: 'three', status: 'pending' }] },
    ])
  })
})

describe('talk', () => {
  it.each<[string, Command]>([
    ['help', { kind: 'help' }],
    ['what can you do?', { kind: 'help' }],
    ['ask a subagent to count files', { kind: 'delegate', prompt: 'count files' }],
    ['ask me "which colour?"', { kind: 'ask', question: 'which colour?' }],
  ])('is found in %j', (prompt, command) => expect(parseCommands(prompt)).toEqual([command]))
})

describe('any text', () => {
  const words = fc.constantFrom('read', 'a.txt', 'then', 'and', 'write', 'with', 'content', 'run', '`ls`', '"x y"', 'it', 'in', 'the', 'replace', 'to', 'list', 'files', 'todo:', 'x', ',', ';', '.', '\n', '- ', '```\nq\n```')

  it('is understood as something unless it is blank, without a hidden quotation left in it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.array(words, { maxLength: 30 }).map(list => list.join(' '))), prompt => {
        const commands = parseCommands(prompt)
        expect(commands.length > 0).toBe(prompt.replace(/[\uE000\uE001]/g, '').trim() !== '')
        expect(JSON.stringify(commands)).not.toMatch(/\uE000/)
      }),
      { numRuns: 500 },
    )
  })

  it.each([['spaces', `read ${' '.repeat(900)}x`], ['more spaces', `read ${' '.repeat(15_000)}x`], ['commas', 'replace a with b in c, '.repeat(800)], ['blank content', `write a.txt with content:\n${' '.repeat(9000)}x\n`], ['lines', 'find a\n'.repeat(2500)]])('is read in no time even when it is made of %s', (_name, prompt) => {
    const start = performance.now()
    parseCommands(prompt)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

describe('isDirect', () => {
  it('is false for what rules cannot carry out', () => {
    expect([survey('x'), beyond('x'), list(), { kind: 'help' } as const].map(isDirect)).toEqual([false, false, true, true])
  })
})
