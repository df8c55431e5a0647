/** Files that are known to hold secrets: what a model reads of them goes to its provider. Pure. */

import { sep } from 'node:path'

const NAMES: ReadonlySet<string> = new Set([
  ...['.netrc', '_netrc', '.pgpass', '.my.cnf', '.htpasswd', '.git-credentials', '.npmrc', '.pypirc', '.dockercfg', '.vault-token'],
  ...['credentials', 'credentials.json', 'credentials.yml', 'credentials.yaml', 'credentials.db', 'application_default_credentials.json'],
  ...['secrets.json', 'secrets.yml', 'secrets.yaml', 'secrets.toml', 'secrets.env', 'master.key', 'kubeconfig', 'shadow', 'gshadow'],
])

const ENV = /^\.env(?:\..+)?$|^\.?.+\.env$/
const ENV_TEMPLATE = /\.(?:example|sample|template|dist|defaults?|schema)$/
const KEY_NAME = /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?$/
const KEY_FILE = /\.(?:pem|key|p12|pfx|keystore|jks|kdbx|ppk|asc|gpg)$/
const SERVICE_ACCOUNT = /^service[-_]?account.*\.json$/

/** Directories with nothing else in them, as they stand at home. */
const FOLDERS: readonly (readonly string[])[] = [['.ssh'], ['.aws'], ['.gnupg'], ['.kube'], ['.docker'], ['.azure'], ['.config', 'gcloud'], ['.config', 'gh'], ['.password-store']]
const PUBLIC = /^(?:known_hosts|authorized_keys|.*\.pub)$/

/** Why reading `path`, which is absolute, needs a permission; undefined when it does not. Names are compared without case. */
export function whySecret(path: string): string | undefined {
  const parts = path.toLowerCase().split(sep)
  const name = parts.at(-1) ?? ''
  if (NAMES.has(name) || KEY_NAME.test(name) || KEY_FILE.test(name) || SERVICE_ACCOUNT.test(name)) return `${name} is known to hold secrets`
  if (ENV.test(name) && !ENV_TEMPLATE.test(name)) return `${name} is known to hold secrets`
  if (parts[1] === 'proc' && name === 'environ') return 'it holds the environment of a process'
  const folder = FOLDERS.find(each => holds(parts, each))
  return folder && !PUBLIC.test(name) ? `${folder.join('/')} is known to hold secrets` : undefined
}

function holds(parts: readonly string[], folder: readonly string[]): boolean {
  return parts.some((_, at) => folder.every((name, offset) => parts[at + offset] === name))
}
