import { appendFile, chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PromptHistory, readEntries } from '../src/index.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-history-'))
})
afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

async function loaded(path: string, options: { most?: number } = {}): Promise<PromptHistory> {
  const history = new PromptHistory({ path, ...options })
  await history.load()
  return history
}

it('brings what was typed to the next process, newest first, each text once, in a private file', async () => {
  const path = join(folder, 'data', 'history.jsonl')
  let now = 0
  const history = new PromptHistory({ path, now: () => ++now })
  for (const text of ['one', 'two\nlines \u2028', 'one', 'one']) await history.add(text)

  expect((await loaded(path)).entries).toEqual(['one', 'two\nlines \u2028'])
  expect(readEntries(await readFile(path, 'utf8'))).toEqual([{ text: 'one', at: 1 }, { text: 'two\nlines \u2028', at: 2 }, { text: 'one', at: 3 }])
  expect([(await stat(path)).mode & 0o777, (await stat(join(folder, 'data'))).mode & 0o777]).toEqual([0o600, 0o700])
})

it('takes of what was typed in the same moment the later for the newer', async () => {
  const history = new PromptHistory({ now: () => 1 })
  for (const text of ['one', 'two', 'three']) await history.add(text)

  expect(history.entries).toEqual(['three', 'two', 'one'])
})

it('does not remember what begins with a blank, and remembers shell lines', async () => {
  const path = join(folder, 'history.jsonl')
  const history = await loaded(path)
  await history.add(' export TOKEN=x')
  await history.add('')
  await history.add('!ls')

  expect((await loaded(path)).entries).toEqual(['!ls'])
})

it('skips lines that cannot be read, and goes on behind one without an end', async () => {
  const path = join(folder, 'history.jsonl')
  await writeFile(path, '{"text":"good","at":1}\nnonsense\n[]\n{"at":2}\n{"text":5}\n{"text":"torn","a')
  const history = await loaded(path)
  expect(history.entries).toEqual(['good'])
  await history.add('next')

  expect((await loaded(path)).entries).toEqual(['next', 'good'])
})

it('sees what another process adds', async () => {
  const path = join(folder, 'history.jsonl')
  const [a, b] = [await loaded(path), await loaded(path)]
  await a.add('from a')
  await b.load()

  expect(b.entries).toEqual(['from a'])
})

it('keeps the newest entries when there are twice as many as there may be', async () => {
  const path = join(folder, 'history.jsonl')
  let now = 0
  const history = new PromptHistory({ path, most: 3, now: () => ++now })
  for (let i = 1; i <= 7; i++) await history.add(`entry ${i}`)

  expect(readEntries(await readFile(path, 'utf8')).map(({ text }) => text)).toEqual(['entry 5', 'entry 6', 'entry 7'])
  expect(history.entries).toEqual(['entry 7', 'entry 6', 'entry 5'])
})

it('keeps the newest half of a file that has become too big', async () => {
  const path = join(folder, 'history.jsonl')
  const history = new PromptHistory({ path, mostBytes: 1_000 })
  for (let i = 1; i <= 12; i++) await history.add(`${i} ${'x'.repeat(80)}`)
  const { size } = await stat(path)

  expect(size).toBeLessThan(1_000)
  expect((await loaded(path)).entries[0]).toBe(`12 ${'x'.repeat(80)}`)
})

it('loses nothing of several processes that add and cut at the same time', async () => {
  const path = join(folder, 'history.jsonl')
  const source = new URL('../src/index.ts', import.meta.url).href
  const work = `
    const { workerData } = require('node:worker_threads')
    import(workerData.source).then(async ({ PromptHistory }) => {
      const history = new PromptHistory({ path: workerData.path, most: 200 })
      for (let i = 0; i < 100; i++) await history.add(workerData.name + i)
    })`
  // More than twice what may be kept: so that somebody cuts.
  await appendFile(path, Array.from({ length: 390 }, (_, i) => `{"text":"old ${i}","at":${i}}\n`).join(''))
  await Promise.all(['a', 'b'].map(name => new Promise<void>((resolve, reject) => {
    new Worker(work, { eval: true, workerData: { source, path, name } }).once('error', reject).once('exit', () => resolve())
  })))
  const texts = new Set((await new PromptHistory({ path, most: 10_000 }).load().then(async () => readEntries(await readFile(path, 'utf8')))).map(({ text }) => text))

  expect(['a', 'b'].flatMap(name => Array.from({ length: 100 }, (_, i) => `${name}${i}`)).filter(text => !texts.has(text))).toEqual([])
})

it('remembers without a file that can be written, and says why it is not stored', async () => {
  await writeFile(join(folder, 'file'), '')
  const history = new PromptHistory({ path: join(folder, 'file', 'history.jsonl') })

  await expect(history.add('kept')).rejects.toMatchObject({ code: expect.any(String) })
  expect(history.entries).toEqual(['kept'])
})

it('keeps what is too long for the file to itself', async () => {
  const path = join(folder, 'history.jsonl')
  const history = new PromptHistory({ path, longest: 10 })
  await history.add('x'.repeat(11))

  expect(history.entries).toEqual(['x'.repeat(11)])
  expect((await loaded(path)).entries).toEqual([])
})

it('stores later what waits, at once when there is no time left, and remembers it all the while', async () => {
  const path = join(folder, 'history.jsonl')
  const history = new PromptHistory({ path, waitMs: 60_000 })
  const added = history.add('one')
  expect(history.entries).toEqual(['one'])
  expect((await loaded(path)).entries).toEqual([])
  await history.flush()
  expect((await loaded(path)).entries).toEqual(['one'])
  await history.add('two')
  await added
  expect((await loaded(path)).entries).toEqual(['two', 'one'])

  const soon = new PromptHistory({ path, waitMs: 1 })
  await soon.add('three')
  expect((await loaded(path)).entries).toEqual(['three', 'two', 'one'])
})
