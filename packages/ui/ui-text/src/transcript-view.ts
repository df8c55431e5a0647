/** Shows a conversation as it goes: answers on stdout as they stream, everything about them above the typed line. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describeEnd } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import type { LineReader } from './line-reader.ts'
import { renderProgress } from './progress.ts'
import { renderResult } from './render-call.ts'

export class TranscriptView {
  private readonly lines: LineReader
  private readonly stdout: NodeJS.WritableStream
  /** An answer is being written, and its last line is not complete. */
  private isMidLine = false

  constructor(lines: LineReader, stdout: NodeJS.WritableStream) {
    this.lines = lines
    this.stdout = stdout
  }

  show(event: SessionEvent): void {
    if (event.type === 'assistant/chunk') {
      if (event.data.chunk.type === 'text-delta') this.stream(stripControls(event.data.chunk.text))
      return
    }
    const line = renderLine(event)
    if (line === undefined && event.type !== 'assistant/message') return
    this.endStream()
    if (line !== undefined) this.lines.print(`${line}\n`)
  }

  private stream(text: string): void {
    if (text === '') return
    this.lines.hold()
    this.stdout.write(text)
    this.isMidLine = !text.endsWith('\n')
  }

  private endStream(): void {
    if (this.isMidLine) this.stdout.write('\n')
    this.isMidLine = false
    this.lines.release()
  }
}

function renderLine(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'tool/result':
      return renderResult(event.data)
    case 'turn/end': {
      const end = describeEnd(event.data.reason)
      return end === undefined ? undefined : `! ${stripControls(end)}`
    }
    default:
      return renderProgress(event, 'normal')
  }
}
