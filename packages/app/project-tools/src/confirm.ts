/** Asks a yes-or-no question on the terminal. */

import { createInterface } from 'node:readline'
import type { Terminal } from '@deepseek-ai/dsh-front-door'

/** Only `y` and `yes` are a yes; the end of input and Ctrl-C are a no. */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: true })
  try {
    return await new Promise<boolean>(resolve => {
      lines.once('SIGINT', () => resolve(false))
      lines.once('close', () => resolve(false))
      lines.question(question, answer => resolve(/^y(?:es)?$/i.test(answer.trim())))
    })
  } finally {
    lines.close()
  }
}
