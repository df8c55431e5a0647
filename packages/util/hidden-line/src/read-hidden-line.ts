/** Asks for one line that is shown nowhere and kept nowhere. */

import type { Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { discardInput } from './discard-input.ts'
import { InputLane } from './input-lane.ts'
import type { TypedInput } from './typed-input.ts'

export interface HiddenQuestion {
  /** Shows the question: from here on nothing that is typed is shown. Called again when the process was stopped and goes on. */
  ask(): void
  /** Called once when the line is complete or given up, also by an abort; what comes behind it is still to be thrown away. */
  over?(): void
  signal?: AbortSignal
}

export interface HiddenAnswer {
  /** Undefined when none was given: Ctrl-C, Ctrl-D, or the end of input. */
  line: string | undefined
  /** Something was typed right behind it, and thrown away. */
  hasMore: boolean
}

/** Takes `input` over until it resolves; then nobody reads. Rejects with the signal's reason. */
export async function readHiddenLine(input: TypedInput, { ask, over, signal = new AbortController().signal }: HiddenQuestion): Promise<HiddenAnswer> {
  signal.throwIfAborted()
  // Loaded when somebody is asked. The other `createInterface` knows no editing keys where TERM is `dumb`; what is written here goes nowhere, so that any terminal has them.
  const { createInterface } = process.getBuiltinModule('node:readline/promises')
  const lane = new InputLane(input)
  // Of its own: the editor gives raw mode back on Ctrl-D, and what comes behind it must stay unseen, too.
  const isHidden = {}
  input.setRawMode(isHidden, true)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const editor = createInterface({ input: lane, output: nowhere, terminal: input.isTTY, historySize: 0 })
  try {
    const line = await unlessAborted(answerOf(editor, { input, lane, ask, over }), signal)
    return { line, hasMore: input.isTTY && (await discardInput(input, signal)) }
  } finally {
    editor.close()
    input.passTo(undefined)
    input.setRawMode(isHidden, false)
  }
}

function answerOf(editor: Interface, { input, lane, ask, over }: HiddenQuestion & { input: TypedInput; lane: InputLane }): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  let isAsked = true
  const settle = (line?: string): void => {
    if (!isAsked) return
    isAsked = false
    input.off('back', ask)
    // At once: what follows may have come in the same piece.
    input.passTo(undefined)
    over?.()
    resolve(line)
  }
  editor.on('line', settle)
  editor.on('SIGINT', () => settle())
  editor.on('close', () => settle())
  editor.on('SIGTSTP', () => input.suspend())
  editor.on('error', reject)
  input.on('back', ask)
  ask()
  input.passTo(lane)
  return promise
}
