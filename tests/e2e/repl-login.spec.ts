/** A key that is given within the conversation: it is seen nowhere, kept privately, and answers from the next message on. */

import { chmod, readFile, stat } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { holders } from './holders.ts'
import { provider, sandbox } from './program.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { CTRL_D, terminal, type Terminal } from './terminal.ts'

const WINDOW = { columns: 80, rows: 24 }
const KEY = 'sk-typed-within-0123456789'
/** Behind the answer to a question for a secret nothing is taken so long. */
const UNTAKEN_MS = 600
const NO_KEY = { DEEPSEEK_API_KEY: '' }

it.each([['on the screen', '$DSH', '?'], ['line by line', '$DSH --plain', '']])('asks for a key unseen %s, refuses a wrong one, and lets the real model answer at once', async (_what, script, mark) => {
  await using server = await provider([textAnswer('A real answer.'), textAnswer('And another.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, script, NO_KEY, WINDOW)
  await tty.saw(mark === '' ? '> ' : 'ask mode')
  tty.type('/login\r')
  await tty.saw('DeepSeek API key')
  tty.type('sk-wrong-9876543210\r')
  await tty.saw('does not take this key')
  expect(await holders(box, 'sk-wrong')).toEqual([])

  await sleep(UNTAKEN_MS)
  tty.type('/login\r')
  await tty.saw('DeepSeek API key')
  tty.type(KEY.slice(0, 8))
  await new Promise(resolve => setTimeout(resolve, 200))
  tty.type(`${KEY.slice(8)}\r`)
  await tty.saw('deepseek-flash')
  await sleep(UNTAKEN_MS)
  tty.type('hello\r')
  await tty.saw('A real answer.')
  const file = join(box.home.path, '.config/dsh/credentials')
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([`DEEPSEEK_API_KEY=${KEY}\n`, 0o600])
  // All that was typed comes back, and the key is not among it.
  for (let i = 0; i < 6; i++) {
    tty.type('\u001b[A')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  tty.type('\u0005\u0015')
  await new Promise(resolve => setTimeout(resolve, 200))
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output).not.toMatch(/typed-within|sk-wrong|9876543210/)
  expect(await holders(box, 'typed-within')).toEqual(['.config/dsh/credentials'])
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('typed-within')
})

it('does not take what is typed unseen for the answer to a question that comes meanwhile', async () => {
  let goOn = (): void => undefined
  const asked = new Promise<void>(resolve => (goOn = resolve))
  const call = callAnswer({ name: 'bash', arguments: { command: 'touch P' } })
  await using server = await provider([{ ...call, pieces: [{ run: () => asked }, ...(call.pieces ?? [])] }, textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain', {}, WINDOW)
  await tty.saw('> ')
  tty.type('go\r')
  await expect.poll(() => server.requests.length).toBe(1)
  tty.type('/login\r')
  await tty.saw('DeepSeek API key')
  goOn()
  await tty.saw('to remember: bash(touch P)')
  tty.type(`${KEY}\r`)
  await tty.saw('The key is stored')
  await tty.saw('[y]es once')
  tty.type('n\r')
  await tty.saw('Done.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output).not.toContain('typed-within')
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('typed-within')
  expect(await holders(box, 'typed-within')).toEqual(['.config/dsh/credentials'])
})

it('forgets it again, and keeps nothing of a key that was typed behind the command', async () => {
  await using server = await provider([], { apiKey: KEY })
  await using box = await sandbox({}, server)
  await box.home.write('.config/dsh/credentials', `DEEPSEEK_API_KEY=${KEY}\n`)
  await chmod(join(box.home.path, '.config/dsh/credentials'), 0o600)
  const tty = await terminal(box, '$DSH', NO_KEY, WINDOW)
  await tty.saw('deepseek-flash')
  tty.type('/logout\r')
  await tty.saw('The key is gone')
  await tty.saw('offline')
  tty.type('/login sk-visible-123\r')
  await tty.saw('is no provider')
  await tty.saw('alone asks for it')
  expect((await tty.screen()).join('\n')).not.toContain('sk-visible')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
  expect([await holders(box, 'sk-visible'), await holders(box, KEY)]).toEqual([[], []])
})

const AHEAD: [string, (tty: Terminal) => Promise<void>][] = [
  ['in one piece', async tty => tty.type(`/login\r${KEY}\r`)],
  ['a moment later', async tty => {
    tty.type('/login\r')
    await sleep(3)
    tty.type(KEY)
    await sleep(30)
    tty.type('\r')
  }],
  ['with more lines behind it', async tty => tty.type(`/login\r${KEY}\rsk-second-line-of-it\rand a third\r`)],
]

it.each(AHEAD)('takes a key that is typed behind /login before it asks: %s', async (_what, type) => {
  await using server = await provider([textAnswer('A real answer.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', NO_KEY, WINDOW)
  await tty.saw('ask mode')
  await type(tty)
  await tty.saw('The key is stored')
  await sleep(UNTAKEN_MS)
  tty.type('hello\r')
  await tty.saw('A real answer.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output).not.toMatch(/typed-within|second-line|and a third/)
  expect(await holders(box, 'typed-within')).toEqual(['.config/dsh/credentials'])
  expect(await holders(box, 'second-line')).toEqual([])
  expect(server.requests.flatMap(({ body }) => body.messages.filter(({ role }) => role === 'user').map(({ content }) => content))).toEqual(['hello'])
})

it.each([
  ['behind a misspelt name', '/LOGIN sk-mistyped-0123456789', 'there is no command /LOGIN; did you mean /login?'],
  ['as a message, when it is the one in use', 'my key is sk-mistyped-0123456789 now', 'That holds the API key that is in use'],
  ['as a message that is thrown away', 'my key is sk-mistyped-0123456789 now\u0003', ''],
  ['behind the name, and thrown away', '/login sk-mistyped-0123456789\u0003', ''],
])('neither sends nor keeps a key that is typed %s', async (_what, typed, answer) => {
  const key = typed.startsWith('/') ? 'sk-in-use-0123456789' : 'sk-mistyped-0123456789'
  await using server = await provider([textAnswer('An answer.')], { apiKey: key })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', { DEEPSEEK_API_KEY: key }, WINDOW)
  await tty.saw('ask mode')
  tty.type(typed)
  await sleep(100)
  if (answer !== '') tty.type('\r')
  await tty.saw(answer)
  await sleep(UNTAKEN_MS)
  const shown = tty.output.length
  tty.type('\u0003')
  await sleep(100)
  tty.type('\u001b[A')
  await sleep(100)
  tty.type('\u0015hello\r')
  await tty.saw('An answer.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output.slice(shown)).not.toContain('mistyped')
  expect(await holders(box, 'mistyped')).toEqual([])
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('mistyped')
})

it('is taken from the command line as if it were typed', async () => {
  await using server = await provider([], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH /login', NO_KEY, WINDOW)
  await tty.saw('DeepSeek API key')
  tty.type(`${KEY}\r`)
  await tty.saw('The key is stored')
  await sleep(UNTAKEN_MS)
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(server.requests.flatMap(({ body }) => body?.messages ?? [])).toEqual([])
})

it.each([['Esc', '\u001b'], ['Ctrl-C', '\u0003']])('says that it was stopped by %s while the provider is asked, and keeps nothing', async (_what, key) => {
  await using silent = await silence()
  await using box = await sandbox()
  const tty = await terminal(box, '$DSH', { ...NO_KEY, DEEPSEEK_BASE_URL: silent.url }, WINDOW)
  await tty.saw('ask mode')
  tty.type(`/login\r${KEY}\r`)
  await expect.poll(() => silent.connections()).toBe(1)
  tty.type(key)
  await tty.saw('stopped')
  await sleep(UNTAKEN_MS)
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(await holders(box, 'typed-within')).toEqual([])
})

/** A provider that takes connections and never answers. */
async function silence() {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy())
    sockets.push(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
