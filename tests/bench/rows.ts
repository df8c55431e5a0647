/** The rows of the speed table: what each runs, and the lines that come of it. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answer, callAnswer, textAnswer, type MockCall, type MockReply, type MockRequest } from '@deepseek-ai/dsh-llm-mock-server'
import { figureOf, type Figure, type Line } from './figures.ts'
import { cleanEnv, measure, run, type Measured, type Program } from './measure.ts'
import { acp } from './acp-rows.ts'
import { resume } from './resume-rows.ts'
import { terminal } from './terminal-rows.ts'

/** Where and how much. */
export interface Bench {
  dsh: Program
  floor: Program
  /** The distribution's folder. */
  dist: string
  /** The packed package unfolded, where there is one. */
  packed: string | undefined
  home: string
  cwd: string
  quick: boolean
}

export type Row = (bench: Bench) => Promise<Line[]>

const FLOOR = 'floor'

/** In the order of the table. */
export const rows: Readonly<Record<string, Row>> = { version, start, read: bench => steps(bench, 'read'), bash: bench => steps(bench, 'bash'), deltas, growth, resume, prompt, size, terminal, acp }

async function version({ dsh, home, cwd, quick }: Bench): Promise<Line[]> {
  const command = [dsh.args[0] ?? '', '--version']
  const env = cleanEnv(home)
  const [ours, bare] = await alternate(quick ? 7 : 15, () => run(command, { cwd, env }), () => run(['-e', '0'], { cwd, env }))
  return [
    line({ row: '--version, wall', limit: '≤ 1.3 × node -e 0' }, ours.map(each => each.wallMs), bare.map(each => each.wallMs), 'node -e 0'),
    line({ row: '--version, CPU' }, ours.map(each => each.cpuMs), bare.map(each => each.cpuMs), 'node -e 0'),
  ]
}

async function start(bench: Bench): Promise<Line[]> {
  const [ours, floor] = await both(bench, bench.quick ? 9 : 21, () => textAnswer('done'))
  const pair = (pick: (run: Measured) => number | undefined) => [ours.map(pick), floor.map(pick)] as const
  return [
    line({ row: 'start → first request, wall', limit: '≤ 150 ms, ≤ 1.4 × floor' }, ...pair(each => each.firstRequestMs)),
    line({ row: 'start → first request, CPU' }, ...pair(each => each.firstRequestCpuMs)),
    line({ row: 'one-shot run, wall' }, ...pair(each => each.wallMs)),
    line({ row: 'one-shot run, CPU', limit: '≤ 200 ms' }, ...pair(each => each.cpuMs)),
    line({ row: 'one-shot run, memory', unit: 'MB' }, ...pair(each => each.peakMb)),
  ]
}

/** Gaps over a long conversation: they must not grow. */
async function steps(bench: Bench, tool: 'read' | 'bash'): Promise<Line[]> {
  const count = bench.quick ? (tool === 'read' ? 500 : 250) : 2000
  const window = Math.min(100, count / 5)
  const file = join(bench.cwd, 'short.txt')
  await writeFile(file, 'one line\n')
  const call: MockCall = tool === 'read' ? { name: 'read', arguments: { file_path: file } } : { name: 'bash', arguments: { command: 'true' } }
  const [[ours], [floor]] = await both(bench, 1, index => (index < count ? callAnswer({ ...call, id: `call_${index}` }) : textAnswer('done')))
  const part = (name: string, from: number) => line(
    { row: `${tool} step, ${name} of ${count}`, limit: tool === 'read' ? '≤ 5 ms, flat' : '≤ 10 ms, flat' },
    ours?.gapsMs.slice(from, from + window) ?? [],
    floor?.gapsMs.slice(from, from + window) ?? [],
  )
  return [part(`first ${window}`, 0), part('middle', Math.floor((count - window) / 2)), part(`last ${window}`, count - window), ...totals(`${count} ${tool} steps`, ours, floor)]
}

async function deltas(bench: Bench): Promise<Line[]> {
  const words = Array.from({ length: 20_000 }, (_, index) => `word ${index % 97} `)
  const reply = answer({ text: words })
  const [ours, floor] = await both(bench, bench.quick ? 1 : 5, () => reply)
  const pair = (pick: (run: Measured) => number | undefined) => [ours.map(pick), floor.map(pick)] as const
  return [
    line({ row: '20,000 deltas, wall', limit: '≤ 600 ms' }, ...pair(each => each.wallMs)),
    line({ row: '20,000 deltas, CPU' }, ...pair(each => each.cpuMs)),
  ]
}

async function growth(bench: Bench): Promise<Line[]> {
  const count = 400
  const file = join(bench.cwd, 'page.txt')
  await writeFile(file, `${'x'.repeat(63)}\n`.repeat(64))
  const call = { name: 'read', arguments: { file_path: file } }
  const [[ours], [floor]] = await both(bench, 1, index => (index < count ? callAnswer({ ...call, id: `call_${index}` }) : textAnswer('done')))
  return [
    line({ row: '400 × 4 KB, first 50 steps', limit: '≤ 12 ms' }, ours?.gapsMs.slice(0, 50) ?? [], floor?.gapsMs.slice(0, 50) ?? []),
    line({ row: '400 × 4 KB, last 50 steps', limit: '≤ 20 ms' }, ours?.gapsMs.slice(-50) ?? [], floor?.gapsMs.slice(-50) ?? []),
    line({ row: '400 × 4 KB, peak memory', limit: '≤ 180 MB', unit: 'MB' }, [ours?.peakMb], [floor?.peakMb]),
    ...totals('400 × 4 KB', ours, floor),
  ]
}

/** How much of one request the next one repeats, and how large the first one is. */
async function prompt(bench: Bench): Promise<Line[]> {
  const [[ours], [floor]] = await both(bench, 1, index => (index < 20 ? callAnswer({ name: 'bash', arguments: { command: `echo ${index}` }, id: `call_${index}` }) : textAnswer('done')))
  return [
    line({ row: 'stable prompt prefix', limit: '100 %', unit: '%' }, [stablePercent(ours)], [stablePercent(floor)]),
    line({ row: 'stable bytes on the wire', limit: '100 %', unit: '%' }, [stableBytesPercent(ours)], [stableBytesPercent(floor)]),
    line({ row: 'fixed prompt and tool schemas', limit: '≤ 12 KB', unit: 'KB' }, [fixedKb(ours)], [fixedKb(floor)]),
  ]
}

async function size({ dist, packed }: Bench): Promise<Line[]> {
  const folder = packed ?? dist
  const megabytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .reduce((sum, each) => sum + (each.isFile() ? statSync(join(each.parentPath, each.name)).size : 0), 0) / 1024 / 1024
  const name = packed ? 'packed package, without its dependencies' : 'distribution with the packages it links'
  return [line({ row: name, limit: '≤ 60 MB', unit: 'MB' }, [megabytes]), line({ row: 'packages beside it', limit: '≤ 40', unit: '' }, [countPackages(join(dist, 'node_modules'))])]
}

function countPackages(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder).reduce((sum, name) => sum + (name.startsWith('@') ? readdirSync(join(folder, name)).length : 1), 0)
}

/** Both programs by turns, so that a busy minute hits both; a first round fills the caches and is not counted. */
async function both(bench: Bench, rounds: number, answers: (index: number) => MockReply): Promise<[Measured[], Measured[]]> {
  const job = { prompt: 'go on', cwd: bench.cwd, home: bench.home, answers }
  return alternate(rounds, () => measure(bench.dsh, job), () => measure(bench.floor, job))
}

async function alternate<T>(rounds: number, one: () => Promise<T>, other: () => Promise<T>): Promise<[T[], T[]]> {
  const all: [T[], T[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    all[0].push(await one())
    all[1].push(await other())
  }
  return all
}

function line(head: { row: string; limit?: string; unit?: Line['unit'] }, ours: readonly (number | undefined)[], other?: readonly (number | undefined)[], name = FLOOR): Line {
  const beside: { name: string; figure: Figure } | undefined = other && { name, figure: figureOf(other) }
  return { limit: '', unit: 'ms', ...head, ours: figureOf(ours), ...(beside && { beside }) }
}

function totals(name: string, ours: Measured | undefined, floor: Measured | undefined): Line[] {
  return [line({ row: `${name}, CPU in all` }, [ours?.cpuMs], [floor?.cpuMs])]
}

/** The smallest share of a request's tools and messages with which the next request begins. */
function stablePercent(measured: Measured | undefined): number {
  return smallestShare(measured, (last, next) => {
    const before = promptOf(last)
    const after = promptOf(next)
    let shared = 0
    while (shared < before.length && before[shared] === after[shared]) shared++
    return shared / before.length
  })
}

/** The same in bytes of the body as sent, whose last two close the list of messages. */
function stableBytesPercent(measured: Measured | undefined): number {
  return smallestShare(measured, (last, next) => Math.min(1, next.sharedBytes / (last.bytes - 2)))
}

function smallestShare(measured: Measured | undefined, share: (last: MockRequest, next: MockRequest) => number): number {
  const { requests = [] } = measured ?? {}
  return 100 * Math.min(...requests.slice(1).flatMap((next, index) => { const last = requests[index]; return last ? [share(last, next)] : [] }))
}

/** What a provider's cache sees: the tools, then the messages, open at the end. */
function promptOf({ body }: MockRequest): string {
  return JSON.stringify(body['tools'] ?? []) + JSON.stringify(body.messages).slice(0, -1)
}

function fixedKb(measured: Measured | undefined): number {
  const body = measured?.requests[0]?.body
  if (!body) return Number.NaN
  return Buffer.byteLength(JSON.stringify(body['tools'] ?? []) + JSON.stringify(body.messages.filter(({ role }) => role === 'system'))) / 1024
}
