/** Keeps secrets out of everything that shows config. */

const SECRET = /KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|AUTH|COOKIE/i
const USER_INFO = /(:\/\/)[^/@\s]+@/g

export const MASK = '********'

/** Whether a config key or an environment variable of this name holds a secret, as far as its name tells. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** The value as it may be shown: masked under a secret name, without user and password in addresses. */
export function maskValue(path: string, value: unknown, env?: string): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  const names = env === undefined ? path.split('.') : [...path.split('.'), env]
  if (typeof value !== 'number' && names.some(isSecretName)) return MASK
  return typeof value === 'string' ? value.replace(USER_INFO, `$1${MASK}@`) : value
}
