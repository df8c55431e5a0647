import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Exchange, HttpExchangeError, Transport } from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function serve(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function open(url: string, env: NodeJS.ProcessEnv = {}): Transport {
  const transport = new Transport(url, { connectTimeoutMs: 1000, env })
  cleanups.push(() => transport.close())
  return transport
}

interface Outcome {
  seen: string[]
  body: string
  error?: unknown
}

interface Given {
  transport: Transport
  headers?: Record<string, string>
  signal?: AbortSignal
  idleTimeoutMs?: number
  onData?: () => void
}

/** Sends one request and waits for the end of it. */
async function exchange({ transport, headers = {}, signal = new AbortController().signal, idleTimeoutMs = 1000, onData }: Given): Promise<Outcome> {
  const outcome: Outcome = { seen: [], body: '' }
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const sink = {
    head: (status: number) => void outcome.seen.push(`head ${status}`),
    data(bytes: Uint8Array) {
      outcome.body += Buffer.from(bytes).toString()
      onData?.()
    },
    end() {
      outcome.seen.push('end')
      resolve(outcome)
    },
    fail(error: unknown) {
      outcome.seen.push('fail')
      outcome.error = error
      resolve(outcome)
    },
  }
  const options = { host: 'the-host', firstByteTimeoutMs: 500, idleTimeoutMs, signal, released: () => void outcome.seen.push('released') }
  await new Exchange(sink, options).send(transport, { path: '/x', method: 'POST', headers, body: 'hello' })
  return promise
}

describe('Exchange', () => {
  it('hands over head, body and end, and frees the body once', async () => {
    const { url } = await serve((request, response) => void request.on('data', piece => response.end(`got ${piece}`)))
    expect(await exchange({ transport: open(url) })).toEqual({ seen: ['head 200', 'released', 'end'], body: 'got hello' })
  })

  it.each<[string, RequestListener, string, string]>([
    ['never answers', () => undefined, 'TIMEOUT', 'the-host did not begin to answer within 0.5 s'],
    ['goes silent', (_, response) => void response.write('half'), 'TIMEOUT', 'the-host went silent in the middle of the answer within 0.1 s'],
    ['hangs up first', request => void request.socket.destroy(), 'UNREACHABLE', 'cannot reach the-host'],
    ['hangs up in the middle', (_, response) => void response.write('half', () => response.destroy()), 'STREAM_CLOSED', 'broke in the middle'],
  ])('reports a server that %s', async (_name, listener, code, message) => {
    const { url } = await serve(listener)
    const { error, seen } = await exchange({ transport: open(url), idleTimeoutMs: 100 })
    expect(error).toBeInstanceOf(HttpExchangeError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(seen.filter(word => word === 'fail')).toHaveLength(1)
  })

  it('says what to do when nobody listens', async () => {
    const { error } = await exchange({ transport: open('http://127.0.0.1:9') })
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: 'cannot reach the-host (ECONNREFUSED): nothing listens there; is the server running, is the base URL right?' })
  })

  it('says what to do when the server does not speak TLS', async () => {
    const { url } = await serve((_, response) => void response.end())
    const { error } = await exchange({ transport: open(url.replace('http:', 'https:')) })
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining('should the address begin with http://?') })
  })

  it('gives up on a handshake that takes longer than a connection may', async () => {
    const silent = createTcpServer(socket => void socket.resume())
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise(resolve => silent.close(resolve)))
    const transport = new Transport(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`, { connectTimeoutMs: 50, env: {} })
    cleanups.push(() => transport.close())
    const { error } = await exchange({ transport })
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: 'cannot reach the-host (ETIMEDOUT): the host does not answer; check the network and any proxy' })
  })

  it('uses a connection again when its response has ended', async () => {
    const { server, url } = await serve((_, response) => void response.end('one'))
    let connections = 0
    server.on('connection', () => connections++)
    const transport = open(url)
    for (let round = 0; round < 3; round++) {
      await exchange({ transport })
      await sleep(5)
    }
    expect(connections).toBe(1)
  })

  it('says that a request is at fault which cannot be sent, without showing its headers', async () => {
    const { url } = await serve((_, response) => void response.end())
    const { error, seen } = await exchange({ transport: open(url), headers: { 'x-team': 'a\nb-secret' } })
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('header content ["x-team"]') })
    expect(String(error)).not.toContain('secret')
    expect(seen).toEqual(['released', 'fail'])
  })

  it('says what to do when the name does not resolve', async () => {
    const { error } = await exchange({ transport: open('http://no-such-name.invalid') })
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) })
  })

  it('fails with the reason of the signal, before and during the request', async () => {
    const { url } = await serve((_, response) => void response.write('half'))
    const transport = open(url)
    const reason = new Error('enough')
    expect((await exchange({ transport, signal: AbortSignal.abort(reason) })).error).toBe(reason)
    const controller = new AbortController()
    expect((await exchange({ transport, signal: controller.signal, onData: () => controller.abort(reason) })).error).toBe(reason)
  })

  it('sends nothing when the abort comes before the connection does', async () => {
    let requests = 0
    const { url } = await serve((_, response) => {
      requests++
      response.end()
    })
    const transport = open(url)
    await exchange({ transport })
    const controller = new AbortController()
    const outcome = exchange({ transport, signal: controller.signal })
    controller.abort(new Error('enough'))
    expect((await outcome).error).toEqual(new Error('enough'))
    await sleep(50)
    expect(requests).toBe(1)
  })

  it('fails with what the reader throws', async () => {
    const { url } = await serve((_, response) => void response.write('half'))
    const thrown = new Error('unreadable')
    const { error } = await exchange({
      transport: open(url),
      onData: () => {
        throw thrown
      },
    })
    expect(error).toBe(thrown)
  })

  it('goes through the proxy that the environment names, except where it says not to', async () => {
    const origin = await serve((_, response) => void response.end('direct'))
    const { server: proxy, url: proxyUrl } = await serve((_, response) => void response.end('by proxy'))
    const tunnels: string[] = []
    proxy.on('connect', (request, socket) => {
      tunnels.push(String(request.url))
      socket.end('HTTP/1.1 502 No\r\n\r\n')
    })
    const variables = { http_proxy: proxyUrl, no_proxy: '' }
    const before = { http_proxy: process.env.http_proxy, no_proxy: process.env.no_proxy }
    Object.assign(process.env, variables)
    try {
      const { body, error } = await exchange({ transport: open(origin.url, process.env) })
      expect([body === 'by proxy' || tunnels.length > 0, body === 'direct']).toEqual([true, false])
      expect(error === undefined || error instanceof HttpExchangeError).toBe(true)
      process.env.no_proxy = '127.0.0.1'
      expect((await exchange({ transport: open(origin.url, process.env) })).body).toBe('direct')
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })

  it('asks the proxy for a tunnel to a host that speaks https', async () => {
    const { server: proxy, url } = await serve((_, response) => void response.end('by proxy'))
    const tunnels: string[] = []
    proxy.on('connect', (request, socket) => {
      tunnels.push(String(request.url))
      socket.end('HTTP/1.1 403 No\r\n\r\n')
    })
    const before = process.env.https_proxy
    process.env.https_proxy = url
    try {
      const { error } = await exchange({ transport: open('https://api.invalid', process.env) })
      expect(error).toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining('Proxy response (403)') })
      expect(tunnels).toEqual(['api.invalid:443'])
    } finally {
      if (before === undefined) delete process.env.https_proxy
      else process.env.https_proxy = before
    }
  })

  it('refuses requests after the connections were closed', async () => {
    const transport = open('http://127.0.0.1:9')
    await transport.close()
    expect((await exchange({ transport })).error).toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining('have been closed') })
  })
})
