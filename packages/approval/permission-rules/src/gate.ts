/** The gate in front of every tool call: hears what everybody else says, has the policy judge the call, and gets an answer to what is to be asked. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ApprovalAnswer, PolicyCall } from '@deepseek-ai/dsh-approval'
import { describeError } from '@deepseek-ai/dsh-errors'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { Scope } from '@deepseek-ai/dsh-scope'
import type { Session } from '@deepseek-ai/dsh-session'
import type { PreToolDecision, ToolDefinition, ToolExecution } from '@deepseek-ai/dsh-tools'
import type { LineJudgement } from './judge-line.ts'
import type { RulePolicy } from './policy.ts'
import { ACTIONS } from './rule-book.ts'

/** Keeps rules for a project. Rejects when it cannot. */
export type KeepForProject = (rules: readonly string[], session: Session) => Promise<void>

export class Gate {
  readonly #ctx: Context
  readonly #policy: RulePolicy
  readonly #keep: KeepForProject
  /** Whose scope is whose: to find the agents above one. */
  readonly #owners = new WeakMap<Scope, Agent>()

  constructor(ctx: Context, policy: RulePolicy, keep: KeepForProject) {
    this.#ctx = ctx
    this.#policy = policy
    this.#keep = keep
  }

  /** Called for every agent, when it is there. */
  own(agent: Agent): void {
    this.#owners.set(agent.scope, agent)
  }

  /** What is decided in the end; `inner` is what the others say. A judge that fails lets nothing pass. */
  async decide(call: ToolExecution, tool: ToolDefinition, inner: PreToolDecision): Promise<PreToolDecision> {
    if (inner.kind === 'deny') return inner
    const args = (inner.kind === 'allow' && inner.arguments) || call.arguments
    const judge = (): Promise<LineJudgement> => this.#judge({ call, tool, args })
    try {
      const judgement = await judge()
      if (judgement.verdict === 'deny') return refusal(tool, judgement)
      if (inner.kind === 'allow' && judgement.verdict === 'allow') return inner
      return await this.#ask({ call, tool, args, inner, judgement, judge })
    } catch (error) {
      if (call.signal.aborted && error === call.signal.reason) throw error
      this.#ctx.logger.error('the permission policy could not judge a call of %s: %s', tool.name, describeError(error))
      return { kind: 'deny', code: 'POLICY_FAILED', reason: `whether ${tool.name} may run could not be judged: ${describeError(error)}` }
    }
  }

  /** An agent may do what all those above it may do: the strictest of their modes counts. */
  async #judge({ call: { agent, cwd, signal }, tool, args }: Asked): Promise<LineJudgement> {
    const call: PolicyCall = { tool: tool.name, ...(tool.kind && { kind: tool.kind }), arguments: args, cwd, ...(agent && { session: agent.session }) }
    const { approval } = this.#ctx
    const modes = agent ? [agent, ...this.#above(agent)].map(each => approval.modeOf(each.session) ?? this.#policy.defaultMode) : [this.#policy.defaultMode]
    const judgements: LineJudgement[] = []
    for (const mode of new Set(modes)) judgements.push(await this.#policy.judge({ ...call, mode }, signal))
    const [strictest] = judgements.toSorted((a, b) => ACTIONS.indexOf(a.verdict) - ACTIONS.indexOf(b.verdict))
    if (!strictest) throw new Error('a call was judged by nobody')
    return strictest
  }

  #above({ scope }: Agent): Agent[] {
    const above: Agent[] = []
    for (let at = scope.parent; at !== undefined; at = at.parent) {
      const owner = this.#owners.get(at)
      if (owner) above.push(owner)
    }
    return above
  }

  async #ask(asking: Asking): Promise<PreToolDecision> {
    const { call: { agent, callId, signal }, tool, args, inner, judgement, judge } = asking
    const reason = inner.kind === 'ask' ? (inner.reason ?? judgement.reason) : judgement.reason
    const unanswered = async (why?: string): Promise<PreToolDecision> => ({ kind: 'ask', reason: [reason, ...(why ? [why] : []), await this.#wayOut(asking)].join('; ') })
    if (!agent) return await unanswered()
    // What another plugin wants asked it wants asked each time.
    const remember = inner.kind === 'allow' ? judgement.remember : []
    const answer = await this.#ctx.approval.ask({
      agent, callId, tool: tool.name, arguments: args, reason, remember,
      ...(judgement.parts && { parts: judgement.parts }),
      settled: async () => (inner.kind === 'allow' && (await judge()).verdict === 'allow' ? { kind: 'allow', scope: 'once' } : undefined),
    }, signal)
    if (answer.kind === 'unavailable') return await unanswered(answer.reason)
    if (answer.kind === 'deny') return { kind: 'deny', reason: answer.reason ? `the user refused this call: ${answer.reason}` : 'the user refused this call' }
    await this.#keepIfWanted(answer, remember, agent.session)
    return inner.kind === 'allow' ? inner : { kind: 'allow' }
  }

  async #keepIfWanted(answer: ApprovalAnswer, remember: readonly string[], session: Session): Promise<void> {
    if (answer.kind !== 'allow' || answer.scope !== 'project') return
    try {
      await this.#keep(remember, session)
    } catch (error) {
      this.#ctx.logger.warn('%s was allowed for the project, but could only be kept for this session: %s', remember.join(', '), describeError(error))
    }
  }

  /** For whoever reads of a call that nobody could be asked about: how it would have been allowed. */
  async #wayOut({ call, tool, args, inner, judgement }: Asking): Promise<string> {
    const { agent, cwd, signal } = call
    const inAuto = inner.kind === 'allow' && (await this.#policy.judge({ tool: tool.name, ...(tool.kind && { kind: tool.kind }), arguments: args, cwd, mode: 'auto', ...(agent && { session: agent.session }) }, signal)).verdict === 'allow'
    const ways = [
      ...(inAuto ? ['run with --permission auto'] : []),
      ...(inner.kind === 'allow' && judgement.remember.length > 0 ? [`add ${judgement.remember.join(' and ')} to rows.permission-rules.allow in your settings.yml`] : []),
    ]
    return ways.length === 0 ? 'it needs somebody who is asked and agrees' : `to allow it, ${ways.join(', or ')}`
  }
}

interface Asked {
  call: ToolExecution
  tool: ToolDefinition
  args: JsonObject
}

interface Asking extends Asked {
  inner: PreToolDecision
  judgement: LineJudgement
  judge: () => Promise<LineJudgement>
}

function refusal({ name }: ToolDefinition, { isReadOnly, reason }: LineJudgement): PreToolDecision {
  if (isReadOnly) return { kind: 'deny', code: 'READ_ONLY', reason: `${name} may change something, and this session is read-only` }
  return { kind: 'deny', reason: `${name} may not do this: ${reason}` }
}
