/** `npm start` in place of the program itself: arguments, folders, exit codes, signals, environment. */
import { execFile } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Checkout, ended, importScript, said } from './checkout.ts'

const run = promisify(execFile)

it('hands arguments on as they are and runs in the folder npm was called from', async () => {
  using checkout = await new Checkout().bringTools()
  const folder = join(checkout.root, 'some where')
  mkdirSync(folder)

  const { stdout } = await checkout.run(['start', 'a b', '', '--x="é"'], { INIT_CWD: folder, npm_package_json: join(checkout.root, 'package.json') })

  expect(JSON.parse(stdout)).toEqual({ args: ['a b', '', '--x="é"'], cwd: folder })
})

it('stays in the current folder when the npm around it belongs to another package', async () => {
  using checkout = await new Checkout().bringTools()

  const { stdout } = await checkout.run(['start'], { INIT_CWD: '/', npm_package_json: '/other/package.json' })

  expect(JSON.parse(stdout)).toEqual({ args: [], cwd: checkout.root })
})

it('ends with the exit code of the program', async () => {
  using checkout = await new Checkout().bringTools()
  checkout.program('process.exit(75)')

  expect(await checkout.run(['start'])).toMatchObject({ code: 75, signal: null })
})

it('ends by the signal that killed the program', async () => {
  using checkout = await new Checkout().bringTools()
  checkout.program("process.kill(process.pid, 'SIGKILL')")

  expect(await checkout.run(['start'])).toMatchObject({ code: null, signal: 'SIGKILL' })
})

it('passes SIGTERM on and lets the program end in its own way', async () => {
  using checkout = await new Checkout().bringTools()
  checkout.program("process.on('SIGTERM', () => { console.log('closing'); process.exit(143) }); setInterval(() => {}, 1000); console.log('ready')")
  const child = checkout.start(['start'])
  const end = ended(child)
  await said(child, 'ready')
  child.kill('SIGTERM')

  expect(await end).toMatchObject({ code: 143, signal: null, stdout: 'ready\nclosing\n' })
})

it('ends by SIGTERM when the program does not handle it', async () => {
  using checkout = await new Checkout().bringTools()
  checkout.program("setInterval(() => {}, 1000); console.log('ready')")
  const child = checkout.start(['start'])
  const end = ended(child)
  await said(child, 'ready')
  child.kill('SIGTERM')

  expect(await end).toMatchObject({ code: null, signal: 'SIGTERM' })
})

it('takes what npm added out of the environment of the program', async () => {
  const { userEnvironment } = await importScript('bootstrap/environment.mjs')
  const path = ['/repo/node_modules/.bin', '/node_modules/.bin', '/npm/node-gyp-bin', '/usr/bin', '/u/me/node_modules/.bin'].join(delimiter)

  expect(userEnvironment({ npm_lifecycle_event: 'start', npm_config_cache: '/c', INIT_CWD: '/x', NODE: '/n', HOME: '/u/me', PATH: path }, '/repo'))
    .toEqual({ HOME: '/u/me', PATH: ['/usr/bin', '/u/me/node_modules/.bin'].join(delimiter) })
  expect(userEnvironment({ npm_config_cache: '/c', PATH: path }, '/repo')).toEqual({ npm_config_cache: '/c', PATH: path })
})

// The commands of Windows are batch files.
it.skipIf(process.platform === 'win32')('leaves a command that runs the distribution from any folder, through a link too', async () => {
  using checkout = await new Checkout().bringTools()
  await checkout.run(['bundle'])
  const link = join(checkout.root, 'link to dsh')
  symlinkSync(join(checkout.root, 'node_modules/.bin/dsh'), link)

  for (const command of [join(checkout.root, 'node_modules/.bin/dsh'), join(checkout.root, 'dist/dsh'), link]) {
    const { stdout } = await run(command, ['a b'], { cwd: '/' })
    expect(JSON.parse(stdout)).toEqual({ args: ['a b'], cwd: '/' })
  }
})

// The commands of Windows are batch files.
it.skipIf(process.platform === 'win32')('says in its command that the repository has moved', async () => {
  using checkout = await new Checkout().bringTools()
  await checkout.run(['bundle'])
  const moved = `${checkout.root} moved`
  renameSync(checkout.root, moved)

  await expect(run(join(moved, 'node_modules/.bin/dsh'))).rejects.toMatchObject({ code: 2, stderr: 'dsh: the repository has moved or was cleaned; run `npm start` in it once\n' })
})
