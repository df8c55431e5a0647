/** Waits for work, but not past an abort. */

export interface UnlessAbortedOptions<T> {
  /** How long work that stops by itself may take to do so after the abort; then its own outcome counts. Default 0. */
  graceMs?: number
  /** Gets what work resolves with after it was given up, to let go of it. A failure that comes late says that there is nothing. */
  onLate?(late: T): void
}

/**
 * The outcome of `work`, or the signal's own reason as soon as it is aborted
 * (with `graceMs`, when work has not settled that much later). Whatever work
 * does afterwards disturbs nobody.
 */
export async function unlessAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal, { graceMs = 0, onLate }: UnlessAbortedOptions<T> = {}): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const giveUp = (): void => {
    isOver = true
    reject(signal.reason)
  }
  const onAbort = (): void => {
    if (graceMs === 0) giveUp()
    else timer = setTimeout(giveUp, graceMs)
  }
  Promise.resolve(work).then(outcome => (isOver ? onLate?.(outcome) : resolve(outcome)), reject)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
