/** Nothing in the repository knows the machine that it was written on. Looks at every text file. */

import type { Problem } from './code-file.ts'

const FORBIDDEN: readonly { pattern: RegExp; message: string }[] = [
  { pattern: /(?<![\w.$}~-])\/(?:root|work)\/(?=[\w.])/, message: 'a path of somebody’s machine; make it relative, or use a folder made for the test' },
  { pattern: /(?<![\w.$}~-])\/(?:home|Users)\/(?=[\w.])/, message: 'a path of somebody’s home; make it relative, or use homedir()' },
  { pattern: /\b(?:registry\.[\w-]+\.[\w.]+|npmjs\.(?:org|com)|npmmirror\.com)\b/, message: 'the host of a registry; leave it to the configuration of the client' },
]

const TEXT = /(\.(ts|mts|cts|js|mjs|cjs|json|jsonl|md|ya?ml|sh|txt|toml)|\/[^./]+|^[^./]+)$/

export function isText(path: string): boolean {
  return TEXT.test(path) && !/\.generated\.ts$/.test(path)
}

export function checkText(path: string, text: string): Problem[] {
  // One search over the whole text first: most files have nothing to find.
  const suspects = FORBIDDEN.filter(({ pattern }) => pattern.test(text))
  if (suspects.length === 0) return []
  return text.split('\n').flatMap((line, index) => suspects.filter(({ pattern }) => pattern.test(line)).map(({ pattern, message }) => ({ path, line: index + 1, message: `${pattern.exec(line)?.[0]}… is ${message}` })))
}
