import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { changeTrust, readTrust } from '../src/trust-store.ts'

const RECORD = { trustedAt: '2026-01-31T12:00:00.000Z', files: { '.dsh/settings.yml': 'ab', gone: null } }

describe('the record of trust', () => {
  it('is empty where there is no file, and what was written otherwise, for the user alone', async () => {
    await using folder = await tempWorkspace()
    const file = folder.resolve('data/dsh/trust.json')

    expect(readTrust(file)).toEqual({})
    await changeTrust(file, records => ({ ...records, '/a': RECORD }))

    expect(readTrust(file)).toEqual({ '/a': RECORD })
    expect([statSync(file).mode & 0o777, statSync(folder.resolve('data/dsh')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(readdirSync(folder.resolve('data/dsh'))).toEqual(['trust.json'])
  })

  it('loses nothing when many change it at the same time', async () => {
    await using folder = await tempWorkspace()
    const file = folder.resolve('trust.json')
    const paths = Array.from({ length: 20 }, (_, i) => `/p${i}`)

    await Promise.all(paths.map(path => changeTrust(file, records => ({ ...records, [path]: RECORD }))))

    expect(Object.keys(readTrust(file)).toSorted()).toEqual(paths.toSorted())
  })

  it.each(['', '{', 'null', '[]', '{"version":1}', '{"version":3,"projects":{}}', '{"version":1,"projects":[]}', '{"version":1,"projects":{"/a":{"trustedAt":1,"files":{}}}}', '{"version":1,"projects":{"/a":{"trustedAt":"x","files":{"b":1}}}}'])('is refused, and left as it is, when it holds %j', async text => {
    await using folder = await tempWorkspace({ 'trust.json': text })
    const file = folder.resolve('trust.json')

    expect(() => readTrust(file)).toThrow(expect.objectContaining({ code: 'RECORD_DAMAGED' }))
    await expect(changeTrust(file, () => ({}))).rejects.toThrow('mend or remove it')
    expect(await folder.read('trust.json')).toBe(text)
    expect(readdirSync(folder.path)).toEqual(['trust.json'])
  })

  it('takes over a lock that somebody left behind, and waits for one that is held', async () => {
    await using folder = await tempWorkspace({ 'trust.json.lock': '' })
    const file = folder.resolve('trust.json')

    await expect(changeTrust(file, records => records)).rejects.toThrow(expect.objectContaining({ code: 'RECORD_LOCKED' }))
    writeFileSync(`${file}.lock`, '')
    utimesSync(`${file}.lock`, 0, 0)
    await changeTrust(file, () => ({ '/a': RECORD }))
    expect(readTrust(file)).toEqual({ '/a': RECORD })
  })
})
