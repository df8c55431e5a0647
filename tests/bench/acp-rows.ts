/** The rows of the speed table about editors: how long an agent takes to be ready, to open a session, and to answer. */

import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { MockLlmServer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { figureOf, type Line } from './figures.ts'
import { cleanEnv } from './measure.ts'
import type { Bench } from './rows.ts'

/** As a client sees one run, in milliseconds. */
interface Felt {
  initialize: number
  create: number[]
  prompts: number[]
}

/** Before these, code is still being compiled. */
const WARM_UP = 5

export async function acp({ dsh, home, cwd, quick }: Bench): Promise<Line[]> {
  const runs: Felt[] = []
  for (let round = 0; round < (quick ? 5 : 15); round++) runs.push(await feel([dsh.args[0] ?? '', 'acp'], { home, cwd, prompts: quick ? 20 : 50 }))
  return [
    { row: 'ACP: start → initialized', limit: '≤ 200 ms', unit: 'ms', ours: figureOf(runs.map(each => each.initialize)) },
    { row: 'ACP: session/new, the first', limit: '≤ 20 ms', unit: 'ms', ours: figureOf(runs.map(each => each.create[0])) },
    { row: 'ACP: session/new, later', limit: '≤ 20 ms', unit: 'ms', ours: figureOf(runs.flatMap(each => each.create.slice(1))) },
    { row: 'ACP: prompt, the first, model included', limit: '', unit: 'ms', ours: figureOf(runs.map(each => each.prompts[0])) },
    { row: 'ACP: prompt, later, model included', limit: '≤ 10 ms', unit: 'ms', ours: figureOf(runs.flatMap(each => each.prompts.slice(WARM_UP))) },
  ]
}

async function feel(args: readonly string[], { home, cwd, prompts }: { home: string; cwd: string; prompts: number }): Promise<Felt> {
  await using server = await MockLlmServer.start({ script: () => textAnswer('done'), validate: 'off' })
  const begun = performance.now()
  const child = spawn(process.execPath, args, { cwd, env: cleanEnv(home, server.url), stdio: ['pipe', 'pipe', 'ignore'] })
  const wire = new Wire(child)
  await wire.ask('initialize', { protocolVersion: 1, clientCapabilities: {} })
  const felt: Felt = { initialize: performance.now() - begun, create: [], prompts: [] }
  let sessionId: unknown
  for (let i = 0; i < 5; i++) {
    const [ms, result] = await timed(() => wire.ask('session/new', { cwd, mcpServers: [] }))
    felt.create.push(ms)
    ;({ sessionId } = result)
  }
  for (let i = 0; i < prompts; i++) felt.prompts.push((await timed(() => wire.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go on' }] })))[0])
  child.stdin.end()
  await new Promise(resolve => child.once('close', resolve))
  return felt
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const begun = performance.now()
  const result = await work()
  return [performance.now() - begun, result]
}

/** Nothing but lines, so that the client costs next to nothing. */
class Wire {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (result: Record<string, unknown>) => void>()
  #id = 0

  constructor(child: ChildProcess) {
    this.#child = child
    if (!child.stdout) throw new Error('the agent has no output')
    createInterface({ input: child.stdout }).on('line', line => {
      if (!line.includes('"result"') && !line.includes('"error"')) return
      const { id, result, error } = JSON.parse(line) as { id: number; result?: Record<string, unknown>; error?: unknown }
      if (error !== undefined) throw new Error(`the agent answers ${JSON.stringify(error)}`)
      this.#waiting.get(id)?.(result ?? {})
    })
  }

  ask(method: string, params: unknown): Promise<Record<string, unknown>> {
    const id = ++this.#id
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise(resolve => this.#waiting.set(id, resolve))
  }
}
