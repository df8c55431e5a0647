import { expect, it } from 'vitest'
import { AnsweredConnection, Transport } from '../src/index.ts'

it('answers whatever is sent with the same bytes, time after time, and asks no network', async () => {
  const connections: AnsweredConnection[] = []
  const connect = (): AnsweredConnection => {
    const connection = new AnsweredConnection('HTTP/1.1 201 Created\r\nx-own: yes\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
    connections.push(connection)
    return connection
  }
  const transport = new Transport('https://nowhere.invalid', { connectTimeoutMs: 1000, env: { HTTPS_PROXY: 'http://127.0.0.1:1' }, connect })
  for (const body of ['short', 'x'.repeat(1_000_000)]) {
    const heard = await new Promise<unknown[]>((resolve, reject) => {
      const parts: unknown[] = []
      void transport.dispatch({ path: '/a', method: 'POST', headers: {}, body }, {
        onRequestStart: () => {},
        onResponseStart: (status, headers) => parts.push(status, headers['x-own']),
        onResponseData: chunk => parts.push(Buffer.from(chunk).toString()),
        onResponseEnd: () => resolve(parts),
        onResponseError: reject,
      })
    })
    expect(heard).toEqual([201, 'yes', 'ok'])
  }
  await transport.close()
  expect(connections.length).toBe(2)
})
