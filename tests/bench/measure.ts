/** Runs one program against the mock server and measures what a user would feel: time, CPU, memory, gaps between steps. */

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { MockLlmServer, type MockReply, type MockRequest } from '@deepseek-ai/dsh-llm-mock-server'

/** A program that takes the prompt as its last argument. */
export interface Program {
  name: string
  args: readonly string[]
}

/** What to ask, where to work, and what the model answers to the request of that number. */
export interface Job {
  prompt: string
  cwd: string
  home: string
  answers(index: number): MockReply
}

export interface Usage {
  wallMs: number
  /** User and system time of the process and its ended children. */
  cpuMs: number
  stdout: string
}

export interface Measured extends Usage {
  /** From the start to the first request at the model. */
  firstRequestMs: number
  /** CPU of all threads until then; undefined where the system does not tell. */
  firstRequestCpuMs: number | undefined
  /** Peak resident memory when the last request arrived; undefined where the system does not tell. */
  peakMb: number | undefined
  /** From the end of one answer to the arrival of the next request, in order. */
  gapsMs: number[]
  requests: readonly MockRequest[]
}

/** Bash's own `time` reports what the process and its children used, to the millisecond, on file descriptor 3. */
const TIMED = 'TIMEFORMAT="%U %S"; exec 4>&2; { time "$0" "$@" 2>&4; } 2>&3'

/** Runs the program to its end; throws when it fails. `started` hears the pid of the shell around it. */
export async function run(args: readonly string[], { cwd, env, started }: { cwd: string; env: NodeJS.ProcessEnv; started?: (pid: number) => void }): Promise<Usage> {
  const begun = performance.now()
  const child = spawn('bash', ['-c', TIMED, process.execPath, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  if (child.pid !== undefined) started?.(child.pid)
  const closed = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [stdout = '', stderr = '', times = ''] = await Promise.all(child.stdio.slice(1).map(stream => text(stream as NodeJS.ReadableStream)))
  const code = await closed
  const wallMs = performance.now() - begun
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr.slice(-2000)}`)
  const [user = 0, system = 0] = times.trim().split(' ').map(Number)
  return { wallMs, cpuMs: (user + system) * 1000, stdout }
}

/** The environment of every measured program: a home of its own and no key but the mock's. */
export function cleanEnv(home: string, url = ''): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...(url && { DEEPSEEK_API_KEY: 'sk-bench', DEEPSEEK_BASE_URL: url }) }
}

/** Runs the program against a server of its own. */
export async function measure(program: Program, job: Job): Promise<Measured> {
  const arrived: number[] = []
  const answered: number[] = []
  let shell = 0
  let firstRequestCpuMs: number | undefined
  let peakMb: number | undefined
  const reply = ({ index }: MockRequest): MockReply => {
    arrived[index] = performance.now()
    if (index === 0) firstRequestCpuMs = readCpuMs(shell)
    const given = job.answers(index)
    const isLast = !JSON.stringify(given.pieces?.at(-2) ?? '').includes('tool_calls')
    if (isLast) peakMb = readPeakMb(shell)
    return { ...given, pieces: [...(given.pieces ?? []), { run: () => void (answered[index] = performance.now()) }] }
  }
  await using server = await MockLlmServer.start({ script: reply, validate: 'sampled' })
  const begun = performance.now()
  const usage = await run([...program.args, job.prompt], { cwd: job.cwd, env: cleanEnv(job.home, server.url), started: pid => (shell = pid) })
  if (server.violations.length > 0) throw new Error(`${program.name}: ${JSON.stringify(server.violations[0])}`)
  return {
    ...usage,
    firstRequestMs: (arrived[0] ?? Number.NaN) - begun,
    firstRequestCpuMs,
    peakMb,
    gapsMs: arrived.slice(1).map((at, index) => at - (answered[index] ?? Number.NaN)),
    requests: server.requests,
  }
}

/** The scheduler's account of every thread, in milliseconds; the clock ticks of `stat` are too coarse. */
function readCpuMs(shell: number): number | undefined {
  const tasks = `/proc/${childOf(shell)}/task`
  if (!existsSync(tasks)) return undefined
  return readdirSync(tasks).reduce((sum, task) => sum + readThreadMs(`${tasks}/${task}/schedstat`), 0)
}

function readThreadMs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
  } catch (error) {
    // The thread has ended between the listing and the reading.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH') return 0
    throw error
  }
}

function readPeakMb(shell: number): number | undefined {
  const status = `/proc/${childOf(shell)}/status`
  if (!existsSync(status)) return undefined
  return Number(readFileSync(status, 'utf8').match(/VmHWM:\s+(\d+) kB/)?.[1]) / 1024
}

function childOf(shell: number): string {
  const children = `/proc/${shell}/task/${shell}/children`
  return existsSync(children) ? readFileSync(children, 'utf8').trim() : 'none'
}
