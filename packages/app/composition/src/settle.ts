/** Waits until no plugin is starting or stopping any more. */

import type { Context, Fiber } from 'cordis'

/**
 * Settles when no fiber of `root` has work in flight, or when `timeoutMs` is
 * over; answers whether it is quiet. A plugin that waits for a service is quiet,
 * and those of `stuck` are not waited for.
 */
export async function settle(root: Context, timeoutMs: number, stuck: ReadonlySet<Fiber> = new Set()): Promise<boolean> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, timeoutMs)
  let late = false
  void over.promise.then(() => {
    late = true
  })
  try {
    for (;;) {
      const tasks = [...inFlight(root)].flatMap(fiber => (stuck.has(fiber) ? [] : (fiber.inertia ?? [])))
      if (tasks.length === 0) return true
      if (late) return false
      await Promise.race([Promise.allSettled(tasks), over.promise])
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Fibers that are starting or stopping at this moment. */
export function inFlight(root: Context): Set<Fiber> {
  const fibers = new Set<Fiber>()
  for (const runtime of root.registry.values()) {
    for (const fiber of runtime.fibers as Iterable<Fiber>) {
      if (fiber.inertia !== undefined) fibers.add(fiber)
    }
  }
  return fibers
}
