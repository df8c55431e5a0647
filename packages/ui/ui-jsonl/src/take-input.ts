/** Reads the input to its end and has each line acted upon; a bad line is told, and the next one counts again. */

import { describeError, isHarnessError } from '@deepseek-ai/dsh-errors'
import { parseJsonObject } from '@deepseek-ai/dsh-json'
import { readLines, type InputLine } from '@deepseek-ai/dsh-json-lines'
import type { Complaint, InputProtocol, ScriptHost } from './types.ts'

export interface TakeInputOptions {
  protocol: InputProtocol
  host: ScriptHost
  maxLineBytes: number
  complain(complaint: Complaint): void
}

/** Never rejects: an input that cannot be read any more has ended. */
export async function takeInput(stdin: NodeJS.ReadableStream, options: TakeInputOptions): Promise<void> {
  try {
    for await (const line of readLines(stdin as AsyncIterable<Uint8Array | string>, options.maxLineBytes)) takeLine(line, options)
  } catch (error) {
    options.complain({ code: 'INPUT_FAILED', message: `the input cannot be read any more: ${describeError(error)}` })
  }
}

function takeLine(line: InputLine, { protocol, host, complain }: TakeInputOptions): void {
  if (line.kind === 'bad') return complain({ code: line.code, message: line.message, line: line.number })
  const parsed = parseJsonObject(line.text)
  if (parsed.kind === 'invalid') return complain({ code: 'BAD_LINE', message: parsed.message, line: line.number })
  try {
    protocol.take(parsed.value, host)
  } catch (error) {
    complain({ code: isHarnessError(error) ? error.code : 'BAD_LINE', message: describeError(error), line: line.number })
  }
}
