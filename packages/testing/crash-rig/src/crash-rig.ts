/** Kills a process that talks to a model, at random moments, and judges what it left behind. */

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Announcement } from './announcement.ts'
import { judge } from './judge.ts'
import type { Backend } from './mount-spine.ts'

/** What was announced so long before the kill, and before the last sign that the process was given time to run, had to reach the operating system. */
const PROMISE_MS = 50

/** The kill comes at a random moment after the victim began. */
const LONGEST_LIFE_MS = 600

/** Every session is killed so often before there is a new one: resuming is tried as much as beginning. */
const KILLS_A_SESSION = 4

export interface RigReport {
  backend: Backend
  rounds: number
  /** Events that had to be there. */
  checked: number
  lost: number
  duplicated: number
  /** Rounds that left a part of a stream beside the log; always 0 where it is kept in one place. */
  inFlight: number
  /** With the round in front. */
  faults: string[]
}

/** `onRound` is told after each. */
export async function runCrashRig(backend: Backend, rounds: number, onRound: (round: number) => void = () => undefined): Promise<RigReport> {
  const report: RigReport = { backend, rounds, checked: 0, lost: 0, duplicated: 0, inFlight: 0, faults: [] }
  const root = mkdtempSync(join(tmpdir(), 'dsh-crash-'))
  let before: Announcement[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const sessionId = `crash-${Math.floor(round / KILLS_A_SESSION)}`
      if (round % KILLS_A_SESSION === 0) before = []
      const { announced, ranUntil } = await runVictim(backend, root, sessionId, join(root, `round-${round}`))
      if (leftInFlight(root, sessionId)) report.inFlight++
      const verdict = await judge({ backend, root, sessionId, announced, before, deadline: ranUntil - PROMISE_MS })
      before = verdict.left
      report.checked += verdict.checked
      report.lost += verdict.lost
      report.duplicated += verdict.duplicated
      report.faults.push(...verdict.faults.map(fault => `round ${round}: ${fault}`))
      onRound(round)
    }
    return report
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function runVictim(backend: Backend, root: string, sessionId: string, file: string): Promise<{ announced: Announcement[]; ranUntil: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'victim.ts'), backend, root, sessionId, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  await ready(child)
  await new Promise(resolve => setTimeout(resolve, Math.random() * LONGEST_LIFE_MS))
  const gone = new Promise(resolve => child.once('exit', resolve))
  const killedAt = Date.now()
  child.kill('SIGKILL')
  await gone
  const { announced, lastSign } = readAnnouncements(file)
  // On a busy machine a process may get no time at all before it is killed; no timer of its own can help it then.
  return { announced, ranUntil: Math.min(killedAt, lastSign) }
}

/** Whether the killed process had not moved all that it streamed to the log. */
function leftInFlight(root: string, sessionId: string): boolean {
  const journal = readdirSync(root, { recursive: true }).map(String).find(path => path.endsWith(`${sessionId}.stream.jsonl`))
  return journal !== undefined && statSync(join(root, journal)).size > 0
}

function ready(child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.on('data', (bytes: Buffer) => (said += String(bytes)))
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', code => reject(new Error(`the victim ended by itself (${code}): ${said}`)))
  })
}

/** The last line may be torn. */
function readAnnouncements(file: string): { announced: Announcement[]; lastSign: number } {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1).map(line => line.split(' '))
  const lastSign = Number(lines.findLast(([seq]) => seq === '-')?.[1] ?? 0)
  const announced = lines.filter(([seq]) => seq !== '-').map(([seq, time, mark = '']) => ({ seq: Number(seq), time: Number(time), mark }))
  return { announced, lastSign }
}
