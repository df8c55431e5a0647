/** Waits for the loop: when the spine is loaded anew, the registry of agents is there before it. */

import type { AgentRegistry } from '@deepseek-ai/dsh-agent'

const LONGEST_MS = 5000
const POLL_MS = 5

/** Resolves when agents can be made, or after some seconds; then making one says what is missing. */
export async function untilReady(agents: Pick<AgentRegistry, 'ready'>): Promise<void> {
  await until(() => agents.ready)
}

/** Resolves when it is so, or after some seconds. */
export async function until(isSo: () => boolean): Promise<void> {
  if (isSo()) return
  const end = performance.now() + LONGEST_MS
  while (!isSo() && performance.now() < end) await new Promise(resolve => setTimeout(resolve, POLL_MS))
}
