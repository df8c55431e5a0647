/** Set-up seen from outside: which phases run, what they say, and what a failure looks like. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Checkout, ended, said } from './checkout.ts'

const DEPENDENCIES = '[setup] dependencies: installing what pnpm-lock.yaml says … '
const BUNDLE = '[setup] bundle: building the distribution … '

it('runs a phase when its inputs have changed, and only then', async () => {
  using checkout = await new Checkout().bringTools()

  expect((await checkout.run(['bundle'])).stderr).toBe(`${DEPENDENCIES}N s\n${BUNDLE}N s\n`)
  expect((await checkout.run(['bundle'])).stderr).toBe('')
  checkout.write('packages/app/dsh/src/main.ts', 'another\n')
  expect((await checkout.run(['bundle'])).stderr).toBe(`${BUNDLE}N s\n`)
  checkout.write('pnpm-lock.yaml', 'lock: 2\n')
  expect((await checkout.run(['bundle'])).stderr).toBe(`${DEPENDENCIES}N s\n${BUNDLE}N s\n`)
  expect((await checkout.run(['bundle'])).stderr).toBe('')
})

it('names the failed phase, shows the end of its output, and says what to do', async () => {
  using checkout = await new Checkout().bringTools()
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)

  const failed = await checkout.run(['start'], { PNPM_SAYS: lines.join('\n'), PNPM_EXITS: '3' })

  expect(failed).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: [
      `${DEPENDENCIES}failed`,
      '[setup] dependencies failed: `node pnpm.mjs install --frozen-lockfile --reporter=append-only --config.confirmModulesPurge=false` exited with code 3',
      ...lines.slice(-20).map(line => `    ${line}`),
      '[setup] what to do: read the lines above; if a package.json has changed, run `node scripts/bootstrap.mjs pnpm install` and commit the lockfile; if the network failed, run the command again',
      '',
    ].join('\n'),
  })
  expect((await checkout.run(['bundle'])).stderr).toBe(`${DEPENDENCIES}N s\n${BUNDLE}N s\n`)
})

it('names the toolchain phase when the registry does not answer', async () => {
  using checkout = new Checkout()

  const failed = await checkout.run(['start'], { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0', npm_config_cache: join(checkout.root, 'empty cache') })

  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain('[setup] toolchain failed: ')
  expect(failed.stderr).toContain('ECONNREFUSED')
  expect(failed.stderr).toContain('[setup] what to do: check that the npm registry answers')
})

it('lets a second start wait for the first, and do nothing again', async () => {
  using checkout = await new Checkout().bringTools()

  const first = checkout.start(['bundle'], { PNPM_TAKES_MS: '600' })
  const firstRun = ended(first)
  await said(first, 'dependencies')
  const second = await checkout.run(['bundle'])

  expect(second).toEqual({ code: 0, signal: null, stdout: '', stderr: `[setup] waiting for another set-up of this folder (process ${first.pid})\n` })
  expect((await firstRun).code).toBe(0)
  expect(checkout.read('ran.log')).toBe('dependencies\nbundle\n')
})

it('takes over from a set-up that was killed', async () => {
  using checkout = await new Checkout().bringTools()
  const killed = checkout.start(['bundle'], { PNPM_TAKES_MS: '300' })
  const killedRun = ended(killed)
  await said(killed, 'dependencies')
  killed.kill('SIGKILL')
  await killedRun

  expect(existsSync(join(checkout.root, '.tools/lock'))).toBe(true)
  expect((await checkout.run(['bundle'])).code).toBe(0)
})

it('stops the phase, gives the lock back and ends by the signal when it is told to stop', async () => {
  using checkout = await new Checkout().bringTools()
  const child = checkout.start(['bundle'], { PNPM_TAKES_MS: '10000' })
  const run = ended(child)
  await said(child, 'dependencies')
  child.kill('SIGTERM')

  expect(await run).toEqual({ code: null, signal: 'SIGTERM', stdout: '', stderr: `${DEPENDENCIES}failed\n[setup] dependencies: interrupted by SIGTERM\n` })
  expect(existsSync(join(checkout.root, '.tools/lock'))).toBe(false)
})

it('refuses a task that it does not know', async () => {
  using checkout = await new Checkout().bringTools()

  expect(await checkout.run(['strat'])).toEqual({
    code: 2,
    signal: null,
    stdout: '',
    stderr: '[setup] unknown task "strat"\n[setup] what to do: use one of start, test, check, pack, fix, bundle, pnpm, node, clean\n',
  })
})

it('removes everything that set-up made, and nothing else', async () => {
  using checkout = await new Checkout().bringTools()
  await checkout.run(['bundle'])
  checkout.write('packages/app/dsh/node_modules/x/index.js', '')

  await checkout.run(['clean'])

  const left = ['.tools', 'dist', 'node_modules', 'packages/app/dsh/node_modules', 'packages/app/dsh/src/main.ts', 'pnpm-lock.yaml']
  expect(left.filter(path => existsSync(join(checkout.root, path)))).toEqual(['packages/app/dsh/src/main.ts', 'pnpm-lock.yaml'])
})
