import { expect, it } from 'vitest'
import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { adapterFor, answerOf, cleanUp, open } from './harness.ts'

cleanUp()

const signal = new AbortController().signal

it('is made ready by an exchange with nobody, which changes nothing', async () => {
  const harness = await open([textAnswer('ok')])
  await harness.adapter.prepare('deepseek-flash', signal)
  expect([harness.server.requests, harness.notes]).toEqual([[], []])
  await answerOf(harness)
  expect(harness.server.requests).toHaveLength(1)
})

it('needs no network and no proxy for it', async () => {
  const { adapter, notes } = adapterFor('https://nowhere.invalid', {}, { HTTPS_PROXY: 'http://127.0.0.1:1' })
  await adapter.prepare('deepseek-flash', signal)
  expect(notes).toEqual([])
})

it('says what a request would say that cannot be made', async () => {
  const { adapter } = adapterFor('http://127.0.0.1:1', { apiKey: '' })
  await expect(adapter.prepare('deepseek-flash', signal)).rejects.toMatchObject({ code: 'AUTH' })
  await expect(adapterFor('http://127.0.0.1:1').adapter.prepare('deepseek-flash', AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
})
