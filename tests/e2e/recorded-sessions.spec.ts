/**
 * Recorded sessions are replayed through the loop of today: each must come out as it was.
 * `DSH_RECORD=1` records those anew that this file knows how to make; keep the old ones of an older format.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answer, callAnswer, delta, textAnswer, type MockScript } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type Sandbox } from './program.ts'
import { terminal } from './terminal.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/sessions')

interface Scenario {
  files?: Record<string, string>
  model: MockScript
  play(box: Sandbox): Promise<unknown>
}

const SCENARIOS: Record<string, Scenario> = {
  'tools-in-parallel': {
    files: { 'sum.js': 'const sum = (a, b) => a - b\nconsole.log(sum(2, 3))\n', 'notes.txt': 'Sums are wrong.\n' },
    model: [
      answer({ reasoning: 'Look first.', text: 'I look.', calls: [{ id: 'c1', name: 'read', arguments: { file_path: 'sum.js' } }, { id: 'c2', name: 'read', arguments: { file_path: 'notes.txt' } }, { id: 'c3', name: 'bash', arguments: { command: 'node sum.js' } }] }),
      callAnswer({ id: 'c4', name: 'edit', arguments: { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' } }, { id: 'c5', name: 'read', arguments: '{"file_path": "sum' }),
      answer({ text: ['It adds ', 'now.'] }),
    ],
    play: box => box.run(['-p', '--permission', 'auto', 'Fix the sum']),
  },
  steering: {
    model: [callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'sleep 1' } }), textAnswer('Noted.', 2)],
    async play(box) {
      const tty = await terminal(box, '$DSH --plain --permission auto go')
      await tty.saw('● bash')
      tty.type('stop after this\r')
      await tty.saw('Noted.')
      tty.type('/quit\r')
      await tty.ended
    },
  },
  'cancelled-and-continued': {
    model: [{ pieces: [delta({ content: 'It is ' }), delta({ content: 'd' })], end: 'hang' }, textAnswer('Done.')],
    async play(box) {
      const run = box.start(['-p', 'go'])
      await new Promise(resolve => setTimeout(resolve, 1500))
      run.child.kill('SIGINT')
      await run.ended
      await box.run(['-p', '-c', 'go on'])
    },
  },
  'killed-in-a-tool': {
    model: [callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'true' } }, { id: 'c2', name: 'bash', arguments: { command: 'sleep 60' } }), textAnswer('I see.')],
    async play(box) {
      const run = box.start(['-p', '--permission', 'auto', 'go'])
      await run.said('● bash sleep 60')
      await new Promise(resolve => setTimeout(resolve, 200))
      run.child.kill('SIGKILL')
      await run.ended
      await box.run(['-p', '-c', 'go on'])
    },
  },
  'retries-and-refusals': {
    model: [
      { status: 503, headers: { 'retry-after': '0' } },
      { pieces: [delta({ content: 'Hel' })], end: 'reset' },
      callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'touch x' } }, { id: 'c2', name: 'no_such_tool', arguments: {} }),
      textAnswer('I was not allowed to.'),
      { status: 401, pieces: ['{"error":{"message":"bad key"}}'] },
    ],
    async play(box) {
      await box.run(['-p', 'go'])
      await box.run(['-p', '-c', 'again'])
    },
  },
}

it.each(process.env['DSH_RECORD'] ? Object.keys(SCENARIOS) : [])('records %s', async name => {
  const { files = {}, model, play } = SCENARIOS[name] ?? { model: [], play: () => Promise.resolve() }
  await using server = await provider(model)
  await using box = await sandbox(files, server)
  await play(box)
  const root = box.home.resolve('.local/share/dsh/sessions')
  const [file = ''] = readdirSync(root, { recursive: true }).map(String).filter(each => each.endsWith('.jsonl'))
  const text = readFileSync(join(root, file), 'utf8')
  writeFileSync(join(FOLDER, `${name}.jsonl`), text.replaceAll(box.workspace.path, '/project').replaceAll(box.home.path, '/me').replaceAll(server.url, 'http://127.0.0.1:1'))
})

it.each(readdirSync(FOLDER).filter(name => name.endsWith('.jsonl')))('%s comes out as it was', async name => {
  const text = readFileSync(join(FOLDER, name), 'utf8')
  const { id } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { id: string }
  await using box = await sandbox()
  await box.home.write(`.local/share/dsh/sessions/recorded-00000000/${id}.jsonl`, text)

  expect(await box.run(['replay', id])).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/ events, no difference\n$/) as string })
})
