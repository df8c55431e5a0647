/** The vocabulary of prompt assembly. Types only. */

import type { ToolSchema } from '@deepseek-ai/dsh-llm'

/** A named piece of the system text. Lower `order` comes first; equal orders keep the order of registration. */
export interface PromptSection {
  name: string
  order: number
  /** A function is called at every assembly and must be quick; keep what it returns stable, or every request misses the prompt cache. Empty text leaves the section out. */
  text: string | (() => string)
}

/** What the model is told: the ordered sections and the tools, sorted by name. Plugins may merge fields of their own into it. */
export interface PromptAssembly {
  sections: PromptSection[]
  tools: ToolSchema[]
}
