/** One value as one line that every reader of lines takes for one. Pure. */

/** Legal inside JSON strings, but line ends to readers that follow Unicode or old JavaScript. Lone surrogates `JSON.stringify` escapes itself. */
const SEPARATORS = /[\u2028\u2029]/g

/** With its line feed. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(SEPARATORS, each => (each === '\u2028' ? '\\u2028' : '\\u2029'))}\n`
}
