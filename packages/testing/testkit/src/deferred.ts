/** A promise that a test settles by hand. */

export interface Deferred<T = void> {
  promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

export function deferred<T = void>(): Deferred<T> {
  return Promise.withResolvers<T>()
}
