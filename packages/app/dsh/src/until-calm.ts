/** An edit of the settings waits for what it would break off: a turn, when the loop is loaded anew, and whatever the interface has not finished. */

import type { Context } from 'cordis'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { isAtWork } from '@deepseek-ai/dsh-front-door'

/** What is over sooner is not announced. */
const UNTOLD_MS = 300

/** Resolves when nothing is going on that loading these rows anew would break off; rejects with the reason of `signal`. */
export async function untilCalm(root: Context, rows: readonly string[], signal: AbortSignal): Promise<void> {
  const { agents, frontDoor } = root
  const isLoop = agents.loop !== undefined && rows.includes(root.loader.locate(agents.loop) ?? '')
  const telling = setTimeout(() => frontDoor.tell('dsh: the edit of the settings is applied when what is going on is over\n'), UNTOLD_MS)
  try {
    do {
      if (isLoop) await unlessAborted(Promise.all(agents.list().map(agent => agent.whenIdle())), signal)
      await unlessAborted(root.parallel('front-door/reload', signal), signal)
    } while (isLoop && agents.list().some(isAtWork))
  } finally {
    clearTimeout(telling)
  }
}
