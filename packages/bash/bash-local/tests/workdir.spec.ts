import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findShell } from '../src/find-shell.ts'
import { open, scratchDirectory } from './fixture.ts'

describe('the working directory', () => {
  it('gives way to its nearest ancestor when it was deleted under the session', async () => {
    const { run, directory } = await open()
    const cwd = join(directory, 'a/b')
    mkdirSync(cwd, { recursive: true })
    rmSync(join(directory, 'a'), { recursive: true })
    const { exitCode, stdout, workdir } = await run('echo hi; pwd', { cwd })
    expect({ exitCode, workdir, text: stdout.text }).toEqual({ exitCode: 0, workdir: directory, text: `hi\n${directory}\n` })
    expect((await run('cd / && pwd', { cwd })).stdout.text).toBe('/\n')
  })

  it('is not called a missing shell when it is a file', async () => {
    const { run, directory } = await open()
    writeFileSync(join(directory, 'file'), '')
    await expect(run('true', { workdir: 'file' })).rejects.toMatchObject({ code: 'BASH_WORKDIR_NOT_FOUND', message: `the working directory ${directory}/file does not exist or is not a directory` })
  })

  it('keeps the name by which the caller knows it', async () => {
    const { run, directory } = await open()
    mkdirSync(join(directory, 'real'))
    symlinkSync('real', join(directory, 'link'))
    expect((await run('pwd; pwd -P', { workdir: 'link' })).stdout.text).toBe(`${directory}/link\n${directory}/real\n`)
  })

  it('may be given by the row', async () => {
    const cwd = scratchDirectory()
    const { bash } = await open({ cwd })
    expect([bash.resolve({ command: 'x' }).workdir, bash.resolve({ command: 'x', workdir: 'sub' }).workdir, bash.resolve({ command: 'x', workdir: '~' }).workdir]).toEqual([cwd, `${cwd}/sub`, process.env['HOME']])
  })
})

describe('the shell', () => {
  function program(name: string, mode = 0o755): string {
    const directory = scratchDirectory()
    writeFileSync(join(directory, name), '#!/bin/sh\nexec /bin/sh "$@"\n')
    chmodSync(join(directory, name), mode)
    return join(directory, name)
  }

  it('is the first bash on the search path', () => {
    const [first, second] = [program('bash'), program('bash')]
    expect(findShell([program('bash', 0o644), 'relative/bash', first, second].map(path => path.replace(/\/bash$/, '')).join(':'))).toEqual({ program: first, dialect: 'bash' })
  })

  it('is found when the search path is empty', () => {
    expect(findShell('')?.program).toMatch(/^\/.*\/(?:bash|sh)$/)
  })

  it('may be sh, and says so', async () => {
    const { bash, run } = await open({ shell: '/bin/sh' })
    expect(bash.shell).toEqual({ program: '/bin/sh', dialect: 'sh' })
    expect((await run('echo ok')).stdout.text).toBe('ok\n')
  })

  it('is missed by its name', async () => {
    const { run } = await open({ shell: '/no/such/shell' })
    await expect(run('true')).rejects.toMatchObject({ code: 'BASH_NO_SHELL', message: expect.stringContaining('/no/such/shell') })
  })

  it('is reported as unstartable when the system refuses it', async () => {
    const broken = join(scratchDirectory(), 'bash')
    writeFileSync(broken, '#!/no/such/interpreter\n')
    chmodSync(broken, 0o755)
    const { run, directory } = await open({ shell: broken })
    await expect(run('true')).rejects.toMatchObject({ code: 'BASH_SPAWN_FAILED', message: `could not start ${broken} in ${directory}` })
  })
})
