/** Recognises greetings, questions about the stand-in, delegation and questions to pass on. Pure. */

import { unmask, valueOf, type Quoted } from './mask-quotes.ts'
import type { Command } from './types.ts'

const HELP = /^(?:help|\?|(?:say\s+)?(?:hi|hello|hey)|hello\s+there|good\s+(?:morning|day|evening)|test|ping|(?:show\s+me\s+|tell\s+me\s+)?what\s+(?:can\s+(?:you|i)|you\s+can|i\s+can)\s+do(?:\s+here)?|what\s+(?:commands|things)\s+do\s+you\s+(?:know|understand)|who\s+are\s+you|what\s+are\s+you|(?:what|which)\s+model\s+(?:are\s+you|is\s+this)|how\s+do\s+(?:you|i\s+use\s+(?:you|this))(?:\s+work)?)$/i
const DELEGATE = /^(?:delegate(?:\s+to\s+a\s+sub-?agent)?|(?:ask|use|start|spawn|have)\s+(?:a|the)\s+sub-?agent(?:\s+to)?|sub-?agent)\s*:?\s+([\s\S]+)$/i
const ASK = /^ask\s+(?:me|the\s+user)\s*:?\s+([\s\S]+)$/i

export function recogniseTalk(text: string, quoted: readonly Quoted[]): Command | undefined {
  if (HELP.test(text.replace(/[!.?]+$/, '') || text)) return { kind: 'help' }
  const prompt = DELEGATE.exec(text)?.[1]
  if (prompt !== undefined) return { kind: 'delegate', prompt: said(prompt, quoted) }
  const question = ASK.exec(text)?.[1]
  return question === undefined ? undefined : { kind: 'ask', question: said(question, quoted) }
}

/** One quotation stands for its inside; a sentence keeps its quotes. */
function said(text: string, quoted: readonly Quoted[]): string {
  return /^\uE000\d+\uE001$/.test(text.trim()) ? valueOf(text, quoted) : unmask(text.trim(), quoted)
}
