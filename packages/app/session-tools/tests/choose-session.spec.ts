import { readdirSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { chooseSession, type SessionChoice } from '../src/index.ts'
import { storeSession, toolsIn } from './store.ts'

const NOW = Date.now()

describe('the session of a run', () => {
  it('is found by where one is, by the beginning of its id, or by picking', async () => {
    await using folder = await tempWorkspace()
    await using other = await tempWorkspace()
    await storeSession(folder, 'aaa-1', { time: NOW - 2000 })
    await storeSession(folder, 'aab-2', { time: NOW - 1000 })
    await storeSession(folder, 'bbb-3', { cwd: other.path })
    const choose = async (choice: SessionChoice, given: { input?: string; cwd?: string } = {}) => await chooseSession(choice, { ...toolsIn(folder, given).tools, isCwdGiven: false })

    expect(await choose({ kind: 'new', id: 'x' })).toEqual({ start: { kind: 'new', id: 'x' }, cwd: folder.path })
    expect(await choose({ kind: 'continue' })).toEqual({ start: { kind: 'resume', id: 'aab-2' }, cwd: folder.path })
    expect(await choose({ kind: 'resume', id: 'bb' })).toEqual({ start: { kind: 'resume', id: 'bbb-3' }, cwd: other.path })
    await expect(choose({ kind: 'resume', id: 'aa' })).rejects.toMatchObject({ code: 'SESSION_AMBIGUOUS' })
    await expect(choose({ kind: 'continue' }, { cwd: '/' })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', message: 'there is no session of / to continue; dsh sessions list --all shows those of other directories' })
    expect(await choose({ kind: 'resume' }, { input: '7\n2\n' })).toEqual({ start: { kind: 'resume', id: 'aaa-1' }, cwd: folder.path })
    expect(await choose({ kind: 'resume' }, { input: 'aab\n' })).toMatchObject({ start: { id: 'aab-2' } })
    expect(await choose({ kind: 'resume' }, { input: '\n' })).toBe(undefined)
    expect(await choose({ kind: 'resume' }, { input: '' })).toBe(undefined)
    await expect(choose({ kind: 'resume' })).rejects.toMatchObject({ code: 'USAGE' })
    expect(await choose({ kind: 'fork', from: 'bbb', until: 1, id: 'n' })).toEqual({ start: { kind: 'fork', from: 'bbb-3', until: 1, id: 'n' }, cwd: other.path })
  })

  it('passes over one that cannot be opened, and says so', async () => {
    await using folder = await tempWorkspace()
    await storeSession(folder, 'sound', { time: NOW - 2000 })
    await storeSession(folder, 'broken', { time: NOW - 1000 })
    const [file = ''] = readdirSync(folder.path, { recursive: true }).map(String).filter(name => name.endsWith('broken.jsonl'))
    await folder.write(file, 'no header\n')
    const told = toolsIn(folder)
    expect(await chooseSession({ kind: 'continue' }, { ...told.tools, isCwdGiven: false })).toMatchObject({ start: { id: 'sound' } })
    expect(told.stderr()).toMatch(/^dsh: passing over broken: .*header.*\n$/)
  })

  it('shows the sessions of other directories for picking where this one has none', async () => {
    await using folder = await tempWorkspace()
    await storeSession(folder, 'aaa-1', { said: 'the \u001b[2Jtitle', time: NOW - 7_200_000 })
    const told = toolsIn(folder, { cwd: '/', input: '1\n' })
    await chooseSession({ kind: 'resume' }, { ...told.tools, isCwdGiven: false })
    expect(told.stderr()).toContain('No session of this directory; all sessions, the latest first:\n   1  aaa-1     2 h    1 turn   the title\n')
  })

  it('goes on where it began, or in a copy elsewhere', async () => {
    await using folder = await tempWorkspace()
    await Promise.all([mkdir(folder.resolve('a')), mkdir(folder.resolve('b'))])
    await symlink(folder.resolve('a'), folder.resolve('link'))
    await storeSession(folder, 'here', { cwd: folder.resolve('a') })
    await storeSession(folder, 'gone', { cwd: folder.resolve('gone') })
    const choose = async (choice: SessionChoice, cwd: string) => await chooseSession(choice, { ...toolsIn(folder, { cwd }).tools, isCwdGiven: true })

    expect(await choose({ kind: 'resume', id: 'here' }, folder.resolve('a'))).toMatchObject({ cwd: folder.resolve('a') })
    expect(await choose({ kind: 'resume', id: 'here' }, folder.resolve('link'))).toMatchObject({ cwd: folder.resolve('a') })
    await expect(choose({ kind: 'resume', id: 'here' }, folder.resolve('b'))).rejects.toMatchObject({ code: 'USAGE', message: `the session here works in ${folder.resolve('a')}; to go on elsewhere, fork it: dsh --fork here --cwd ${folder.resolve('b')}` })
    expect(await choose({ kind: 'fork', from: 'here' }, folder.resolve('b'))).toMatchObject({ cwd: folder.resolve('b') })
    await expect(choose({ kind: 'resume', id: 'gone' }, folder.resolve('b'))).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(`does not exist any more: ${folder.resolve('gone')}`) as string })
    await expect(chooseSession({ kind: 'fork', from: 'gone' }, { ...toolsIn(folder).tools, isCwdGiven: false })).rejects.toMatchObject({ code: 'USAGE' })
    expect(await choose({ kind: 'fork', from: 'gone' }, folder.resolve('b'))).toMatchObject({ cwd: folder.resolve('b') })
  })
})
