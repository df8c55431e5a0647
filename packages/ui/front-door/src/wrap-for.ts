/** Lines on stderr as somebody reads them who sits before it: broken at words. */

import { wrapWords } from '@deepseek-ai/dsh-text'
import type { Terminal } from './types.ts'

/** As it is where stderr is no terminal. */
export function wrapFor({ stderr: { isTTY, columns } }: Pick<Terminal, 'stderr'>, text: string): string {
  return isTTY === true && columns !== undefined && columns > 0 ? wrapWords(text, columns) : text
}
