/** What a user can choose in a session: permission mode, model, effort. The modes are told in the older form, too. */

import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-approval'
import type {} from '@deepseek-ai/dsh-llm'
import { nearest } from '@deepseek-ai/dsh-text'
import { invalidParams } from './errors.ts'

/** The ids of the options. */
export type ConfigId = 'mode' | 'model' | 'effort'

/** Stands for an effort that nobody chose. */
const DEFAULT_EFFORT = 'default'

export class ConfigOptions {
  readonly #ctx: Context
  readonly #agent: Agent
  readonly #discovered: () => readonly string[]

  /** `discovered`: models that providers offer beside those that are known. */
  constructor(ctx: Context, agent: Agent, discovered: () => readonly string[]) {
    this.#ctx = ctx
    this.#agent = agent
    this.#discovered = discovered
  }

  /** The most important first. */
  list(): SessionConfigOption[] {
    const { model = '', effort = DEFAULT_EFFORT } = this.#agent.options
    const modes = this.#modes()
    const efforts = this.#efforts()
    return [
      ...(modes ? [select('mode', 'Permissions', modes.availableModes.map(({ id, name, description }) => ({ value: id, name, description: description ?? undefined })), modes.currentModeId)] : []),
      select('model', 'Model', this.#models().map(name => ({ value: name, name })), model),
      ...(efforts.length > 0 ? [select('effort', 'Effort', [DEFAULT_EFFORT, ...efforts].map(name => ({ value: name, name: capitalized(name) })), effort)] : []),
    ]
  }

  /** Undefined where nobody decides about permissions. */
  modes(): SessionModeState | undefined {
    return this.#modes()
  }

  /** Throws -32602 for an option or a value that there is not. */
  set(id: string, value: unknown): ConfigId {
    const option = this.list().find(each => each.id === id)
    if (!option || option.type !== 'select') throw invalidParams(`there is no option "${id}"; there are ${this.list().map(each => each.id).join(', ')}`)
    const values = option.options.flatMap(each => ('value' in each ? [each.value] : each.options.map(inner => inner.value)))
    // Any model may be named: a provider may serve more than it lists.
    const isKnown = typeof value === 'string' && (values.includes(value) || (id === 'model' && value !== '' && this.#ctx.llm.serves(value)))
    if (!isKnown) {
      const meant = typeof value === 'string' ? nearest(value, values) : undefined
      throw invalidParams(`"${String(value)}" is no ${id}; ${meant ? `did you mean "${meant}"?` : `there are ${values.join(', ')}`}`)
    }
    this.#apply(id as ConfigId, value)
    return id as ConfigId
  }

  #apply(id: ConfigId, value: string): void {
    if (id === 'mode') this.#ctx.approval.setMode(this.#agent.session, value)
    else if (id === 'model') this.#agent.configure({ model: value })
    else this.#agent.configure({ effort: value === DEFAULT_EFFORT ? undefined : value })
  }

  #modes(): SessionModeState | undefined {
    const { approval } = this.#ctx
    const current = approval.modeOf(this.#agent.session)
    const modes = approval.modes()
    if (current === undefined || modes.length === 0) return undefined
    return { currentModeId: current, availableModes: modes.map(({ name, description }) => ({ id: name, name: capitalized(name), description })) }
  }

  #models(): string[] {
    const { model } = this.#agent.options
    return [...new Set([...(model === undefined ? [] : [model]), ...this.#ctx.llm.models(), ...this.#discovered()])]
  }

  #efforts(): readonly string[] {
    const { model } = this.#agent.options
    return model === undefined ? [] : (this.#ctx.llm.info(model)?.efforts ?? [])
  }
}

interface Choice {
  value: string
  name: string
  description?: string | undefined
}

function select(id: ConfigId, name: string, choices: readonly Choice[], currentValue: string): SessionConfigOption {
  const category = id === 'effort' ? 'thought_level' : id
  const options = choices.map(({ value, name: shown, description }) => ({ value, name: shown, ...(description !== undefined && { description }) }))
  return { id, name, category, type: 'select', currentValue, options }
}

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
