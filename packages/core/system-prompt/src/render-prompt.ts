/** Turns an assembly into the system text. Pure. */

import type { PromptAssembly } from './types.ts'

/** The texts of all sections, empty ones left out, with a blank line between them. */
export function renderPrompt({ sections }: PromptAssembly): string {
  return sections.map(({ text }) => (typeof text === 'function' ? text() : text).trim()).filter(text => text !== '').join('\n\n')
}
