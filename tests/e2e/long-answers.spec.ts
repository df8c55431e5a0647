/** Long answers arrive whole, however many pieces they come in. */

import { answer, delta, DONE, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'

it.each([5_000, 10_000])('prints an answer of %d deltas exactly, and logs each of them', async deltas => {
  const text = Array.from({ length: deltas }, (_, i) => `${i} é `).join('')
  await using server = await provider([answer({ text: Array.from({ length: deltas }, (_, i) => `${i} é `), perWrite: 50 })])
  await using box = await sandbox({}, server)

  const { code, stdout, stderr } = await box.run(['-p', '--verbose', 'go'])

  expect({ code, length: stdout.length }).toEqual({ code: 0, length: text.length + 1 })
  expect(stdout).toBe(`${text}\n`)
  const [header, message] = ['request/header', 'assistant/message'].map(type => Number(stderr.match(new RegExp(`· (\\d+) ${type}`))?.[1]))
  // Between the two stand the chunks: a start, the deltas, an end, the usage and the finish.
  expect((message ?? 0) - (header ?? 0) - 1).toBe(deltas + 4)
})

it('gives the next request the whole of a large argument that came in small pieces', async () => {
  const content = 'line of text\n'.repeat(40_000)
  const json = JSON.stringify({ file_path: 'big.txt', content })
  const pieces = Array.from({ length: Math.ceil(json.length / 200) }, (_, i) => delta({ tool_calls: [{ index: 0, function: { arguments: json.slice(i * 200, (i + 1) * 200) } }] }))
  const first = { pieces: [delta({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'write', arguments: '' } }] }), ...chunked(pieces, 100), delta({}, 'tool_calls'), DONE] }
  await using server = await provider([first, textAnswer('ok')])
  await using box = await sandbox({}, server)

  const run = await box.run(['-p', '--quiet', '--permission', 'auto', 'go'])

  expect(run).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
  expect(await box.workspace.read('big.txt')).toBe(content)
  server.assertStrict()
})

function chunked(pieces: readonly string[], size: number): string[] {
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, i) => pieces.slice(i * size, (i + 1) * size).join(''))
}
