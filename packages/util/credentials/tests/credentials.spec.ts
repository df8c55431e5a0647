import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCredentials, removeCredential, storeCredential } from '../src/credentials.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-credentials-'))
})

afterEach(async () => await rm(folder, { recursive: true }))

describe('credentials', () => {
  it('are stored for the owner alone, one beside the other, and removed with the file after the last', async () => {
    const file = join(folder, 'new/credentials')

    await storeCredential(file, 'A', 'sk-1')
    await storeCredential(file, 'B', 'sk-2')
    await storeCredential(file, 'A', 'sk-3')

    expect([await readCredentials(file), (await stat(file)).mode & 0o777, (await stat(join(folder, 'new'))).mode & 0o777, await readdir(join(folder, 'new'))]).toEqual([{ A: 'sk-3', B: 'sk-2' }, 0o600, 0o700, ['credentials']])
    expect([await removeCredential(file, 'A'), await removeCredential(file, 'A'), await removeCredential(file, 'B'), await readdir(join(folder, 'new'))]).toEqual([true, false, true, []])
  })

  it('that are not there are none', async () => {
    expect(await readCredentials(join(folder, 'nothing'))).toEqual({})
  })

  it.each([0o640, 0o604, 0o660])('that others can read (%o) are refused, and the message holds none', async mode => {
    const file = join(folder, 'credentials')
    await writeFile(file, 'A=sk-secret\n')
    await chmod(file, mode)

    await expect(readCredentials(file)).rejects.toMatchObject({ code: 'CREDENTIALS_EXPOSED', message: expect.not.stringContaining('sk-secret') })
  })

  it('take no value that is longer than any key', async () => {
    await expect(storeCredential(join(folder, 'credentials'), 'A', 'x'.repeat(4097))).rejects.toMatchObject({ code: 'CREDENTIALS_INVALID', message: expect.not.stringContaining('xxx') })
  })

  it.each(['', 'two words', 'with\nline', 'quo"te', 'ha#sh', 'ünicode'])('take no value that a line cannot hold: %j', async value => {
    const file = join(folder, 'credentials')

    await expect(storeCredential(file, 'A', value)).rejects.toMatchObject({ code: 'CREDENTIALS_INVALID' })
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
