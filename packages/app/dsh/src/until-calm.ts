/** An edit of the settings waits for what it would break off: a turn, when its loop or its model is loaded anew, and whatever the interface has not finished. */

import type { Context } from 'cordis'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { isAtWork } from '@deepseek-ai/dsh-front-door'

/** What is over sooner is not announced. */
const UNTOLD_MS = 300

/** Resolves when nothing is going on that loading these rows anew would break off, with whether that was announced; rejects with the reason of `signal`. */
export async function untilCalm(root: Context, rows: readonly string[], signal: AbortSignal): Promise<boolean> {
  let isTold = false
  const telling = setTimeout(() => {
    isTold = true
    root.frontDoor.tell('dsh: the edit of the settings is applied when what is going on is over\n')
  }, UNTOLD_MS)
  try {
    do {
      const busy = root.agents.list().filter(agent => needsAny(root, agent, rows))
      await unlessAborted(Promise.all(busy.map(agent => agent.whenIdle())), signal)
      await unlessAborted(root.parallel('front-door/reload', signal), signal)
    } while (root.agents.list().some(agent => isAtWork(agent) && needsAny(root, agent, rows)))
    return isTold
  } finally {
    clearTimeout(telling)
  }
}

/** Whether one of the rows carries what an agent works with. */
function needsAny({ agents, llm, loader }: Context, { options }: Agent, rows: readonly string[]): boolean {
  const owners = [agents.loop, options.model === undefined ? undefined : llm.ownerOf(options.model)]
  return owners.some(owner => owner !== undefined && rows.includes(loader.locate(owner) ?? ''))
}
