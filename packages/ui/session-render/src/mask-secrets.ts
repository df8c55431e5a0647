/** Takes out of text what looks like a secret, before somebody else gets it. Pure. */

import { namesSecretValue, redactValues, secretValues } from '@deepseek-ai/dsh-process-env'

/** Replaces every secret in a text. */
export type Mask = (text: string) => string

const MARK = '[redacted]'

/** Tokens that are known by their form. */
const TOKENS = [
  /\bsk-[\w-]{12,}/g,
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|npm_\w{30,})/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
]

const BEARER = /\b(Bearer|Basic)(\s+)[\w.~+/=-]{12,}/gi

/** The password of `scheme://user:password@host`. */
const IN_ADDRESS = /(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/gi

/** `NAME=value`, `name: "value"`, `"name":"value"`, also within a JSON string. */
const ASSIGNED = /([A-Za-z_][\w-]*)((?:\\?["'])?\s*[:=]\s*(?:\\?["'])?)([^\s"'\\,;&|<>(){}[\]$`]{5,})/g

/**
 * Masks the values of the environment's secret variables, tokens that are known
 * by their form, and values that are assigned to a name that means a secret.
 */
export function createMask(env: NodeJS.ProcessEnv): Mask {
  const values = secretValues(env)
  return text => {
    const known = TOKENS.reduce((rest, token) => rest.replace(token, MARK), redactValues(text, values))
    return known
      .replace(BEARER, (_, scheme: string, blank: string) => scheme + blank + MARK)
      .replace(IN_ADDRESS, (_, before: string) => before + MARK)
      .replace(ASSIGNED, (whole, name: string, sign: string, value: string) => (namesSecretValue(name) && isSecretValue(name, value) ? name + sign + MARK : whole))
  }
}

/** Every text in plain data, keys excepted. */
export function maskDeep<T>(value: T, mask: Mask): T {
  if (typeof value === 'string') return mask(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => maskDeep(item as unknown, mask)) as T
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskDeep(item as unknown, mask)])) as T
}

/** Anything after a name in capitals, as in the shell; elsewhere a count (`tokens: 12345`) or an expression is no secret. */
function isSecretValue(name: string, value: string): boolean {
  if (value === MARK) return false
  return /^[A-Z][A-Z\d_]*$/.test(name) || (/[A-Za-z]/.test(value) && /\d/.test(value) && value.length >= 6)
}
