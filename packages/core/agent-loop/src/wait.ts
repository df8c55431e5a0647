/** Waiting that a cancel can cut short. */

/** Waits, and rejects with the signal's reason when it is aborted first. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await unlessAborted(new Promise<void>(resolve => (timer = setTimeout(resolve, delayMs))), signal)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The outcome of `work`; the signal's reason when it is aborted and `work` has
 * not settled `graceMs` later. Nothing that ignores its signal holds up a cancel.
 */
export async function unlessAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal, graceMs = 0): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = (): void => {
    if (graceMs === 0) reject(signal.reason)
    else timer = setTimeout(() => reject(signal.reason), graceMs)
  }
  Promise.resolve(work).then(resolve, reject)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
