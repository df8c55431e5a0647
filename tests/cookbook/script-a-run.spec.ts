// The code of docs/scripting.md.

// #region drive
import { spawn } from 'node:child_process'

type Line = { type: string; [key: string]: any }

/** Runs a prompt, allows only what `isAllowed` allows, and answers with the result line. */
export async function drive(command: string[], prompt: string, isAllowed: (tool: string, args: Line) => boolean): Promise<Line> {
  const [program = 'dsh', ...args] = command
  const dsh = spawn(program, [...args, '-p', '--output-format', 'jsonl', '--input-format', 'jsonl'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const say = (line: Line): void => void dsh.stdin.write(`${JSON.stringify(line)}\n`)
  say({ type: 'user', text: prompt })
  let rest = ''
  for await (const chunk of dsh.stdout.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n') // not `readline`, which also splits at U+2028 inside of strings
    rest = lines.pop() ?? ''
    for (const line of lines.map(each => JSON.parse(each) as Line)) {
      if (line.type === 'approval_request') say({ type: 'approval', id: line['id'], decision: isAllowed(line['tool'], line['arguments']) ? 'allow' : 'deny', reason: 'not in this script' })
      if (line.type === 'turn/end') dsh.stdin.end() // no more to say: the run ends, and its last line is the result
      if (line.type === 'result') return line
    }
  }
  throw new Error('the program was killed: only then there is no result')
}
// #endregion

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { distribution, provider, sandbox, type Sandbox } from '../e2e/program.ts'

/** The program, with what the sandbox sets. */
async function commandOf(box: Sandbox): Promise<string[]> {
  const set = Object.entries(box.env).map(([name, value]) => `${name}=${value}`)
  return ['sh', '-c', 'cd "$0" && exec env -i "$@"', box.workspace.path, ...set, process.execPath, await distribution()]
}

it('drives a run and answers its questions', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), callAnswer({ name: 'bash', arguments: { command: 'touch more' } }), textAnswer('Made one of them.')])
  await using box = await sandbox({}, server)
  const result = await drive(await commandOf(box), 'make both', (tool, { command }) => tool === 'bash' && command === 'touch made')
  expect(result).toMatchObject({ subtype: 'success', result: 'Made one of them.', permission_denials: [{ tool: 'bash', arguments: { command: 'touch more' } }] })
  expect(['made', 'more'].map(file => existsSync(box.workspace.resolve(file)))).toEqual([true, false])
})

it('gives shell scripts an answer of a schema, and the last message in a file', async () => {
  await using server = await provider([textAnswer('{"files": 3}')])
  await using box = await sandbox({ 'count.schema.json': '{"type":"object","properties":{"files":{"type":"integer"}},"required":["files"]}' }, server)
  const { stdout } = await promisify(execFile)('bash', ['-c', SHELL.replaceAll('dsh -p', `${(await commandOf(box)).map(word => `'${word}'`).join(' ')} -p`)], { cwd: box.workspace.path })
  expect([stdout, await box.workspace.read('answer.json')]).toEqual(['there are 3 files\n', '{"files":3}\n'])
})

// #region shell
const SHELL = `
  if dsh -p "how many files are there?" --json-schema count.schema.json -o answer.json --timeout 2m > answer; then
    echo "there are $(grep -o '[0-9]*' answer) files"
  else
    echo "it failed with $?" >&2   # 75: try again later; 5: a permission was missing; 6: a budget ran out
  fi`
// #endregion
