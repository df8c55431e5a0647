/** Waits for work, but not past an abort. */

/** What `work` resolves with, or the signal's reason as soon as it is aborted; `onLate` gets what comes after that. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, onLate?: (late: T) => void): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => {
    reject(signal.reason as Error)
    // A failure that comes late says that there is nothing.
    work.then(onLate, () => undefined)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
