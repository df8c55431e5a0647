/**
 * Keys of a user, kept in one file that nobody else can read. Each line is a
 * name and a value, as in an environment file:
 *
 *     DEEPSEEK_API_KEY=sk-…
 */

import { randomUUID } from 'node:crypto'
import { readFileSync, statSync, type Stats } from 'node:fs'
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { CredentialsError } from './errors.ts'

/** In UTF-16 units. */
const LONGEST_VALUE = 4096

export type Credentials = Readonly<Record<string, string>>

/** Everything in the file; nothing when there is none. Rejects with `CREDENTIALS_EXPOSED` when others may read it. */
export async function readCredentials(file: string): Promise<Credentials> {
  return readCredentialsNow(file)
}

/** The same at once, for the start of a program. */
export function readCredentialsNow(file: string): Credentials {
  const stats = look(file)
  if (!stats) return {}
  if (!stats.isFile()) throw new CredentialsError('CREDENTIALS_EXPOSED', `${file} is not a file`)
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) throw new CredentialsError('CREDENTIALS_EXPOSED', `${file} can be read by others and is not used; mend that with: chmod 600 ${file}`)
  return parseEnv(readFileSync(file, 'utf8')) as Credentials
}

/** Throws `CREDENTIALS_INVALID` for a value that no line can hold. */
export function checkCredential(name: string, value: string): void {
  if (value.length > LONGEST_VALUE) throw new CredentialsError('CREDENTIALS_INVALID', `the value of ${name} is longer than any key`)
  if (!/^[\x21-\x7e]+$/.test(value) || /["'`#\\]/.test(value)) throw new CredentialsError('CREDENTIALS_INVALID', `the value of ${name} holds characters that no key has`)
}

/** Sets one value; the folder is made when it is not there. Rejects with `CREDENTIALS_INVALID` for a value that no line can hold. */
export async function storeCredential(file: string, name: string, value: string): Promise<void> {
  checkCredential(name, value)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replace(file, { ...readCredentialsNow(file), [name]: value })
}

/** False when it was not there. The last one takes the file along. */
export async function removeCredential(file: string, name: string): Promise<boolean> {
  const { [name]: removed, ...rest } = readCredentialsNow(file)
  if (removed === undefined) return false
  if (Object.keys(rest).length === 0) await rm(file)
  else await replace(file, rest)
  return true
}

/** All or nothing: a crash in between leaves the old file. */
async function replace(file: string, credentials: Credentials): Promise<void> {
  const next = `${file}.${randomUUID()}.new`
  const text = Object.entries(credentials).map(([name, value]) => `${name}=${value}\n`).join('')
  try {
    await write(next, text)
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
}

/** A new file that only the owner can read from its first byte on. */
async function write(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // A mask of the user's may have taken more away than it should.
  await chmod(file, 0o600)
}

function look(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false })
}
