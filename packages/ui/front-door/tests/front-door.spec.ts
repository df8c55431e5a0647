import { PassThrough } from 'node:stream'
import type { Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { expect, it } from 'vitest'
import { FrontDoor, type RunRequest, type Terminal } from '../src/index.ts'

it('opens once, gives the prompt once, ends with the first code, and passes signals on', async () => {
  const root = createRoot()
  const terminal: Terminal = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const request: RunRequest = { prompt: 'go', cwd: '/', agentOptions: {}, verbosity: 'normal' }
  await root.plugin(FrontDoor, { terminal, request })
  const { frontDoor } = root
  const heard: string[] = []
  root.on('front-door/interrupt', signal => void heard.push(signal))
  void frontDoor.opened.then(() => heard.push('opened'))

  await Promise.resolve()
  expect(heard).toEqual([])
  frontDoor.open()
  await frontDoor.opened
  frontDoor.interrupt('SIGTERM')
  frontDoor.finish(6)
  frontDoor.finish(0)

  expect(await frontDoor.finished).toBe(6)
  expect(heard).toEqual(['opened', 'SIGTERM'])
  expect([frontDoor.takePrompt(), frontDoor.takePrompt()]).toEqual(['go', undefined])
  expect(frontDoor).toMatchObject({ request })
  await root.fiber.dispose()
})

it('tells on stderr, except while an interface takes it', async () => {
  const root = createRoot()
  const stderr = new PassThrough()
  await root.plugin(FrontDoor, { terminal: { stdin: new PassThrough(), stdout: new PassThrough(), stderr }, request: { cwd: '/', agentOptions: {}, verbosity: 'normal' } })
  const { frontDoor } = root
  const heard: string[] = []
  let told = ''
  stderr.on('data', chunk => (told += String(chunk)))

  frontDoor.tell('1')
  const first = frontDoor.tellThrough(text => void heard.push(`first ${text}`))
  frontDoor.tell('2')
  const second = frontDoor.tellThrough(text => void heard.push(`second ${text}`))
  first()
  frontDoor.tell('3')
  second()
  frontDoor.tell('4')

  await new Promise(resolve => setImmediate(resolve))
  expect({ heard, stderr: told }).toEqual({ heard: ['first 2', 'second 3'], stderr: '14' })
  await root.fiber.dispose()
})

async function holding(): Promise<{ root: Context; told(): string; dispose(): Promise<void> }> {
  const root = createRoot()
  const stderr = new PassThrough()
  let told = ''
  stderr.on('data', chunk => (told += String(chunk)))
  await root.plugin(FrontDoor, { terminal: { stdin: new PassThrough(), stdout: new PassThrough(), stderr }, request: { cwd: '/', agentOptions: {}, verbosity: 'normal' }, holdsLines: true })
  return { root, told: () => told, dispose: () => root.fiber.dispose() }
}

it('holds what is told for a screen that is not there yet, and no more once there was one', async () => {
  const { root, told, dispose } = await holding()
  const heard: string[] = []
  root.frontDoor.tell('1')
  root.frontDoor.tell('2')
  expect([told(), heard]).toEqual(['', []])
  const off = root.frontDoor.tellThrough(text => void heard.push(text))
  root.frontDoor.tell('3')
  off()
  root.frontDoor.tell('4')
  await dispose()

  expect([told(), heard]).toEqual(['4', ['1', '2', '3']])
})

it.each<[string, (root: Context) => unknown]>([
  ['the run ends', root => root.frontDoor.finish(1)],
  ['the program fails', root => root.frontDoor.sayLastWords(new Error('x'), 'x')],
  ['it is unloaded', root => root.fiber.dispose()],
])('writes what it holds on stderr when %s before there was a screen', async (_what, end) => {
  const { root, told, dispose } = await holding()
  root.frontDoor.tell('1')
  await end(root)
  await dispose()
  expect(told()).toBe('1')
})
