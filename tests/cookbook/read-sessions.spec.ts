// The code of docs/sessions.md.

// #region plain
import { readFileSync } from 'node:fs'

/** Who said what in the session that the file holds. */
export function readConversation(path: string): [who: string, text: string][] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1) // what follows the last line feed is being written
  const conversation: [string, string][] = []
  for (const line of lines) {
    const { type, data } = JSON.parse(line)
    if (type !== 'user/message' && type !== 'assistant/message' && type !== 'tool/result') continue
    const text = data.content.flatMap((block: { text?: string }) => block.text ?? []).join('\n')
    conversation.push([type.split('/')[0], text])
  }
  return conversation
}
// #endregion

// #region in-flight
import fs from 'node:fs'

/** What is being said beyond what the log at the path says. */
export function readInFlight(path: string): string {
  const linesOf = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])
  const [, ...pieces] = linesOf(path.replace(/\.jsonl$/, '.stream.jsonl')) // before the log: what is moved meanwhile is then in both, not in neither
  const { seq = -1, n = 1 } = JSON.parse(linesOf(path).at(-1) ?? '{}')
  const unknown = pieces.map(piece => JSON.parse(piece)).filter(([first]) => first >= seq + n) // what the log has counts there
  return unknown.map(([, , text]) => text).join('')
}
// #endregion

// #region service
import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-session-persistence'

export const name = 'session-watch'
export const inject = ['sessionPersistence']

export function apply(ctx: Context): void {
  const stop = new AbortController()
  ctx.effect(() => () => stop.abort(), 'session watch')
  void (async () => {
    const [latest] = await ctx.sessionPersistence.list({ limit: 1 }, stop.signal)
    if (!latest) return
    for await (const event of ctx.sessionPersistence.follow(latest.id, { from: 0 }, stop.signal)) {
      if (event.type === 'tool/call') ctx.logger.info('%s: %s', latest.title, event.data.name)
    }
  })()
}
// #endregion

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { call, harness, reply, textTool, type Harness } from '@deepseek-ai/dsh-testkit'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function talk(): Promise<{ root: string; harness: Harness }> {
  const root = mkdtempSync(join(tmpdir(), 'dsh-read-'))
  cleanups.push(() => rmSync(root, { recursive: true, force: true }))
  const model = [call('look', { at: 'this' }, { text: 'I look.', deltas: 5 }), reply('There is nothing.', { deltas: 3 })]
  const mounted = await harness({ model, plugins: [[JsonlSessionPersistence as never, { root }]], tools: [textTool('look', () => 'nothing')] })
  cleanups.push(() => mounted.dispose())
  await mounted.run('look at this')
  return { root, harness: mounted }
}

it('reads a conversation from its file with nothing but Node', async () => {
  const { root } = await talk()
  const [path = ''] = readdirSync(join(root, 'sessions'), { recursive: true }).map(String).filter(file => file.endsWith('.jsonl'))
  expect(readConversation(join(root, 'sessions', path))).toEqual([['user', 'look at this'], ['assistant', 'I look.'], ['tool', 'nothing'], ['assistant', 'There is nothing.']])
})

it('reads beyond the log what is being said', async () => {
  const root = mkdtempSync(join(tmpdir(), 'dsh-read-'))
  cleanups.push(() => rmSync(root, { recursive: true, force: true }))
  const mounted = await harness({ plugins: [[JsonlSessionPersistence as never, { root }]] })
  cleanups.push(() => mounted.dispose())
  const writer = await mounted.ctx.sessionPersistence.create({ version: 1, id: 'one', createdAt: 1, cwd: '/' }, new AbortController().signal)
  const said = (seq: number, text: string): SessionEvent => ({ type: 'assistant/chunk', seq, time: seq, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } } })
  await writer.append([{ type: 'step/start', seq: 0, time: 0, data: { turn: 1, step: 1 } }])
  const [path = ''] = readdirSync(join(root, 'sessions'), { recursive: true }).map(String).filter(file => file.endsWith('one.jsonl'))
  const seen: string[] = []
  for (const batch of [[said(1, 'I ')], [said(2, 'lo'), said(3, 'ok')], [said(4, '.')]]) {
    await writer.append(batch)
    seen.push(readInFlight(join(root, 'sessions', path)))
  }
  await writer.sync()
  seen.push(readInFlight(join(root, 'sessions', path)))
  await writer.close()
  expect([...seen, readInFlight(join(root, 'sessions', path))]).toEqual(['I ', 'I look', 'I look.', '', ''])
})

it('watches the latest session from a plugin', async () => {
  const { harness: mounted } = await talk()
  const lines: unknown[][] = []
  mounted.ctx.logger.exporter({ export: ({ type, args }) => void (type === 'info' && lines.push([...args])) })
  await mounted.ctx.plugin({ name, inject, apply })
  while (lines.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  expect(lines).toEqual([['%s: %s', 'look at this', 'look']])
})
