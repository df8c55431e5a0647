/** The rows of the table that need a terminal. */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { figureOf, type Line } from './figures.ts'
import { inTerminal, type InTerminal } from './in-terminal.ts'
import type { Bench } from './rows.ts'
import { storeLog } from './store-log.ts'

const IDLE_MS = 2000
const DELTAS_A_SECOND = 100
const HISTORY_MESSAGES = 5000

export async function terminal(bench: Bench): Promise<Line[]> {
  const rounds = bench.quick ? 1 : 5
  const words = Array.from({ length: 20_000 }, (_, index) => `word ${index % 97}${index % 60 === 59 ? '\n\n' : ' '}`)
  const steady = Array.from({ length: 5 * DELTAS_A_SECOND }, (_, index) => `${index % 20 === 19 ? '\n\n' : ''}word ${index} `)
  const answers = [textAnswer('first answer'), answer({ text: [...words, 'FLOOD-END'] }), answer({ text: [...steady, 'STEADY-END'], delayMs: 1000 / DELTAS_A_SECOND })]
  const runs: Figures[] = []
  const floors: Floor[] = []
  for (let round = 0; round < rounds; round++) {
    floors.push(await measureFloor(await inTerminal({ args: [join(import.meta.dirname, 'floor-terminal.mjs')], cwd: bench.cwd, home: bench.home, answers: () => textAnswer('first answer') })))
    const run = await inTerminal({ args: bench.dsh.args.filter(arg => arg !== '-p'), cwd: bench.cwd, home: bench.home, answers: index => answers[index] ?? textAnswer('more') })
    runs.push(await measureRun(run))
  }
  const row = (name: string, limit: string, pick: (figures: Figures) => number, unit: Line['unit'] = 'ms'): Line => ({ row: name, unit, limit, ours: figureOf(runs.map(pick)) })
  const beside = (line: Line, pick: (floor: Floor) => number): Line => ({ ...line, beside: { name: bench.floor.name, figure: figureOf(floors.map(pick)) } })
  return [
    beside(row('terminal: ready', '≤ 200 ms', each => each.readyMs), each => each.readyMs),
    row('terminal: idle memory', '≤ 110 MB', each => each.idleMb, 'MB'),
    row('terminal: idle CPU', '0 %', each => each.idlePercent, '%'),
    beside(row('terminal: Enter → request', '≤ 10 ms', each => each.requestMs), each => each.requestMs),
    row('terminal: CPU at 100 deltas/s', '≤ 10 %', each => each.steadyPercent, '%'),
    row('terminal: 20,000 deltas', '≤ 700 ms', each => each.floodMs),
    row('terminal: peak memory', '≤ 200 MB', each => each.peakMb, 'MB'),
    row('terminal: key → paint', '≤ 16 ms', each => each.keyMs),
    ...(await withHistory(bench)),
  ]
}

/** A session of 5,000 messages that goes on: how soon it stands there, and how soon a key does. */
async function withHistory({ dsh, home, cwd, quick }: Bench): Promise<Line[]> {
  const id = '0history'
  await storeLog(join(home, '.local/share/dsh'), { id, cwd, log: 'plain', events: 5 * HISTORY_MESSAGES / 2 })
  const ready: number[] = []
  const keys: number[] = []
  const memory: number[] = []
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const run = await inTerminal({ args: [...dsh.args.filter(arg => arg !== '-p'), '-r', id], cwd, home, answers: () => textAnswer('more') })
    try {
      ready.push(run.readyMs)
      await sleep(500)
      for (const key of 'abcdefgh') keys.push(await run.timed(key, key))
      // What is typed would keep Ctrl-D from ending it.
      await run.timed('\u0003', '\u001b[?2026l')
      memory.push(run.memoryMb('VmRSS'))
    } finally {
      await run.close()
    }
  }
  return [
    { row: 'terminal: 5,000 messages, ready', unit: 'ms', limit: '', ours: figureOf(ready) },
    { row: 'terminal: 5,000 messages, key → paint', unit: 'ms', limit: '≤ 16 ms', ours: figureOf(keys) },
    { row: 'terminal: 5,000 messages, memory', unit: 'MB', limit: '', ours: figureOf(memory) },
  ]
}

interface Figures {
  readyMs: number
  idleMb: number
  idlePercent: number
  requestMs: number
  steadyPercent: number
  floodMs: number
  peakMb: number
  keyMs: number
}

type Floor = Pick<Figures, 'readyMs' | 'requestMs'>

async function measureFloor(run: InTerminal): Promise<Floor> {
  try {
    await sleep(1000)
    await run.timed('go', 'go')
    return { readyMs: run.readyMs, requestMs: await run.timedRequest('\r') }
  } finally {
    await run.close()
  }
}

async function measureRun(run: InTerminal): Promise<Figures> {
  try {
    // What the first message needs is made ready right after the first frame.
    await sleep(1000)
    const idleFrom = run.cpuSeconds()
    await sleep(IDLE_MS)
    const idlePercent = (100 * (run.cpuSeconds() - idleFrom)) / (IDLE_MS / 1000)
    const idleMb = run.memoryMb('VmRSS')
    await run.timed('go', 'go')
    const requestMs = await run.timedRequest('\r')
    await sleep(500)
    const floodMs = await run.timed('again\r', 'FLOOD-END')
    const peakMb = run.memoryMb('VmHWM')
    await sleep(500)
    const keyMs = await run.timed('x', 'x')
    const steadyFrom = run.cpuSeconds()
    const steadyMs = await run.timed('\r', 'STEADY-END')
    const steadyPercent = (100 * (run.cpuSeconds() - steadyFrom)) / (steadyMs / 1000)
    await sleep(300)
    return { readyMs: run.readyMs, idleMb, idlePercent, requestMs, steadyPercent, floodMs, peakMb, keyMs }
  } finally {
    await run.close()
  }
}
