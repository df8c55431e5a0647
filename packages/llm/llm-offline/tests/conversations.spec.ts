/** Whole conversations with the real tools, through the real loop. */

import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Plugin } from 'cordis'
import LocalBash from '@deepseek-ai/dsh-bash-local'
import LocalFileSystem from '@deepseek-ai/dsh-fs-local'
import * as fsPolicy from '@deepseek-ai/dsh-fs-policy'
import { textOf } from '@deepseek-ai/dsh-llm'
import { harness, tempWorkspace, eventsOf, textTool, type Harness, type Workspace } from '@deepseek-ai/dsh-testkit'
import * as toolBash from '@deepseek-ai/dsh-tool-bash'
import * as toolFs from '@deepseek-ai/dsh-tool-fs'
import * as toolFsSearch from '@deepseek-ai/dsh-tool-fs-search'
import * as toolTodo from '@deepseek-ai/dsh-tool-todo'
import * as offline from '../src/index.ts'
import { NOTICE } from '../src/phrases.ts'

const TOOLS = [[LocalFileSystem, {}], fsPolicy, [toolFs, toolFs.Config({} as never)], [toolFsSearch, toolFsSearch.Config({} as never)], [LocalBash, {}], toolBash, toolTodo] as unknown as Plugin[]

interface Conversation extends AsyncDisposable {
  host: Harness
  place: Workspace
  /** Sends a prompt; returns the calls of its turn and the last answer without the notice. */
  say(prompt: string): Promise<{ calls: string[]; answer: string }>
}

async function converse(files: Record<string, string> = {}, { plugins = TOOLS, maxSteps = 8 }: { plugins?: Plugin[]; maxSteps?: number } = {}): Promise<Conversation> {
  const place = await tempWorkspace(files)
  const host = await harness({ plugins: [...plugins, [offline as Plugin, { paceMs: 0, maxSteps }]], create: { meta: { cwd: place.path } }, options: { model: 'offline' } })
  return {
    host,
    place,
    async say(prompt) {
      const before = eventsOf(host, 'tool/call').length
      await host.run(prompt)
      const calls = eventsOf(host, 'tool/call').slice(before).map(({ data }) => `${data.name} ${data.arguments}`)
      return { calls, answer: lastAnswer(host).replace(`${NOTICE}\n\n`, '') }
    },
    async [Symbol.asyncDispose]() {
      // The handle of a process that has just ended is counted until the runtime has destroyed it.
      await setTimeout(20)
      await host.dispose()
      await place.dispose()
    },
  }
}

function lastAnswer(host: Harness): string {
  return textOf(eventsOf(host, 'assistant/message').at(-1)?.data.content ?? [])
}

describe('a conversation', () => {
  it('opens with one line about who answers, and says it once', async () => {
    await using talk = await converse()
    await talk.say('run `echo one`')
    expect(lastAnswer(talk.host)).toBe(`${NOTICE}\n\n\`echo one\` printed:\n\n\`\`\`\none\n\`\`\``)
    await talk.say('run `echo two`')
    expect(lastAnswer(talk.host)).toBe('`echo two` printed:\n\n```\ntwo\n```')
    expect(NOTICE).not.toContain('\n')
  })

  it('carries out several commands one after the other and shows each', async () => {
    await using talk = await converse()
    expect(await talk.say('create notes.txt with content "a\\nb", then append "c" to it, then replace b with B in notes.txt, then run `cat notes.txt`')).toEqual({
      calls: [
        'write {"file_path":"notes.txt","content":"a\\nb"}',
        'read {"file_path":"notes.txt"}',
        'edit {"file_path":"notes.txt","old_string":"b","new_string":"b\\nc"}',
        'read {"file_path":"notes.txt"}',
        'edit {"file_path":"notes.txt","old_string":"b","new_string":"B"}',
        'bash {"command":"cat notes.txt"}',
      ],
      answer: '`notes.txt` now holds 2 lines:\n\n```\na\nb\n```\n\nAppended to `notes.txt`:\n\n```\nc\n```\n\nIn `notes.txt`, 1 occurrence of `b` is now `B`.\n\n`cat notes.txt` printed:\n\n```\na\nB\nc\n```',
    })
    expect(await talk.place.read('notes.txt')).toBe('a\nB\nc')
  })

  it('does not go on behind a failure, and says what was not done', async () => {
    await using talk = await converse()
    expect(await talk.say('run `echo oops >&2; exit 3` then list files')).toEqual({
      calls: ['bash {"command":"echo oops >&2; exit 3"}'],
      answer: '`echo oops >&2; exit 3` failed (exit code: 3):\n\n```\n[stderr]\noops\n```\n\nNot done, because the step before it did not succeed: list files.',
    })
  })

  it('keeps the end of line and the missing last one of a file that it appends to', async () => {
    await using talk = await converse({ 'crlf.txt': 'x\r\nx\r\n', 'empty.txt': '' })
    await talk.say('append "y" to crlf.txt')
    await talk.say('append "z" to empty.txt')
    await talk.say('append "n" to new.txt')
    expect([await talk.place.read('crlf.txt'), await talk.place.read('empty.txt'), await talk.place.read('new.txt')]).toEqual(['x\r\nx\r\ny\r\n', 'z\n', 'n\n'])
  })

  it('reads a file before it writes over it, and does not create what is there', async () => {
    await using talk = await converse({ 'a.txt': 'old\n' })
    expect(await talk.say('create a.txt with content "new"')).toEqual({
      calls: ['write {"file_path":"a.txt","content":"new"}'],
      answer: '`a.txt` exists already, so I did not create it. To replace it, say: write a.txt with content "…".',
    })
    expect((await talk.say('write a.txt with content "new"')).calls.map(call => call.split(' ')[0])).toEqual(['write', 'read', 'write'])
    expect(await talk.place.read('a.txt')).toBe('new')
  })

  it('replaces every occurrence, and nothing where there is none', async () => {
    await using talk = await converse({ 'a.txt': 'one two one\n' })
    expect((await talk.say('replace one with 1 in a.txt')).answer).toBe('In `a.txt`, 2 occurrences of `one` are now `1`.')
    expect(await talk.say('replace three with 3 in a.txt')).toEqual({ calls: ['read {"file_path":"a.txt"}'], answer: '`three` does not occur in `a.txt`, so nothing was changed.' })
    expect(await talk.place.read('a.txt')).toBe('1 two 1\n')
  })

  it('lists, searches and finds a file whose folder was not named', async () => {
    await using talk = await converse({ 'src/deep/a.ts': 'const answer = 42\n', 'b.md': 'none\n' })
    expect((await talk.say('list files')).answer).toBe('2 files in this folder:\n\n```\nb.md\nsrc/deep/a.ts\n```')
    expect((await talk.say('search for "answer" in src')).answer).toBe('`answer` in `src`: 1 matching line\n\n```\nsrc/deep/a.ts\n1: const answer = 42\n```')
    expect((await talk.say('search for "nowhere"')).answer).toBe('`nowhere` does not occur in this folder.')
    expect(await talk.say('read a.ts')).toEqual({
      calls: ['read {"file_path":"a.ts"}', 'glob {"pattern":"**/a.ts","limit":5}', 'read {"file_path":"src/deep/a.ts"}'],
      answer: '`src/deep/a.ts`:\n\n```ts\nconst answer = 42\n```',
    })
  })

  it('reads several files at once', async () => {
    await using talk = await converse({ 'a.txt': 'A\n', 'b.txt': '' })
    await talk.say('read a.txt and b.txt')
    expect(talk.host.transcript()).toContain('\nassistant  read {"file_path":"a.txt"} read {"file_path":"b.txt"}\n')
    expect(lastAnswer(talk.host)).toBe(`${NOTICE}\n\n\`a.txt\`:\n\n\`\`\`\nA\n\`\`\`\n\n\`b.txt\` is empty.`)
  })

  it('keeps a to-do list', async () => {
    await using talk = await converse()
    expect((await talk.say('todo: a, b')).answer).toBe('The to-do list is now:\n\n- [ ] a\n- [ ] b')
    expect(eventsOf(talk.host, 'todo/write' as never)).toHaveLength(1)
  })

  it('takes no more steps for one message than it may', async () => {
    await using talk = await converse({}, { maxSteps: 3 })
    const { calls, answer } = await talk.say('run `echo 1`, then run `echo 2`, then run `echo 3`')
    expect(calls).toHaveLength(2)
    expect(answer).toMatch(/Not done, because I take at most 3 steps for one message: run `echo 3`\.$/)
  })
})

describe('a tool', () => {
  it('that is not there is named', async () => {
    await using talk = await converse({}, { plugins: [] })
    expect(await talk.say('run `ls`')).toEqual({ calls: [], answer: 'I could not run `ls`: the tool `bash` is not available here.' })
    expect((await talk.say('explain this')).answer).toMatch(/^I have no tool to look at this folder with/)
  })

  it('that was refused is reported in its own words, and the survey goes on without it', async () => {
    await using talk = await converse({ 'README.md': '# Title\n\nWhat it is.\n' })
    talk.host.ctx.on('tools/pre-execute', async ({ name }, _tool, next) => (name === 'bash' || name === 'glob' ? { kind: 'deny', reason: 'not today' } : next()))
    expect((await talk.say('run `ls`')).answer).toBe('I could not run `ls`: not today.')
    const { answer } = await talk.say('explain this project')
    expect(answer).toContain('`README.md` (“Title”) begins: What it is.')
    expect(answer).toContain('I could not list the files: not today.')
  })
})

describe('a survey', () => {
  it('tells what the folder holds, from a listing, the readme, scripts and the log of git', async () => {
    await using talk = await converse({
      'README.md': '# Demo\n\n![badge](x)\n\nA small demo\nof things.\n\n## Use\n',
      'package.json': '{"name":"demo","description":"Shows things","scripts":{"test":"echo ok","build":"tsc"}}',
      'src/a.ts': 'export function parseThing() {}\n',
    })
    for (const args of [['init', '-q', '-b', 'main'], ['add', '.'], ['-c', 'user.email=a@b.example', '-c', 'user.name=n', 'commit', '-qm', 'First commit']]) spawnSync('git', args, { cwd: talk.place.path })
    await talk.place.write('new.txt', 'x\n')
    const { calls, answer } = await talk.say('explain src/a.ts and `parseThing`')
    expect(calls.map(call => call.split(' ')[0])).toEqual(['glob', 'read', 'read', 'read', 'read', 'grep'])
    expect(answer.replace(/[0-9a-f]{7,} First/, '<id> First').split('\n\n')).toEqual([
      'This folder holds 4 files: JSON 1, Markdown 1, TypeScript 1, text 1.',
      'At the top: `src/`, `README.md`, `new.txt`, `package.json`.',
      '`README.md` (“Demo”) begins: A small demo of things.',
      'A Node package named `demo`: Shows things.',
      'Its scripts: `npm test`, `npm run build`.',
      '`src/a.ts` begins:',
      '```ts\nexport function parseThing() {}\n```',
      '`parseThing` occurs here:',
      '```\nsrc/a.ts\n1: export function parseThing() {}\n```',
      'It is a git repository; the last entry of the 1 in its log:',
      '- <id> First commit',
      'That is what rules can tell; a real answer to “explain src/a.ts and `parseThing`” needs a real model: give dsh a key (`/login` in a conversation, or `dsh auth`), or choose one with `--model`. Direct commands I can carry out, for example: run `npm test`, or: search for "TODO". Say “help” for more.',
    ])
  })

  it('shows the end of a long history, the newest first', async () => {
    await using talk = await converse({ 'a.txt': 'A\n' })
    const git = (...args: string[]) => spawnSync('git', ['-c', 'user.email=a@b.example', '-c', 'user.name=n', ...args], { cwd: talk.place.path })
    git('init', '-q')
    for (let n = 1; n <= 8; n++) git('commit', '-q', '--allow-empty', '-m', `Number ${n}`)
    const { answer } = await talk.say('what happened here lately?')
    expect(answer.replace(/- [0-9a-f]{7} /g, '- ')).toContain('the last 5 entries of the 8 in its log:\n\n- Number 8\n- Number 7\n- Number 6\n- Number 5\n- Number 4')
  })

  it('says when there is nothing', async () => {
    await using talk = await converse()
    const { calls, answer } = await talk.say('Was ist in diesem Ordner?')
    expect(calls).toHaveLength(2)
    expect(answer.split('\n\n').slice(0, 3)).toEqual(['This folder is empty, apart from what is hidden or ignored.', 'There is no readme that I could read.', 'I found no history of commits here.'])
  })

  it('says of how many files it was shown a part', async () => {
    await using talk = await converse(Object.fromEntries(Array.from({ length: 620 }, (_, n) => [`d${n % 7}/f${n}.py`, ''])))
    expect((await talk.say('fix the bug')).answer).toMatch(/^This folder holds about 620 files; of the \d+ that I was shown: Python \d+\./)
  })
})

describe('steering', () => {
  it('adds commands to a running turn', async () => {
    await using talk = await converse({ 'a.txt': 'A\n' })
    talk.host.agent.send('run `sleep 0.3`')
    await talk.host.saw('tool/call')
    talk.host.agent.steer('and read a.txt')
    await talk.host.agent.whenIdle()
    expect(lastAnswer(talk.host)).toBe(`${NOTICE}\n\n\`sleep 0.3\` ended well and printed nothing.\n\n\`a.txt\`:\n\n\`\`\`\nA\n\`\`\``)
  })

  it('stops what has not begun', async () => {
    await using talk = await converse()
    talk.host.agent.send('run `sleep 0.3` then run `echo never`')
    await talk.host.saw('tool/call')
    talk.host.agent.steer('stop')
    await talk.host.agent.whenIdle()
    expect(lastAnswer(talk.host)).toMatch(/\n\nNot done, because you told me to stop: run `echo never`\.$/)
  })
})

it('passes a call of a foreign tool by', async () => {
  await using without = await converse({})
  expect((await without.say('help')).answer).not.toContain('fetch')
  await using talk = await converse({}, { plugins: [{ name: 'web', inject: ['tools'], apply: ctx => void ctx.tools.register(textTool('web_fetch', () => 'the page')) } as Plugin] })
  expect(await talk.say('fetch https://example.org/')).toEqual({ calls: ['web_fetch {"url":"https://example.org/"}'], answer: 'To fetch https://example.org/ gave:\n\n```\nthe page\n```' })
  expect((await talk.say('help')).answer).toContain('- fetch https://example.org\n')
})
