/** An independent client drives the agent: acpx, in its current release and in the one that npm gives to Node 20. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { answer, callAnswer, delta, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { describe, expect, it } from 'vitest'
import { distribution, provider, sandbox, type Sandbox } from './program.ts'

const root = join(import.meta.dirname, '../..')

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** One call of acpx in the workspace, with the agent as the built program. */
async function acpx(box: Sandbox, release: string, args: readonly string[]): Promise<Outcome> {
  const agent = `"${process.execPath}" "${await distribution()}" acp`
  const line = [join(root, 'node_modules', release, 'dist/cli.js'), '--agent', agent, '--cwd', box.workspace.path, '--timeout', '60', ...args]
  return await new Promise(resolve => {
    execFile(process.execPath, line, { cwd: box.workspace.path, env: box.env, timeout: 90_000 }, (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }))
  })
}

const WRITE = callAnswer({ id: 'c1', name: 'write', arguments: { file_path: 'note.txt', content: 'written\n' } })

describe.each([['0.19.1', 'acpx'], ['0.1.15', 'acpx-node20']])('acpx %s', (_version, release) => {
  it('gets an answer to one prompt', async () => {
    await using server = await provider([answer({ reasoning: 'Hm.', text: 'Hello from dsh', deltas: 3 })])
    await using box = await sandbox({}, server)

    const run = await acpx(box, release, ['--approve-all', 'exec', 'hello'])

    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello from dsh') })
    server.assertStrict()
  })

  it('allows a tool, whose file it writes', async () => {
    await using server = await provider([WRITE, textAnswer('All done')])
    await using box = await sandbox({}, server)

    const run = await acpx(box, release, ['--approve-all', 'exec', 'write it'])

    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('All done') })
    expect(await box.workspace.read('note.txt')).toBe('written\n')
  })

  it('refuses a tool, which then leaves nothing, and ends with its code for that', async () => {
    await using server = await provider([WRITE, textAnswer('I could not')])
    await using box = await sandbox({}, server)

    const run = await acpx(box, release, ['--deny-all', 'exec', 'write it'])

    expect(run).toMatchObject({ code: 5 })
    expect(existsSync(box.workspace.resolve('note.txt'))).toBe(false)
  })

  it('keeps a session over several calls, sets its mode, and closes it', async () => {
    await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
    await using box = await sandbox({}, server)

    const runs: Outcome[] = []
    for (const args of [['--ttl', '5', 'sessions', 'new', '--name', 'work'], ['--ttl', '5', 'prompt', '-s', 'work', 'one'], ['--ttl', '5', 'prompt', '-s', 'work', 'two'], ['set-mode', '-s', 'work', 'read-only'], ['sessions', 'close', 'work']]) runs.push(await acpx(box, release, ['--approve-all', ...args]))

    expect(runs).toMatchObject([{ code: 0 }, { code: 0, stdout: expect.stringContaining('answer 0') }, { code: 0, stdout: expect.stringContaining('answer 1') }, { code: 0 }, { code: 0 }])
    expect(server.requests[1]?.body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)).toEqual(['one', 'answer 0', 'two'])
  })

  it('cancels a prompt that runs', async () => {
    await using server = await provider([{ pieces: [delta({ content: 'never ends' })], end: 'hang' }, textAnswer('back')])
    await using box = await sandbox({}, server)
    await acpx(box, release, ['--ttl', '10', 'sessions', 'new', '--name', 'work'])
    const prompt = acpx(box, release, ['--ttl', '10', '--format', 'json', 'prompt', '-s', 'work', 'go'])
    for (let i = 0; i < 400 && server.requests.length === 0; i++) await new Promise(resolve => setTimeout(resolve, 25))

    const cancel = await acpx(box, release, ['cancel', '-s', 'work'])

    expect(cancel).toMatchObject({ code: 0 })
    expect((await prompt).stdout).toContain('cancelled')
    expect(server.requests[0]?.aborted).toBe(true)
    await acpx(box, release, ['sessions', 'close', 'work'])
  })
})
