/** Being told to stop: what was there is written, nothing is left running, and the code says who asked. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { answer, callAnswer, delta, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { isAlive } from './is-alive.ts'
import { provider, sandbox } from './program.ts'

const HALF = { pieces: [delta({ content: 'Half an ' }), delta({ content: 'answer' })], end: 'hang' } as const

it.each([['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 143]] as const)('writes what had streamed when %s comes in the middle of an answer, and ends with %d', async (signal, code) => {
  await using server = await provider([HALF])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--verbose', 'go'])
  await program.said('step/start')
  await until(() => server.requests.length === 1)
  await new Promise(resolve => setTimeout(resolve, 100))

  program.child.kill(signal)
  const run = await program.ended

  expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: 'Half an answer\n' })
  expect(run.stderr).toContain(`dsh: stopped: ${signal}\n`)
  await until(() => server.requests[0]?.aborted === true)
})

it.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('takes the processes of a running command down with it on %s', async (signal, code) => {
  await using server = await provider([answer({ text: 'I wait.', calls: [{ name: 'bash', arguments: { command: 'sleep 300 & echo $! > child.pid; echo $$ > shell.pid; echo ready >&2; wait' } }] })])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--permission', 'auto', 'go'])
  await program.said('● bash')
  const pids = await Promise.all(['child.pid', 'shell.pid'].map(file => pidIn(box.workspace.resolve(file))))

  program.child.kill(signal)
  const run = await program.ended

  expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: 'I wait.\n' })
  await until(() => pids.every(pid => !isAlive(pid)))
})

it('ends at once on the second SIGINT, and leaves no process behind', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: "trap '' INT TERM; echo $$ > shell.pid; while :; do sleep 0.1; done" } })])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--permission', 'auto', 'go'])
  await program.said('● bash')
  const pid = await pidIn(box.workspace.resolve('shell.pid'))

  program.child.kill('SIGINT')
  await new Promise(resolve => setTimeout(resolve, 50))
  program.child.kill('SIGINT')

  expect((await program.ended).code).toBe(130)
  await until(() => !isAlive(pid))
})

it('ends at once on the second SIGINT while a tool does not stop', async () => {
  await using server = await provider([callAnswer({ name: 'stuck' })])
  await using box = await sandbox({
    'stuck.js': `export const inject = ['tools']
      export function apply(ctx) {
        ctx.tools.register({ name: 'stuck', description: 'Never ends.', kind: 'read', parameters: { type: 'object' }, execute: () => (console.error('begun'), new Promise(() => setInterval(() => {}, 1000))) })
      }`,
  }, server)
  await box.home.write('.config/dsh/settings.yml', `plugins: [{ id: stuck, name: ${box.workspace.resolve('stuck.js')} }]\n`)
  const program = box.start(['-p', 'go'])
  // The line of the call comes first, and its body when the log is safe.
  await program.said('begun')

  program.child.kill('SIGINT')
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(program.child.exitCode).toBe(null)
  program.child.kill('SIGINT')

  // Without the last line: nothing has been waited for.
  expect(await program.ended).toEqual({ code: 130, stdout: '', stderr: '● stuck {}\nbegun\n' })
})

it('goes on waiting for a tool that holds nothing open', async () => {
  await using server = await provider([callAnswer({ name: 'stuck' })])
  await using box = await sandbox({
    'stuck.js': `export const inject = ['tools']
      export function apply(ctx) {
        ctx.tools.register({ name: 'stuck', description: 'Never ends.', kind: 'read', parameters: { type: 'object' }, execute: (_args, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) })
      }`,
  }, server)
  await box.home.write('.config/dsh/settings.yml', `plugins: [{ id: stuck, name: ${box.workspace.resolve('stuck.js')} }]\n`)
  const program = box.start(['-p', 'go'])
  await program.said('● stuck')
  await new Promise(resolve => setTimeout(resolve, 300))

  program.child.kill('SIGINT')

  expect(await program.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('dsh: stopped: SIGINT\n') })
})

it('is quiet and ends with 0 when the reader of the answer has seen enough', async () => {
  await using server = await provider(() => textAnswer('x'.repeat(300_000)))
  await using box = await sandbox({}, server)

  expect(await box.shell('$DSH -p go | head -c 1; echo " ${PIPESTATUS[0]}"')).toEqual({ code: 0, stdout: 'x 0\n', stderr: '' })
})

it('runs on when only the reader of stderr has gone', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'sleep 0.2' } }), callAnswer({ name: 'bash', arguments: { command: 'echo made > made.txt' } }), textAnswer('done')])
  await using box = await sandbox({}, server)

  const run = await box.shell('{ $DSH -p --permission auto go 2>&1 1>&3 | true; echo "${PIPESTATUS[0]}"; } 3>answer.txt')

  expect(run).toEqual({ code: 0, stdout: '0\n', stderr: '' })
  expect(await box.workspace.read('answer.txt')).toBe('done\n')
  expect(await box.workspace.read('made.txt')).toBe('made\n')
})

it('ends with 0 when stdout is closed', async () => {
  await using server = await provider(() => textAnswer('done'))
  await using box = await sandbox({}, server)

  expect(await box.shell('$DSH -p go >&-')).toEqual({ code: 0, stdout: '', stderr: '' })
})

// Only Linux has a device that is always full.
it.skipIf(!existsSync('/dev/full'))('ends with 1 and a reason when stdout is full', async () => {
  await using server = await provider(() => textAnswer('done'))
  await using box = await sandbox({}, server)

  const full = await box.shell('$DSH -p go > /dev/full')
  expect(full).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('ENOSPC') })
})

it('waits for a slow reader instead of cutting the output', async () => {
  await using server = await provider(() => textAnswer(`${'x'.repeat(999_999)}!`, 50))
  await using box = await sandbox({}, server)

  expect((await box.shell('$DSH -p go | (sleep 2.5; wc -c)')).stdout.trim()).toBe('1000001')
  expect((await box.shell('$DSH explain --json | (sleep 2.5; node -e "JSON.parse(require(\'fs\').readFileSync(0))" && echo whole)')).stdout).toBe('whole\n')
})

async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text.endsWith('\n')) return Number(text)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 20))
}
