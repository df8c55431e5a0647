import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { EchoOutput } from '../src/echo-output.ts'

it('passes on what is written unless it is muted, and the size of the terminal until it is detached', () => {
  const written: unknown[] = []
  const target = Object.assign(new PassThrough(), { columns: 80, write: (chunk: unknown) => written.push(chunk) > 0 })
  const echo = new EchoOutput(target)
  let resized = 0
  echo.on('resize', () => resized++)

  echo.write('one')
  echo.isMuted = true
  echo.write('two')
  echo.isMuted = false
  echo.write('three')
  target.columns = 40
  target.emit('resize')
  echo.detach()
  target.emit('resize')

  // At once: what comes from elsewhere must not overtake it.
  expect(written).toEqual(['one', 'three'])
  expect([echo.columns, resized, target.listenerCount('resize')]).toEqual([40, 1, 0])
})
