/** `ctx.tools`: what agents can do, and the one way to do it. */

import { Service, type Context } from 'cordis'
import { findNonJson } from '@deepseek-ai/dsh-json'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { outside, reaches, scopeOf, type Scope } from '@deepseek-ai/dsh-scope'
import type {} from '@deepseek-ai/dsh-system-prompt'
import { nearest } from '@deepseek-ai/dsh-text'
import { ToolError } from './errors.ts'
import { errorResult, executeTool } from './execute-tool.ts'
import type { ToolConcurrency, ToolDefinition, ToolExecution, ToolExecutionResult } from './types.ts'
import { createValidator, type ArgsValidator } from './validate-args.ts'

declare module 'cordis' {
  interface Context {
    tools: ToolRegistry
  }
}

/** What every provider accepts as a tool name. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/

export interface ToolRegistryConfig {
  /** A longer text in a result is cut in the middle, in UTF-16 units. Default 200,000. */
  maxResultLength?: number
}

interface Registered {
  owner: Scope | undefined
  tool: ToolDefinition
}

export class ToolRegistry extends Service {
  static readonly provide = 'tools'
  static readonly inject = ['systemPrompt']

  private readonly registered = new Set<Registered>()
  private readonly validators = new WeakMap<ToolDefinition, Promise<ArgsValidator>>()
  private readonly maxResultLength: number

  constructor(ctx: Context, config: ToolRegistryConfig = {}) {
    super(ctx, 'tools')
    this.maxResultLength = config.maxResultLength ?? 200_000
    ctx.systemPrompt.tools(scope => this.schemas(scope))
  }

  /**
   * Offers a tool to all agents, or to those of the caller's scope. A name can
   * be taken once per scope: a second throws `DUPLICATE_TOOL`. In a deeper
   * scope it replaces the outer one. Throws `INVALID_NAME` and
   * `INVALID_SCHEMA` for what no provider would take.
   */
  register(tool: ToolDefinition): () => void {
    const owner = scopeOf(this.ctx)
    const { registered } = this
    if (!LEGAL_NAME.test(tool.name)) throw new ToolError('INVALID_NAME', `"${tool.name}" cannot be a tool name: 1 to 64 letters, digits, underscores and dashes`)
    const fault = tool.parameters['type'] === 'object' ? findNonJson(tool.parameters, 'parameters') : 'the root must be of type object'
    if (fault !== undefined) throw new ToolError('INVALID_SCHEMA', `the tool "${tool.name}" has an unusable schema: ${fault}`)
    for (const other of registered) {
      if (other.owner === owner && other.tool.name === tool.name) throw new ToolError('DUPLICATE_TOOL', `the tool "${tool.name}" is registered already`)
    }
    const { root } = this.ctx
    return this.ctx.effect(() => {
      const entry: Registered = { owner, tool }
      registered.add(entry)
      root.emit('tools/change')
      return () => {
        registered.delete(entry)
        root.emit('tools/change')
      }
    }, `tools.register(${tool.name})`)
  }

  /** The tool that an agent of `scope` gets under this name. */
  get(name: string, scope?: Scope): ToolDefinition | undefined {
    return this.visible(scope).get(name)
  }

  /** All tools that an agent of `scope` sees, sorted by name. */
  list(scope?: Scope): ToolDefinition[] {
    return [...this.visible(scope).values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** What the model is told about them: nothing but the fields of a schema. */
  schemas(scope?: Scope): ToolSchema[] {
    return this.list(scope).map(({ name, description, parameters, strict }) => ({ name, description, parameters, ...(strict !== undefined && { strict }) }))
  }

  /** How the call may overlap with its neighbours; `exclusive` when the tool is unknown or cannot tell. */
  concurrencyOf(call: Pick<ToolExecution, 'name' | 'arguments' | 'agent'>): ToolConcurrency {
    const concurrency = this.get(call.name, call.agent?.scope)?.concurrency
    if (typeof concurrency !== 'function') return concurrency ?? 'exclusive'
    try {
      return concurrency(call.arguments)
    } catch (error) {
      this.ctx.logger.warn('the tool %s cannot tell whether it may run in parallel: %s', call.name, error)
      return 'exclusive'
    }
  }

  /**
   * Runs one call through the pipeline; never rejects. Resolves only against
   * `advertised`, the names that the request offered, when it is given.
   */
  async execute(call: ToolExecution, advertised?: ReadonlySet<string>): Promise<ToolExecutionResult> {
    const scope = call.agent?.scope
    const tool = advertised && !advertised.has(call.name) ? undefined : this.get(call.name, scope)
    if (!tool) return errorResult(call, this.unknown(call.name, advertised ?? this.visible(scope).keys()))
    const { root } = this.ctx
    return await executeTool({ root, subject: scope ?? outside, validatorOf: each => this.validatorOf(each), maxResultLength: this.maxResultLength }, tool, call)
  }

  private validatorOf(tool: ToolDefinition): Promise<ArgsValidator> {
    const known = this.validators.get(tool)
    if (known) return known
    const created = createValidator(tool.parameters)
    this.validators.set(tool, created)
    return created
  }

  private visible(scope: Scope | undefined): Map<string, ToolDefinition> {
    const found = new Map<string, Registered>()
    for (const each of this.registered) {
      const known = found.get(each.tool.name)
      if (reaches(each.owner, scope) && (!known || reaches(known.owner, each.owner))) found.set(each.tool.name, each)
    }
    return new Map([...found].map(([name, { tool }]) => [name, tool]))
  }

  private unknown(name: string, known: Iterable<string>): ToolError {
    const names = [...known].sort()
    const meant = nearest(name.trim().replace(/^functions[.:]/, ''), names)
    const hint = meant ? `did you mean "${meant}"? ` : ''
    return new ToolError('UNKNOWN_TOOL', `there is no tool "${name}"; ${hint}Available: ${names.join(', ') || 'none'}`)
  }
}
