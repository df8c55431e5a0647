/** `ctx.systemPrompt`: ordered sections and tool schemas, put together for one request. */

import { Service, type Context } from 'cordis'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { outside, reaches, scopeOf, type Scope } from '@deepseek-ai/dsh-scope'
import type { PromptAssembly, PromptSection } from './types.ts'

declare module 'cordis' {
  interface Context {
    systemPrompt: SystemPrompt
  }
}

/** Names the tools that a reader in `scope` is offered. */
export type ToolProvider = (scope: Scope | undefined) => readonly ToolSchema[]

interface Owned<T> {
  owner: Scope | undefined
  value: T
}

export class SystemPrompt extends Service {
  static readonly provide = 'systemPrompt'

  private readonly registered = new Set<Owned<PromptSection>>()
  private readonly providers = new Set<Owned<ToolProvider>>()

  constructor(ctx: Context) {
    super(ctx, 'systemPrompt')
  }

  /**
   * Contributes a section, for all agents or for those of the caller's scope.
   * Within one scope a name can be taken once: a second throws
   * `DUPLICATE_SECTION`. In a deeper scope it replaces the outer one.
   */
  section(section: PromptSection): () => void {
    const owner = scopeOf(this.ctx)
    const { registered } = this
    for (const other of registered) {
      if (other.owner === owner && other.value.name === section.name) throw new HarnessError('DUPLICATE_SECTION', `the prompt section "${section.name}" exists already`)
    }
    return this.contribute(registered, { owner, value: section }, `systemPrompt.section(${section.name})`)
  }

  /** Contributes tool schemas. */
  tools(provider: ToolProvider): () => void {
    return this.contribute(this.providers, { owner: scopeOf(this.ctx), value: provider }, 'systemPrompt.tools()')
  }

  /** The sections that an agent of `scope` sees, in order, without running the waterfall. */
  sections(scope?: Scope): PromptSection[] {
    const byName = new Map<string, Owned<PromptSection>>()
    for (const each of this.registered) {
      const known = byName.get(each.value.name)
      if (reaches(each.owner, scope) && (!known || reaches(known.owner, each.owner))) byName.set(each.value.name, each)
    }
    return [...byName.values()].map(({ value }) => ({ ...value })).sort((a, b) => a.order - b.order)
  }

  /** Everything an agent of `scope` is told, through the `system-prompt/assemble` waterfall. Tools are sorted by name. */
  async assemble(scope?: Scope): Promise<PromptAssembly> {
    const tools = [...this.providers].filter(({ owner }) => reaches(owner, scope)).flatMap(({ value }) => value(scope))
    const assembly: PromptAssembly = { sections: this.sections(scope), tools: tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
    return await this.ctx.root.waterfall(scope ?? outside, 'system-prompt/assemble', assembly, () => Promise.resolve(assembly))
  }

  private contribute<T>(set: Set<T>, entry: T, label: string): () => void {
    const { root } = this.ctx
    return this.ctx.effect(() => {
      set.add(entry)
      root.emit('system-prompt/change')
      return () => {
        set.delete(entry)
        root.emit('system-prompt/change')
      }
    }, label)
  }
}
