/** `dsh auth`: asks for the API key on the terminal, without showing it, and stores it for this user alone. */

import type { CommandLine } from '@deepseek-ai/dsh-command-line'
import { UsageError } from '@deepseek-ai/dsh-command-line'
import { credentialsFile, KEY_PROVIDERS, removeCredential, storeCredential } from '@deepseek-ai/dsh-credentials'
import { EXIT, type ExitCode, type Terminal } from '@deepseek-ai/dsh-front-door'
import { readHiddenLine, TypedInput } from '@deepseek-ai/dsh-hidden-line'

const [{ name: PROVIDER, variable: NAME }] = KEY_PROVIDERS

export async function authCommand({ words }: CommandLine, terminal: Terminal): Promise<ExitCode> {
  const [word] = words
  if (word === undefined) return await askForKey(terminal)
  if (word !== 'remove') throw new UsageError(`dsh auth takes remove and nothing else, not "${word}" (a prompt that begins with "auth" goes after --)`)
  const credentials = credentialsFile(process.env)
  const removed = await removeCredential(credentials, NAME)
  terminal.stderr.write(removed ? `the key is gone from ${credentials}\n` : 'no key is stored\n')
  return EXIT.completed
}

/** A key that is piped in is taken, too. Exit code 1 when none was given. */
export async function askForKey(terminal: Terminal): Promise<ExitCode> {
  const { stderr } = terminal
  const credentials = credentialsFile(process.env)
  const key = (await readHidden(terminal, `${PROVIDER} API key (it is not shown): `))?.trim()
  if (!key) {
    stderr.write('no key was given, and nothing was changed\n')
    return EXIT.error
  }
  await storeCredential(credentials, NAME, key)
  stderr.write(`the key is stored in ${credentials}, which only you can read\n`)
  if (process.env[NAME] !== undefined && process.env[NAME] !== key) stderr.write(`${NAME} is set in the environment and goes before it\n`)
  return EXIT.completed
}

/** The next line, not echoed; undefined when input ends before there is one, or Ctrl-C is pressed. */
async function readHidden({ stdin, stderr }: Terminal, question: string): Promise<string | undefined> {
  using input = new TypedInput(stdin)
  const show = (text: string): void => void (input.isTTY && stderr.write(text))
  const { line, hasMore } = await readHiddenLine(input, { ask: () => show(question), over: () => show('\n') })
  if (hasMore) stderr.write('what was typed right behind it is thrown away\n')
  return line
}
