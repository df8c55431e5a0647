/** A name that no other process will choose. Not a secret, so that starting need not load cryptography. */

export function newNonce(): string {
  const part = (): string => Math.floor(Math.random() * 2 ** 32).toString(16).padStart(8, '0')
  return part() + part()
}
