import { PassThrough } from 'node:stream'
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
