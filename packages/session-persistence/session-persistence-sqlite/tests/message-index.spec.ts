import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { edit, header, kit, signal, store, turn } from './kit.ts'

const { open } = kit()

function result(seq: number, text: string): SessionEvent {
  return { type: 'tool/result', seq, time: 1, data: { turn: 1, step: 1, callId: 'c', name: 'bash', content: [{ type: 'text', text }], isError: false }, surfaceOp: 'append' } as unknown as SessionEvent
}

describe('the index of messages', () => {
  it.each([
    ['words from their beginning, in any order and case', 'FOX qui', ['en']],
    ['all words, in one message', 'quick lazy', []],
    ['a part of a Chinese sentence', '天气', ['zh']],
    ['parts of one', '今天 怎么', ['zh']],
    ['not characters that only stand elsewhere in it', '气天', []],
    ['Japanese, Thai and accented letters', '東京 กรุง café', ['mixed']],
    ['names in code', 'src/main.ts', ['code']],
    ['signs among words', 'a->b', ['code']],
    ['signs alone', '=> {', ['code']],
    ['nothing for what only looks alike', 'src-main.ts', []],
    ['what would be syntax of a query as what it is', '"quick" OR lazy* NEAR(', []],
    ['quotes', '"half', ['quote']],
  ])('finds %s', async (_, query, ids) => {
    const { persistence } = await open()
    await store(persistence, 'en', turn(0, 'The quick brown fox'), turn(3, 'a lazy dog'))
    await store(persistence, 'zh', turn(0, '今天天气怎么样？'))
    await store(persistence, 'mixed', turn(0, '東京タワー กรุงเทพ Café'))
    await store(persistence, 'code', turn(0, 'see src/main.ts: a->b, () => { }'))
    await store(persistence, 'quote', turn(0, 'a "half quoted'))
    expect((await persistence.search(query, {}, signal)).map(({ summary }) => summary.id)).toEqual(ids)
  })

  it('names the first message with all words, of what tools said too, in sessions of one folder, and not more than asked for', async () => {
    const { persistence, root } = await open()
    const elsewhere = await persistence.create({ ...header('far'), cwd: root }, signal)
    await elsewhere.append([...turn(0, 'needle'), ...turn(3, 'needle')])
    await elsewhere.close()
    await store(persistence, 'one', turn(0, 'hay'), [result(3, 'a needle\n in the hay'), result(4, 'needle')])
    await store(persistence, 'two', [...turn(0, 'hay'), ...turn(3, 'needle'), ...turn(6, 'later')])
    const found = async (options: { cwd?: string; limit?: number }): Promise<[string, number, string][]> => (await persistence.search('needle', options, signal)).map(({ summary, seq, excerpt }) => [summary.id, seq, excerpt])
    expect(await found({ cwd: '/' })).toEqual([['two', 4, 'needle'], ['one', 3, 'a needle in the hay']])
    expect(await found({ limit: 1 })).toEqual([['two', 4, 'needle']])
    expect(await found({ cwd: root })).toEqual([['far', 1, 'needle']])
  })

  it('holds nothing of what is put aside or deleted, however much there was', async () => {
    const { persistence, root } = await open()
    for (let i = 0; i < 40; i++) await store(persistence, `s${i}`, Array.from({ length: 20 }, (_, n) => turn(3 * n, `word${i} word${n} secret`)).flat())
    edit(root, database => database.exec("UPDATE events SET data = '{half' WHERE seq = 10 AND session = (SELECT key FROM sessions WHERE id = 's7')"))
    await persistence.repair('s7', signal)
    for (let i = 10; i < 40; i++) await persistence.delete(`s${i}`, signal)
    const rows = edit(root, database => database.prepare("SELECT count(*) AS n, sum(rowid IN (SELECT key FROM events WHERE type = 'user/message')) AS there FROM messages WHERE messages MATCH 'secret'").get())
    expect({ ...rows }).toEqual({ n: 9 * 20 + 3, there: 9 * 20 + 3 })
  })
})
