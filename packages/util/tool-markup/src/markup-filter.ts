/**
 * Finds the model's own tool-call markup where a server let it leak into the
 * text, and reads it back into calls. Pure and incremental.
 *
 * Two generations of it (bars are full-width or ASCII, single or double):
 *
 *     <｜DSML｜function_calls>                     or tool_calls; the wrapper may be missing
 *     <｜DSML｜invoke name="bash">
 *     <｜DSML｜parameter name="command" string="true">ls</｜DSML｜parameter>
 *     </｜DSML｜invoke>
 *     </｜DSML｜function_calls>
 *
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command":"ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Markup that is quoted (a code fence, inline code, a block quote) is text.
 */

import { parseDsmlBlock, parseTokenBlock, type Block } from './markup-blocks.ts'
import { QuoteTracker } from './quote-tracker.ts'

/** Openings with every run of bars as one ASCII bar and every low block as an underscore. */
const OPENINGS = ['<|DSML|function_calls', '<|DSML|tool_calls', '<|DSML|invoke', '<|tool_calls_begin|>', '<|tool_call_begin|>']
/** Longer than any opening in any spelling. */
const LONGEST_OPENING = 40

/** A call that was read from markup. `arguments` is JSON text. */
export interface LeakedCall {
  name: string
  arguments: string
}

/** What remained when the text ended. */
export interface MarkupEnd {
  /** Text that had been held back and is text after all. */
  text: string
  calls: LeakedCall[]
  /** Unquoted markup that is cut off, broken, or names a tool that does not exist. */
  broken: boolean
}

/** Feed it the text of one answer; what it returns may be shown. */
export class MarkupFilter {
  private readonly quotes = new QuoteTracker()
  private readonly isTool: (name: string) => boolean
  private tail = ''
  /** Set once an unquoted opening was seen: from there on everything is held. */
  private held: string[] | undefined

  constructor(isTool: (name: string) => boolean) {
    this.isTool = isTool
  }

  /** Whether an unquoted opening has been seen. */
  get holding(): boolean {
    return this.held !== undefined
  }

  push(piece: string): string {
    if (this.held) {
      this.held.push(piece)
      return ''
    }
    if (this.tail === '' && !piece.includes('<')) {
      this.quotes.feed(piece)
      return piece
    }
    return this.scan(this.tail + piece)
  }

  /** Reads what was held. Call it once. */
  end(): MarkupEnd {
    const result: MarkupEnd = { text: this.tail, calls: [], broken: false }
    if (!this.held) return result
    const held = this.held.join('')
    const texts: string[] = []
    let from = 0
    while (from < held.length) {
      const at = this.nextOpening(held, from)
      texts.push(held.slice(from, at))
      if (at >= held.length) break
      const block = readBlock(held, at)
      if (block.kind === 'whole' && block.calls.every(call => this.isTool(call.name))) {
        result.calls.push(...block.calls)
        from = block.end
      } else if (block.kind === 'prose' && !this.quotes.atLineStart) {
        texts.push(held.slice(at, at + 1))
        this.quotes.feed('<')
        from = at + 1
      } else {
        result.broken = true
        break
      }
    }
    result.text = texts.join('')
    return result
  }

  private scan(text: string): string {
    this.tail = ''
    let from = 0
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
      const match = matchOpening(text, at)
      if (match === 'none') continue
      this.quotes.feed(text.slice(from, at))
      const shown = text.slice(0, at)
      if (match === 'partial') {
        this.tail = text.slice(at)
        return shown
      }
      if (!this.quotes.quoted) {
        this.held = [text.slice(at)]
        return shown
      }
      from = at
    }
    this.quotes.feed(text.slice(from))
    return text
  }

  /** The next unquoted opening; feeds what it passes to the tracker. */
  private nextOpening(text: string, from: number): number {
    let fed = from
    for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
      if (matchOpening(text, at) !== 'full') continue
      this.quotes.feed(text.slice(fed, at))
      fed = at
      if (!this.quotes.quoted) return at
    }
    this.quotes.feed(text.slice(fed))
    return text.length
  }
}

/** Whether text of another kind (reasoning) holds an opening anywhere. */
export function holdsMarkup(text: string): boolean {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (matchOpening(text, at) === 'full') return true
  }
  return false
}

function matchOpening(text: string, at: number): 'full' | 'partial' | 'none' {
  const next = text[at + 1]
  if (next !== undefined && next !== '|' && next !== '｜') return 'none'
  const plain = text.slice(at, at + LONGEST_OPENING).replace(/[|｜]{1,2}/g, '|').replace(/[▁ ]/g, '_')
  if (OPENINGS.some(opening => plain.startsWith(opening))) return 'full'
  return OPENINGS.some(opening => opening.startsWith(plain)) ? 'partial' : 'none'
}

function readBlock(text: string, at: number): Block {
  return text.startsWith('DSML', at + 2) || text.startsWith('DSML', at + 3) ? parseDsmlBlock(text, at) : parseTokenBlock(text, at)
}
