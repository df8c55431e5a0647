/** The front door for scripts: lines of JSON out, and in where they are asked for. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-approval'
import { serveRun, type InputFormat, type Interrupt, type OutputFormat, type OutputRequest } from '@deepseek-ai/dsh-front-door'
import { jsonLine, LineOutput } from '@deepseek-ai/dsh-json-lines'
import { NativeInput } from './native-input.ts'
import { NativeLines, ResultOnly } from './native-lines.ts'
import { outcomeOfFailure, outcomeOfSignal } from './outcome.ts'
import { runScript } from './script-run.ts'
import { StreamInput } from './stream-input.ts'
import { StreamLines } from './stream-lines.ts'
import type { InputProtocol, LineFormat, Outcome } from './types.ts'

export const name = 'ui-jsonl'
export const inject = ['agents', 'approval', 'frontDoor']

export interface UiJsonlConfig {
  maxLineBytes: number
}

export const Config: z<UiJsonlConfig> = z.object({
  maxLineBytes: z.natural().min(1024).default(20 * 1024 * 1024).description('The longest line of the input that is taken, in bytes.'),
})

/** The formats are those of the front door's request; without one, `jsonl` out and text in. */
export function apply(ctx: Context, { maxLineBytes }: UiJsonlConfig): void {
  const { frontDoor } = ctx
  const request: OutputRequest = frontDoor.request.output ?? { format: 'jsonl', inputFormat: 'text' }
  const format = formatOf(request)
  const output = new LineOutput(frontDoor.terminal.stdout)
  const protocol = protocolOf(request.inputFormat)
  // Without anybody who answers, what needs a permission is refused at once.
  if (protocol) ctx.approval.setAnswerer(protocol.answerer({ write: line => output.push(line) }))
  const endWith = async (outcome: Outcome): Promise<void> => {
    if (output.last !== 'result') output.push(format.result(outcome))
    await output.flushed()
  }
  ctx.effect(() => frontDoor.onLastWords((error, message) => endWith(outcomeOfFailure(error, message))), 'ui-jsonl last words')
  void serveRun(ctx, () => runScript(ctx, { output, format, maxLineBytes, ...(protocol && { protocol }) }), {
    stopped: signal => endWith(outcomeOfSignal(signal)),
    failed: (error, message) => endWith(outcomeOfFailure(error, message)),
  })
}

/** The line that tells of a run which no front door could begin. */
export function failureLine(format: OutputFormat, error: unknown, message: string): string {
  return jsonLine(formatOf({ format, inputFormat: 'text' }).result(outcomeOfFailure(error, message)))
}

/** The line that tells of a signal which came before any front door. */
export function signalLine(format: OutputFormat, signal: Interrupt): string {
  return jsonLine(formatOf({ format, inputFormat: 'text' }).result(outcomeOfSignal(signal)))
}

function formatOf({ format, includePartialMessages }: OutputRequest): LineFormat {
  if (format === 'stream-json') return new StreamLines({ includePartialMessages: includePartialMessages === true })
  return format === 'json' ? new ResultOnly() : new NativeLines()
}

function protocolOf(format: InputFormat): InputProtocol | undefined {
  if (format === 'stream-json') return new StreamInput()
  return format === 'jsonl' ? new NativeInput() : undefined
}
