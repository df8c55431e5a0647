import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { childEnv, isSecretName } from '../src/index.ts'

const SECRETS = [
  'DEEPSEEK_API_KEY', 'OPENAI_API_KEY', 'GH_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'DB_PASSWORD', 'PGPASSWORD', 'MYSQL_PWD', 'SUDO_PASSWD',
  'APIKEY', 'MY_APIKEYS', 'API_KEYS', 'API_KEY_2', 'ACCESSTOKEN', 'GOOGLE_APPLICATION_CREDENTIALS', 'HTTP_AUTH', 'BASIC_AUTH', 'OAUTH_X', 'SESSION_COOKIE',
  'COOKIES', 'npm_config__authToken', 'npm_config_//registry.example/:_authToken', 'github_token', 'clientSecret', 'KEY', 'GPG_PASSPHRASE', 'SSHPASS_PASSWORD',
]
const INNOCENT = ['MONKEY_X', 'MONKEY', 'KEYBOARD', 'XKEYBOARD_LAYOUT', 'TOKENIZERS_PARALLELISM', 'GIT_AUTHOR_NAME', 'AUTHORS', 'SSH_AUTH_SOCK', 'XAUTHORITY', 'PWD', 'PATH', 'HOME', 'COMPASS_X', 'PATTERN', 'TURKEY_SIZE']

/** What every child gets on top. */
const ALWAYS = {
  NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', SYSTEMD_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0',
  EDITOR: 'false', VISUAL: 'false', GIT_EDITOR: 'false', GIT_SEQUENCE_EDITOR: 'false',
}
const UTF8 = { PATH: '/bin', LANG: 'en_GB.UTF-8' }

describe('isSecretName', () => {
  it.each(SECRETS)('takes %s for a secret', name => expect(isSecretName(name)).toBe(true))
  it.each(INNOCENT)('lets %s pass', name => expect(isSecretName(name)).toBe(false))
})

describe('childEnv', () => {
  it('copies what is harmless and leaves secrets and start-up hooks out', () => {
    const base = { ...UTF8, MONKEY_X: '1', GH_TOKEN: 't', BASH_ENV: '/rc', ENV: '/rc', PROMPT_COMMAND: 'x', SHELLOPTS: 'errexit', CDPATH: '/', FORCE_COLOR: '1', EDITOR: 'vi', TERM: 'xterm' }
    expect(childEnv(base)).toEqual({ ...UTF8, MONKEY_X: '1', ...ALWAYS })
  })

  it('keeps, drops and adds what it is told to', () => {
    const env = childEnv({ ...UTF8, GH_TOKEN: 't', A: '1', B: '2' }, { keep: ['GH_TOKEN'], drop: ['A'], extra: { API_KEY: 'k', PAGER: 'less' } })
    expect(env).toEqual({ ...UTF8, GH_TOKEN: 't', B: '2', ...ALWAYS, API_KEY: 'k', PAGER: 'less' })
  })

  it.each([
    [{}, { LC_CTYPE: 'C.UTF-8' }],
    [{ LANG: 'C', LC_ALL: '' }, { LANG: 'C', LC_ALL: '', LC_CTYPE: 'C.UTF-8' }],
    [{ LC_ALL: 'C', LANG: 'de_DE.UTF-8' }, { LC_ALL: 'C.UTF-8', LANG: 'de_DE.UTF-8' }],
    [{ LC_CTYPE: 'POSIX', LANG: 'de_DE.utf8' }, { LC_CTYPE: 'C.UTF-8', LANG: 'de_DE.utf8' }],
    [{ LANG: 'de_DE.utf8' }, { LANG: 'de_DE.utf8' }],
  ])('gives the locale %j a UTF-8 character set', (base, expected) => {
    const wanted = process.platform === 'darwin' ? JSON.parse(JSON.stringify(expected).replaceAll('C.UTF-8', 'en_US.UTF-8')) : expected
    expect(childEnv({ PATH: '/bin', ...base })).toEqual({ PATH: '/bin', ...wanted, ...ALWAYS })
  })

  it('gives a search path to a host that has none', () => {
    expect(childEnv({ PATH: '' })['PATH']).toContain('/usr/bin')
  })

  it('does not touch the environment it copies', () => {
    const base = Object.freeze({ ...UTF8, GH_TOKEN: 't' })
    childEnv(base)
    expect(base).toEqual({ ...UTF8, GH_TOKEN: 't' })
  })

  it('shows a real child none of the secrets', () => {
    const env = childEnv({ ...process.env, DEEPSEEK_API_KEY: 'sk-test-AAA', GH_TOKEN: 't-CCC' })
    expect(execFileSync('env', { env, encoding: 'utf8' })).not.toMatch(/sk-test-AAA|t-CCC/)
  })
})
