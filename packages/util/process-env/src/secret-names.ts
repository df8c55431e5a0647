/** Decides by its name whether an environment variable holds a secret. Pure. */

/** Whole words that mean a secret. */
const WORDS = /^(?:(?:O|X|HTTP|BASIC)?AUTH2?|AUTHORIZATION|KEYS?|TOKENS?|PASS|PAT|PWD|PASSWDS?|CREDS?)$/

/** Words written together: PGPASSWORD, APIKEY, ACCESSTOKEN. KEY and TOKEN only after a word that makes a secret of them, so that MONKEY and TOKENIZERS live. */
const COMPOUNDS = /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|(?:API|ACCESS|PRIVATE|AUTH|ENCRYPTION|SIGNING|MASTER|DEPLOY|HOST|LICENSE|SSH|GPG|JWT)_?KEYS?$|TOKENS?$/

/** Names of the shell, and the socket of the key agent: it signs, but nobody can read a key from it, and `git push` needs it. */
const HARMLESS: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'XAUTHORITY'])

/**
 * Whether the name looks like a secret's: KEY, SECRET, TOKEN, PASSWORD, PASSWD,
 * CREDENTIAL, AUTH or COOKIE as a word of it, in the singular or plural, or
 * written together with another word (APIKEY). Words end at `_`, at anything
 * that is no letter or digit, and where camelCase turns: MONKEY_X and
 * GIT_AUTHOR_NAME are no secrets.
 */
export function isSecretName(name: string): boolean {
  return !HARMLESS.has(name.toUpperCase()) && wordsOf(name).some(isSecretWord)
}

/** Whether the value itself is the secret (GH_TOKEN), not something about one (AUTH_METHOD). */
export function namesSecretValue(name: string): boolean {
  const last = wordsOf(name).at(-1)
  return last !== undefined && isSecretWord(last) && isSecretName(name)
}

function wordsOf(name: string): string[] {
  const separated = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
  return separated.split(/[^A-Z0-9]+/).filter(word => word !== '')
}

function isSecretWord(word: string): boolean {
  const bare = word.replace(/\d+$/, '')
  return WORDS.test(word) || WORDS.test(bare) || COMPOUNDS.test(bare)
}
