import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { expect, it, onTestFinished } from 'vitest'
import { LocalBash } from '@deepseek-ai/dsh-bash-local'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry } from '@deepseek-ai/dsh-tools'
import * as toolBash from '../src/index.ts'

async function open(config: object = {}) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-test-')))
  const ctx = new Context()
  onTestFinished(async () => {
    await ctx.fiber.dispose()
    rmSync(cwd, { recursive: true, force: true })
  })
  await ctx.plugin(SystemPrompt)
  await ctx.plugin(ToolRegistry)
  const bash = await ctx.plugin(LocalBash, config as never)
  const tool = await ctx.plugin(toolBash)
  const call = async (args: JsonObject, signal = new AbortController().signal) => await ctx.get('tools')?.execute({ callId: '1', name: 'bash', cwd, signal, arguments: args })
  return { ctx, cwd, call, bash, tool }
}

const meta = { exitCode: 0, signal: null, timedOut: false, truncated: false, stillRunning: false }

it('runs a command where the session stands', async () => {
  const { call, cwd } = await open()
  expect(await call({ command: 'pwd', description: 'Show the directory' })).toEqual({ callId: '1', content: [{ type: 'text', text: cwd }], isError: false, meta })
})

it('calls a failing command no error', async () => {
  const { call } = await open()
  expect(await call({ command: 'echo no >&2; exit 4' })).toEqual({ callId: '1', content: [{ type: 'text', text: '[stderr]\nno\n[exit code: 4]' }], isError: false, meta: { ...meta, exitCode: 4 } })
})

it('takes a directory and a time limit', async () => {
  const { call } = await open()
  const result = await call({ command: 'pwd; sleep 60', workdir: '/', timeoutMs: 300 })
  expect(result).toEqual({ callId: '1', content: [{ type: 'text', text: '/\n[timed out after 300ms]\n[killed by signal: SIGTERM]' }], isError: false, meta: { ...meta, exitCode: null, signal: 'SIGTERM', timedOut: true } })
})

it('names the file with the whole of a long output', async () => {
  const { call } = await open({ maxOutputBytes: 20 })
  const result = await call({ command: 'seq 1 100; seq 1 100 >&2' })
  const { spillPath, stderrSpillPath, ...rest } = (result?.meta ?? {}) as Record<string, string>
  expect(rest).toEqual({ ...meta, truncated: true })
  expect([spillPath, stderrSpillPath].map(path => readFileSync(path ?? '', 'utf8').length)).toEqual([292, 292])
})

it.each([
  [{ command: ' ' }, 'BASH_INVALID_COMMAND', 'Error: the command is empty'],
  [{ command: 'true', workdir: 'gone' }, 'BASH_WORKDIR_NOT_FOUND', 'gone does not exist'],
  [{ command: 'true', timeoutMs: 0 }, 'INVALID_ARGS', 'timeoutMs'],
  [{ command: 'true', run_in_background: true }, 'INVALID_ARGS', 'run_in_background'],
])('makes an error result of %j', async (args, code, message) => {
  const { call } = await open()
  expect(await call(args as JsonObject)).toMatchObject({ isError: true, error: { code }, content: [{ text: expect.stringContaining(message) }] })
})

it('ends a cancelled command and reports the cancellation', async () => {
  const { call } = await open()
  expect(await call({ command: 'sleep 60' }, AbortSignal.timeout(100))).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
})

it('takes secrets of the environment out of the output, even where a command finds them', async () => {
  process.env['DSH_TEST_API_KEY'] = 'sk-test-AAA'
  const { call } = await open().finally(() => delete process.env['DSH_TEST_API_KEY'])
  const result = await call({ command: "echo sk-test-AA'A'; echo sk-test-AA'A' >&2" })
  expect(result?.content).toEqual([{ type: 'text', text: '[redacted]\n[stderr]\n[redacted]' }])
})

it('tells the model what it needs in little', async () => {
  const { ctx } = await open()
  const [schema] = ctx.get('tools')?.schemas() ?? []
  expect(Object.keys((schema?.parameters['properties'] ?? {}) as object)).toEqual(['command', 'description', 'timeoutMs', 'workdir'])
  expect(JSON.stringify(schema).length).toBeLessThan(1_300)
  expect(schema?.description).not.toContain('POSIX sh')
  expect(JSON.stringify(schema)).toContain('default 120000, at most 600000')
})

it('tells the model when the shell is not bash', async () => {
  const { ctx } = await open({ shell: '/bin/sh' })
  expect(ctx.get('tools')?.get('bash')?.description).toContain('POSIX sh')
})

it('shows a terminal card', async () => {
  const { ctx } = await open()
  const tool = ctx.get('tools')?.get('bash')
  expect(tool?.presentCall?.({ command: 'ls', description: 'List', workdir: '/' })).toEqual({ card: 'terminal', title: 'ls', description: 'List', cwd: '/' })
  const content = [{ type: 'text' as const, text: 'x\n[exit code: 0]' }]
  expect(tool?.presentResult?.({ command: 'ls' }, { content, isError: false, meta: { exitCode: 3, signal: null } })).toEqual({ card: 'terminal', title: 'ls', output: 'x\n[exit code: 0]', exitCode: 3 })
  expect(tool?.presentResult?.({ command: 'ls' }, { content, isError: true })).toEqual({ card: 'terminal', title: 'ls', output: 'x\n[exit code: 0]' })
})

it('leaves with its plugin, and with the executor its processes', async () => {
  const { ctx, call, bash, tool } = await open()
  const result = await call({ command: 'sleep 300 & echo $!' })
  const [{ text = '' } = {}] = (result?.content ?? []) as { text?: string }[]
  const pid = Number.parseInt(text, 10)
  expect(process.kill(pid, 0)).toBe(true)
  await tool.dispose()
  expect(ctx.get('tools')?.list()).toEqual([])
  await bash.dispose()
  expect(ctx.get('bash')).toBeUndefined()
  expect(execFileSync('sh', ['-c', `ps -o stat= -p ${pid} || true`], { encoding: 'utf8' }).trim()).toMatch(/^(?:Z.*)?$/)
})

it('waits for an executor and goes with it', async () => {
  const { ctx, bash } = await open()
  await bash.dispose()
  expect(ctx.get('tools')?.get('bash')).toBeUndefined()
})

it('tells of output while it comes, whole characters without secrets', async () => {
  process.env['A_TOKEN'] = 'sesame-sesame'
  onTestFinished(() => void delete process.env['A_TOKEN'])
  const { ctx, call } = await open()
  const told: string[] = []
  ctx.on('tools/progress', ({ callId }, text) => void told.push(`${callId}: ${text}`))
  const result = await call({ command: "printf 'one \\303'; sleep 0.3; printf '\\251 sesame-'; echo sesame; sleep 0.3; echo end" })
  expect(told).toEqual(['1: one ', expect.stringMatching(/^1: é (?!sesame-sesame)/)])
  expect(result?.content).toEqual([{ type: 'text', text: expect.stringMatching(/^one é .*\nend$/) as string }])
})

it('lets somebody else run the command, and shows what came of it', async () => {
  const { ctx, call, cwd } = await open()
  const seen: unknown[] = []
  ctx.on('bash/run', async (spec, { callId, sessionId }, next) => {
    seen.push([spec.command, spec.workdir, callId, sessionId])
    const result = await next()
    return { ...result, exitCode: 7, stdout: { ...result.stdout, text: `${result.stdout.text}and more` } }
  })

  expect(await call({ command: 'echo here' })).toMatchObject({ content: [{ type: 'text', text: 'here\nand more\n[exit code: 7]' }], meta: { exitCode: 7 } })
  expect(seen).toEqual([['echo here', cwd, '1', undefined]])
})
