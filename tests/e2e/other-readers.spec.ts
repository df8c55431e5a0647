/** Readers of `stream-json` that other people wrote, as the registry has them, drive our runs. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answer, callAnswer, delta, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { distribution, provider, sandbox, type Sandbox } from './program.ts'

const run = promisify(execFile)
const readers = join(import.meta.dirname, '../fixtures/readers')

/** Not a dependency, because its licence is not open; fetched for the test alone. */
const AGENT_SDK = '@anthropic-ai/claude-agent-sdk'
const AGENT_SDK_VERSION = '0.3.332'

/** Runs a reader that looks for the program `claude`, and finds ours. */
async function readerOf(box: Sandbox, script: string, args: readonly string[]): Promise<string> {
  await symlink(await distribution(), box.home.resolve('claude'))
  await chmod(box.home.resolve('claude'), 0o755)
  const { PATH } = box.env
  const { stdout } = await run(process.execPath, [join(readers, script), ...args], { cwd: box.workspace.path, env: { ...box.env, PATH: `${box.home.path}:${join(process.execPath, '..')}:${PATH}` }, timeout: 40_000 })
  return stdout
}

it('runs for @instantlyeasy/claude-code-sdk-ts, with a tool, as it is', async () => {
  await using server = await provider([answer({ text: 'I look.', calls: [{ name: 'bash', arguments: { command: 'echo hello > made; cat made' } }] }), textAnswer('It says hello.')])
  await using box = await sandbox({}, server)

  const messages = JSON.parse(await readerOf(box, 'claude-code-sdk-ts.mjs', ['make it', 'skip']))

  expect(messages.map(({ type }: { type: string }) => type)).toEqual(['assistant', 'assistant', 'result'])
  expect(messages[0].content).toMatchObject([{ type: 'text', text: 'I look.' }, { type: 'tool_use', name: 'bash', input: { command: 'echo hello > made; cat made' } }])
  expect(messages[1].content).toMatchObject([{ type: 'text', text: 'It says hello.' }])
  expect(await box.workspace.read('made')).toBe('hello\n')
  server.assertStrict()
})

it('runs for the Claude Agent SDK, with partial messages, a callback for permissions and an interrupt, as it is', async context => {
  const sdk = await fetchAgentSdk()
  context.skip(sdk === undefined, `${AGENT_SDK} cannot be fetched from the registry`)
  const calls = [callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), callAnswer({ name: 'bash', arguments: { command: 'touch more' } })]
  await using server = await provider([{ pieces: [delta({ content: 'I begin' })], end: 'hang' }, ...calls, textAnswer('Made.')])
  await using box = await sandbox({}, server)

  const seen = JSON.parse(await readerOf(box, 'claude-agent-sdk.mjs', [JSON.stringify({ sdk, program: await distribution(), cwd: box.workspace.path })]))

  expect(seen.asked).toEqual([['bash', { command: 'touch made' }, expect.any(String)], ['bash', { command: 'touch more' }, expect.any(String)]])
  expect(seen.texts).toEqual(['(no output)', expect.stringContaining('not that one')])
  expect(seen.results).toEqual([['error_during_execution', true, 'I begin'], ['success', false, 'Made.']])
  expect(seen.types).toEqual(['system init', 'stream_event', 'assistant', 'result error_during_execution', 'user', 'result success'])
  expect([existsSync(box.workspace.resolve('made')), existsSync(box.workspace.resolve('more'))]).toEqual([true, false])
  expect(server.requests.at(-1)?.body).toMatchObject({ model: expect.stringContaining('pro') })
}, 120_000)

/** The module to import; undefined where the registry cannot be reached. Kept for the next run. */
async function fetchAgentSdk(): Promise<string | undefined> {
  const kept = join(tmpdir(), `dsh-e2e-agent-sdk-${AGENT_SDK_VERSION}`)
  const module = join(kept, 'node_modules', AGENT_SDK, 'sdk.mjs')
  if (existsSync(module)) return module
  const own = await mkdtemp(`${kept}-`)
  try {
    await writeFile(join(own, 'package.json'), '{"private":true}')
    // Without the program that it brings for each platform: ours takes its place.
    await run('npm', ['install', `${AGENT_SDK}@${AGENT_SDK_VERSION}`, '--omit=optional', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'], { cwd: own, timeout: 60_000 })
    await rename(own, kept)
    return module
  } catch (error) {
    await rm(own, { recursive: true, force: true })
    if (existsSync(module)) return module
    console.warn(`${AGENT_SDK}: ${(error as Error).message}`)
    return undefined
  }
}
