/** The front door over the real loop with a scripted model; every line that it writes is held against the shipped schema. */

import { PassThrough } from 'node:stream'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'cordis'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ApprovalService } from '@deepseek-ai/dsh-approval'
import { FrontDoor, type ExitCode, type OutputRequest, type RunRequest } from '@deepseek-ai/dsh-front-door'
import { harness, type Harness, type HarnessOptions } from '@deepseek-ai/dsh-testkit'
import * as uiJsonl from '../src/index.ts'

export type Parsed = Record<string, any> & { type: string }

export interface Door extends AsyncDisposable {
  host: Harness
  stdin: PassThrough
  stdout: PassThrough
  /** Writes lines to the input. */
  say(...lines: unknown[]): void
  /** What has been written so far. */
  lines(): Parsed[]
  /** Resolves with the first line of which it holds. */
  saw(wanted: (line: Parsed) => boolean): Promise<Parsed>
  raw(): string
  /** The log, as it grew. */
  logged: unknown[]
  stderr(): string
  code: Promise<ExitCode>
  unload(): Promise<void>
  frontDoor: FrontDoor
}

export interface DoorOptions extends HarnessOptions {
  output?: Partial<OutputRequest>
  request?: Partial<RunRequest>
  config?: Partial<uiJsonl.UiJsonlConfig>
  /** Not opened yet. */
  closed?: boolean
  /** Nobody reads stdout. */
  unread?: boolean
}

const schema = JSON.parse(readFileSync(new URL('../schema/lines.schema.json', import.meta.url), 'utf8'))
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
const validate = ajv.compile(schema)

/** Throws when a line is none of the schema's. */
export function checkLine(line: unknown): void {
  if (!validate(line)) throw new Error(`not of the schema: ${JSON.stringify(line)}: ${ajv.errorsText(validate.errors)}`)
}

export async function openDoor({ output, request, config, closed, unread, ...options }: DoorOptions): Promise<Door> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const text = { stdout: '', stderr: '' }
  if (!unread) stdout.on('data', chunk => (text.stdout += String(chunk)))
  stderr.on('data', chunk => (text.stderr += String(chunk)))
  const host = await harness({ ...options, plugins: [ApprovalService, ...(options.plugins ?? [])] })
  const run: RunRequest = { cwd: process.cwd(), agentOptions: { model: 'script' }, verbosity: 'normal', version: '0.0.0', output: { format: 'jsonl', inputFormat: 'text', ...output }, ...request }
  const logged: unknown[] = []
  host.ctx.on('session/event', (_session, event) => void logged.push(JSON.parse(JSON.stringify(event))))
  await host.ctx.plugin(FrontDoor, { terminal: { stdin, stdout, stderr }, request: run })
  const fiber = host.ctx.plugin(uiJsonl as Plugin, config)
  await fiber
  const frontDoor = host.ctx.get('frontDoor')
  if (!frontDoor) throw new Error('there is no front door')
  if (!closed) frontDoor.open()
  const lines = (): Parsed[] => text.stdout.split('\n').slice(0, -1).map(line => {
    const parsed = JSON.parse(line) as Parsed
    checkLine(parsed)
    return parsed
  })
  return {
    host,
    stdin,
    stdout,
    say: (...given) => void stdin.write(given.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
    lines,
    async saw(wanted) {
      for (;;) {
        const found = lines().find(wanted)
        if (found) return found
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    },
    raw: () => text.stdout,
    logged,
    unload: async () => void (await fiber.dispose()),
    stderr: () => text.stderr,
    code: frontDoor.finished,
    frontDoor,
    [Symbol.asyncDispose]: () => host.dispose(),
  }
}
