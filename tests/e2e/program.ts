/**
 * Runs the program from outside, as a user would: the built distribution, a home and a workspace of
 * its own for every test, and an environment that holds nothing of the machine's user.
 */

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MockLlmServer, type MockServerOptions } from '@deepseek-ai/dsh-llm-mock-server'
import { tempWorkspace, type Workspace } from '@deepseek-ai/dsh-testkit'
import { expect } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** A program that says nothing for so long is taken for hanging; the test fails with what it said. */
const PATIENCE_MS = 40_000

/** A distribution that other tests may be running is kept so long. */
const KEEP_MS = 60 * 60 * 1000

/** How a run ended. */
export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  /** Added to the sandbox's environment; undefined takes a name away. */
  env?: NodeJS.ProcessEnv
  /** Written to stdin, which is then closed; without it stdin is /dev/null. */
  input?: string | Uint8Array
  /** Default: the workspace. */
  cwd?: string
}

/** A running program. */
export interface Started {
  child: ChildProcess
  /** Resolves when both streams together hold the text; rejects when the program ends first. */
  said(text: string): Promise<void>
  ended: Promise<Run>
}

export interface Sandbox extends AsyncDisposable {
  home: Workspace
  workspace: Workspace
  env: NodeJS.ProcessEnv
  run(args: readonly string[], options?: RunOptions): Promise<Run>
  start(args: readonly string[], options?: RunOptions & { stdin?: 'pipe' | 'ignore' }): Started
  /** The program within a shell script, as `$DSH`. */
  shell(script: string, options?: RunOptions): Promise<Run>
  dispose(): Promise<void>
}

let building: Promise<string> | undefined

/** The file to run: the repository's distribution when it is up to date, else one built for these sources. */
export function distribution(): Promise<string> {
  building ??= findDistribution()
  return building
}

async function findDistribution(): Promise<string> {
  const { hashSources } = (await import(new URL('../../scripts/bootstrap/stamp.mjs', import.meta.url).href)) as { hashSources: (root: string, ...extra: string[]) => string }
  const stamp = join(root, 'dist/.stamp')
  const hash = hashSources(root, process.execPath)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return join(root, 'dist/dsh.mjs')
  const folder = join(tmpdir(), `dsh-e2e-${hash.slice(0, 16)}`)
  if (!existsSync(join(folder, 'dsh.mjs'))) await build(folder)
  return join(folder, 'dsh.mjs')
}

/** Another thread may build the same: the first one to finish wins. What was built for sources of long ago is removed. */
async function build(folder: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const old = join(tmpdir(), name)
    if (name.startsWith('dsh-e2e-') && Date.now() - (await stat(old)).mtimeMs > KEEP_MS) await rm(old, { recursive: true, force: true })
  }
  const own = await mkdtemp(`${folder}-`)
  await promisify(execFile)(process.execPath, [join(root, 'scripts/bundle.ts'), '--out', own], { cwd: root })
  await rename(own, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(own, { recursive: true })
  })
}

export interface SandboxOptions {
  /** Leaves the line about the session, whose id is another one every time, in `stderr`. */
  farewell?: boolean
}

/** `files` stand in the workspace. With a server, the program talks to it. */
export async function sandbox(files: Readonly<Record<string, string>> = {}, server?: MockLlmServer, { farewell = false }: SandboxOptions = {}): Promise<Sandbox> {
  const program = await distribution()
  const [home, workspace] = await Promise.all([tempWorkspace(), tempWorkspace(files)])
  await mkdir(home.resolve('tmp'))
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home.path,
    TMPDIR: home.resolve('tmp'),
    LANG: 'C.UTF-8',
    ...(server && { DEEPSEEK_API_KEY: 'sk-test-0123456789', DEEPSEEK_BASE_URL: server.url }),
  }
  const start: Sandbox['start'] = (args, options = {}) => {
    const { cwd = workspace.path, env: more, input, stdin = input === undefined ? 'ignore' : 'pipe' } = options
    const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...env, ...more }, stdio: [stdin, 'pipe', 'pipe'] })
    // A program that does not read its input closes the pipe under the writer.
    child.stdin?.on('error', ignoreClosedPipe)
    if (input !== undefined) child.stdin?.end(input)
    return follow(child, farewell)
  }
  const dispose = async (): Promise<void> => void (await Promise.all([home.dispose(), workspace.dispose()]))
  return {
    home,
    workspace,
    env,
    start,
    run: (args, options) => start(args, options).ended,
    shell(script, { cwd = workspace.path, env: more } = {}) {
      const DSH = `'${process.execPath}' '${program}'`
      return follow(spawn('bash', ['-c', script.replaceAll('$DSH', DSH)], { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] }), farewell).ended
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error
}

function follow(child: ChildProcess, farewell: boolean): Started {
  const text = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const wake = (): void => waiting.forEach(each => each())
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => { text.stdout += chunk; wake() })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => { text.stderr += chunk; wake() })
  const ended = new Promise<Run>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the program did not end; it said: ${text.stdout}${text.stderr}`))
    }, PATIENCE_MS)
    child.once('error', reject)
    child.once('close', code => {
      clearTimeout(timer)
      resolve({ code, stdout: text.stdout, stderr: farewell ? text.stderr : text.stderr.replace(/^dsh: session \S+; dsh -r \S+ goes on with it\n/m, '') })
      wake()
    })
  })
  const said = (wanted: string): Promise<void> => new Promise((resolve, reject) => {
    const look = (): void => {
      const seen = text.stdout.includes(wanted) || text.stderr.includes(wanted)
      if (!seen && child.exitCode === null && child.signalCode === null) return
      waiting.delete(look)
      if (seen) resolve()
      else reject(new Error(`the program ended without saying "${wanted}": ${text.stdout}${text.stderr}`))
    }
    waiting.add(look)
    look()
  })
  return { child, said, ended }
}

/** A scripted provider; every request must be one that a strict provider accepts. */
export async function provider(script: MockServerOptions['script'], options: Omit<MockServerOptions, 'script'> = {}): Promise<MockLlmServer & { assertStrict(): void }> {
  const server = await MockLlmServer.start({ script, ...options })
  return Object.assign(server, { assertStrict: () => expect(server.violations).toEqual([]) })
}
