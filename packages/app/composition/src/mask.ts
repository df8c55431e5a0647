/** Keeps secrets out of everything that shows config. */

/** Anywhere in a name. */
const SECRET = /KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH|COOKIE/i

/** Only as words of their own: they are parts of too many others. */
const SECRET_WORD = /(?:^|[^a-z])(?:pass|pwd|pat|creds?|sig|signature)(?:$|[^a-z])/i

/** Up to the last `@` before the path: a password may hold one. */
const USER_INFO = /(:\/\/)[^/?#\s]*@/g

/** `name=value`, as in the query of an address, in an argument, in an assignment. */
const ASSIGNMENT = /([\w.-]+)=([^\s&;#]+)/g

const SCHEME = /\b(Bearer|Basic)\s+\S+/gi

/** The whole of an option that takes its value from the argument after it. */
const OPTION = /^--?[\w-]+$/

export const MASK = '********'

/** Whether a config key or an environment variable of this name holds a secret, as far as its name tells. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) || SECRET_WORD.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
}

/** What stands before a value: the variable it was read from, the item before it in a list. */
export interface Surroundings {
  env?: string | undefined
  before?: unknown
}

/** The value as it may be shown: masked under a secret name or in a header, and with `maskText`. */
export function maskValue(path: string, value: unknown, { env, before }: Surroundings = {}): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  const names = path.split('.')
  if (env !== undefined) names.push(env)
  if (typeof before === 'string' && OPTION.test(before)) names.push(before)
  const inHeader = names.slice(0, -1).some(name => /^headers?$/i.test(name))
  if (typeof value !== 'number' && (inHeader || names.some(isSecretName))) return MASK
  return typeof value === 'string' ? maskText(value) : value
}

/** Text without the user and password of addresses, the values of secret parameters, and credentials after their scheme. */
export function maskText(text: string): string {
  return text
    .replace(USER_INFO, `$1${MASK}@`)
    .replace(ASSIGNMENT, (whole, name: string) => (isSecretName(name) ? `${name}=${MASK}` : whole))
    .replace(SCHEME, `$1 ${MASK}`)
}
