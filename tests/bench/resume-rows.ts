/** The rows of the table that go on with a long session. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { figureOf, type Line } from './figures.ts'
import { measure, type Measured, type Program } from './measure.ts'
import type { Bench } from './rows.ts'
import { storeLog } from './store-log.ts'

const STEPS = 400
const EVENTS = 100_000

/** From the start of the program to the first request: of a session of 400 reads of 4 KB, and of one of 100,000 events, most of them streamed. */
export async function resume(bench: Bench): Promise<Line[]> {
  const { dsh, home, cwd } = bench
  const file = join(cwd, 'page.txt')
  await writeFile(file, `${'x'.repeat(63)}\n`.repeat(64))
  const call = { name: 'read', arguments: { file_path: file } }
  await measure(withArgs(dsh, '--session-id', '0reads'), { prompt: 'read it', cwd, home, answers: index => (index < STEPS ? callAnswer({ ...call, id: `call_${index}` }) : textAnswer('done')) })
  await storeLog(join(home, '.local/share/dsh'), { id: '0events', cwd, log: 'coding', events: EVENTS })
  return [...(await rowsOf(bench, '0reads', '400 × 4 KB', '≤ 300 ms')), ...(await rowsOf(bench, '0events', '100,000 events', ''))]
}

async function rowsOf({ dsh, home, cwd, quick }: Bench, id: string, name: string, limit: string): Promise<Line[]> {
  const runs: Measured[] = []
  for (let round = 0; round < (quick ? 3 : 9); round++) runs.push(await measure(withArgs(dsh, '-r', id), { prompt: 'go on', cwd, home, answers: () => textAnswer('done') }))
  return [
    { row: `resume ${name} → first request`, unit: 'ms', limit, ours: figureOf(runs.map(each => each.firstRequestMs)) },
    { row: `resume ${name}, peak memory`, unit: 'MB', limit: '', ours: figureOf(runs.map(each => each.peakMb)) },
  ]
}

function withArgs({ name, args }: Program, ...more: string[]): Program {
  return { name, args: [...args, ...more] }
}
