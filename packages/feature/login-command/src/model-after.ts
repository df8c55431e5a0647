/** Which model answers once there is a key, or none any more. */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { RunRequest } from '@deepseek-ai/dsh-front-door'

/** Changes the agent's model where nobody chose it, and says in a sentence which one answers now. */
export function modelAfter(defaults: RunRequest['defaultModels'], agent: Agent, hasKey: boolean): string {
  const [from, to] = hasKey ? [defaults?.withoutKey, defaults?.withKey] : [defaults?.withKey, defaults?.withoutKey]
  const { model } = agent.options
  if (to !== undefined && model === from) {
    agent.configure({ model: to })
    return `From the next message on **${to}** answers.`
  }
  if (model === undefined) return 'No model is chosen; **/model** chooses one.'
  if (hasKey) return `**${model}** answers, as before; **/model** chooses another.`
  if (model === to) return `**${model}** answers, as before.`
  return `The model is **${model}**, as before, and may need a key; **/model** chooses another.`
}
