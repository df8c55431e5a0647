import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Exchange, Transport } from '../src/index.ts'

async function serve() {
  const sockets: Socket[] = []
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    response.end('ok')
  })
  server.on('connection', socket => sockets.push(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { sockets, requests: () => requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function open(url: string, env: NodeJS.ProcessEnv = {}): Transport {
  const transport = new Transport(url, { connectTimeoutMs: 1000, env })
  onTestFinished(() => transport.close())
  return transport
}

/** The body, or the error. */
async function get(transport: Transport): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  let body = ''
  const sink = { head: () => undefined, data: (bytes: Uint8Array) => void (body += Buffer.from(bytes).toString()), end: () => resolve(body), fail: resolve }
  void new Exchange(sink, { host: 'here', firstByteTimeoutMs: 1000, idleTimeoutMs: 1000, signal: new AbortController().signal, released: () => undefined }).send(transport, { path: '/', method: 'GET', headers: {} })
  return await promise
}

it('is there before the request, which goes over it, and is opened once', async () => {
  const server = await serve()
  const transport = open(server.url)
  await transport.connectEarly()
  await transport.connectEarly()
  await vi.waitFor(() => expect(server.sockets).toHaveLength(1))
  expect(server.requests()).toBe(0)

  expect(await get(transport)).toBe('ok')
  await transport.connectEarly()
  expect(await get(transport)).toBe('ok')
  expect([server.sockets.length, server.requests()]).toEqual([1, 2])
})

it('is used while it is still being opened', async () => {
  const server = await serve()
  const transport = open(server.url)
  await transport.connectEarly()
  expect(await get(transport)).toBe('ok')
  expect(server.sockets).toHaveLength(1)
})

it('is replaced when the server has closed it meanwhile', async () => {
  const server = await serve()
  const transport = open(server.url)
  await transport.connectEarly()
  await vi.waitFor(() => expect(server.sockets).toHaveLength(1))
  server.sockets[0]?.destroy()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(await get(transport)).toBe('ok')
  expect(server.sockets).toHaveLength(2)
})

it('fails without a word: the request says why', async () => {
  const transport = open('http://127.0.0.1:1')
  await transport.connectEarly()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(await get(transport)).toMatchObject({ code: 'UNREACHABLE' })
})

it('closes with the transport, and is not opened by one that is closed', async () => {
  const server = await serve()
  const transport = open(server.url)
  await transport.connectEarly()
  await vi.waitFor(() => expect(server.sockets).toHaveLength(1))
  await transport.close()
  await vi.waitFor(() => expect(server.sockets[0]?.destroyed).toBe(true))
  await transport.connectEarly()
  expect(server.sockets).toHaveLength(1)
})

it('is not opened beside a proxy', async () => {
  const server = await serve()
  await open(server.url, { HTTP_PROXY: 'http://127.0.0.1:1' }).connectEarly()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(server.sockets).toEqual([])
})
