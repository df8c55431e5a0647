import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { writeLastMessage } from '../src/index.ts'

it('replaces the whole file, keeps its mode, and ends its last line', async () => {
  await using files = await tempWorkspace({})
  const path = files.resolve('answer')
  writeFileSync(path, 'a long old text')
  chmodSync(path, 0o640)
  writeLastMessage(path, 'New.')
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, readdirSync(files.path)]).toEqual(['New.\n', 0o640, ['answer']])
})

it('writes through a link, also to what is not there yet', async () => {
  await using files = await tempWorkspace({})
  symlinkSync('target', files.resolve('link'))
  writeLastMessage(files.resolve('link'), 'One.\n')
  writeLastMessage(files.resolve('link'), 'Two.\n')
  expect(await files.read('target')).toBe('Two.\n')
})

it('writes to a device as it is', () => {
  writeLastMessage('/dev/null', 'gone')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

it('names the file and the reason when it cannot be written, and leaves nothing behind', async () => {
  await using files = await tempWorkspace({})
  mkdirSync(files.resolve('folder'))
  expect(() => writeLastMessage(files.resolve('folder'), 'x')).toThrow(/could not be written to .*folder: .*EISDIR/)
  expect(() => writeLastMessage(files.resolve('none/answer'), 'x')).toThrow(/none\/answer: .*ENOENT/)
  expect(readdirSync(files.path)).toEqual(['folder'])
})
