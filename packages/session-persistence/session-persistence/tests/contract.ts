/**
 * What every store of sessions must do, whatever it is made of. An
 * implementation's own tests call `describePersistence` first and then cover
 * only what is peculiar to it.
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describeFaults } from './contract-faults.ts'
import { header, kill, kit, signal, store, type PersistenceFixture } from './contract-kit.ts'
import { deltas, turn } from './events.ts'

export type { PersistenceFixture } from './contract-kit.ts'

export function describePersistence(name: string, fixture: PersistenceFixture): void {
  const { cleanups, opened, holder } = kit(fixture)

  describe(`${name} is a SessionPersistence`, () => {
    it('gives back exactly what was appended, in whatever batches', async () => {
      const { persistence, root } = await opened()
      const odd: SessionEvent = { type: 'user/message', seq: 303, time: -5, data: { content: [{ type: 'text', text: '\u2028 \u2029 \u0085 \v \f \0 \r \n 😀 "\\' }], source: { kind: 'user' } }, surfaceOp: 'append', sourceEventSeqs: [1, 2] }
      const unknown = { type: 'plugin/own', seq: 304, time: 7, data: { anything: [1, null, { deep: true }] } } as unknown as SessionEvent
      const all = [...turn(0), ...deltas(3, 300), odd, unknown]
      await store(persistence, 'one', all.slice(0, 100), all.slice(100, 101), all.slice(101))
      const other = await opened(root)
      const stored = await other.persistence.load('one', signal)
      expect([stored.header, stored.events, stored.damage]).toEqual([header('one'), all, []])
    })

    it('stores nothing of a session without events', async () => {
      const { persistence } = await opened()
      await store(persistence, 'one')
      expect(await persistence.list({}, signal)).toEqual([])
      await expect(persistence.load('one', signal)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    })

    it('leaves no trace of a rehearsal', async () => {
      const { persistence, root } = await opened()
      const temporary = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('dsh-rehearsal-'))
      const before = [readdirSync(root, { recursive: true }), temporary()]
      await persistence.rehearse(signal)
      expect([readdirSync(root, { recursive: true }), temporary()]).toEqual(before)
      expect(await persistence.list({}, signal)).toEqual([])
      await store(persistence, 'one', turn(0))
      expect((await persistence.load('one', signal)).events).toEqual(turn(0))
      await expect(persistence.rehearse(AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
    })

    it('stores a lone surrogate as JSON does, and 20 MB in one event', async () => {
      const { persistence } = await opened()
      const long = turn(0, `\ud83d ${'x'.repeat(20_000_000)}`)
      await store(persistence, 'one', long)
      expect((await persistence.load('one', signal)).events).toEqual(JSON.parse(JSON.stringify(long)))
    })

    it('refuses an append at another place than the end, and stores nothing of it', async () => {
      const { persistence } = await opened()
      const writer = await persistence.create(header('one'), signal)
      await writer.append(turn(0))
      await expect(writer.append(turn(6))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
      await expect(writer.append(turn(0))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
      await writer.append(turn(3))
      await writer.close()
      expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
    })

    it('refuses a second session of an id', async () => {
      const { persistence } = await opened()
      await store(persistence, 'one', turn(0))
      await expect(persistence.create(header('one'), signal)).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
    })

    it('lets one writer in, in this process and among all, and says who it is', async () => {
      const { persistence, root } = await opened()
      const { child } = await holder(root, 'one')
      await expect(persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE', holder: { pid: child.pid } })
      await expect(persistence.delete('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE' })
      expect((await persistence.load('one', signal)).events).toEqual(turn(0))
      expect((await persistence.list({}, signal))[0]?.inUseBy?.pid).toBe(child.pid)
    })

    it('keeps the lease of a holder that is stopped, and lets one succeed a holder that was killed', async () => {
      const { persistence, root } = await opened()
      const { child } = await holder(root, 'one')
      child.kill('SIGSTOP')
      await expect(persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE' })
      await kill(child)
      const other = await opened(root)
      const outcomes = await Promise.allSettled([persistence.open('one', signal), other.persistence.open('one', signal)])
      const won = outcomes.filter(outcome => outcome.status === 'fulfilled').map(({ value }) => value)
      expect(won).toHaveLength(1)
      await won[0]?.writer.append(turn(3))
      await won[0]?.writer.close()
      expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
    })

    it('takes nothing from a holder on another host, and tells a reused process number from its holder', async () => {
      const { persistence, root } = await opened()
      const { child } = await holder(root, 'one')
      const lease = JSON.parse(fixture.readLease(root, 'one')) as Record<string, unknown>
      await kill(child)
      fixture.setLease(root, 'one', JSON.stringify({ ...lease, host: 'elsewhere' }))
      await expect(persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE', message: expect.stringContaining('elsewhere') as string })
      // This process has the number, but began at another time.
      fixture.setLease(root, 'one', JSON.stringify({ ...lease, pid: process.pid }))
      await (await persistence.open('one', signal)).writer.close()
    })

    it('opens what stands before a hole, keeps the rest aside, and goes on', async () => {
      const { persistence, root, close } = await opened()
      await store(persistence, 'one', [...turn(0), ...turn(3)], turn(6))
      await close()
      fixture.damage(root, 'one', 4)
      const again = await opened(root)

      const loaded = await again.persistence.load('one', signal)
      expect([loaded.events, loaded.damage]).toEqual([[...turn(0), ...turn(3)].slice(0, 4), [{ kind: 'hole', seq: 4, message: expect.stringMatching(/^(line|row) \d+ /) as string }]])
      const { writer, stored } = await again.persistence.open('one', signal)
      expect([stored.damage[0]?.keptAside, writer.next]).toEqual([expect.any(String), 4])
      await writer.append(turn(3).slice(1))
      await writer.close()
      const mended = await again.persistence.load('one', signal)
      expect([mended.events, mended.damage]).toEqual([[...turn(0), ...turn(3)], []])
    })

    it('counts a record that stands there twice once', async () => {
      const { persistence, root, close } = await opened()
      await store(persistence, 'one', turn(0))
      await close()
      if (fixture.duplicate) fixture.duplicate(root, 'one', 1)
      const { persistence: again } = await opened(root)
      const { events, damage } = await again.load('one', signal)
      expect([events, damage.map(({ kind }) => kind)]).toEqual([turn(0), fixture.duplicate ? ['duplicate'] : []])
    })

    it('lists the others when one is broken, and says what is wrong with that one', async () => {
      const { persistence, root, close } = await opened()
      for (const id of ['one', 'two', 'three']) await store(persistence, id, turn(0, id))
      await close()
      fixture.damageHeader(root, 'two')
      const { persistence: again } = await opened(root)
      const list = await again.list({}, signal)
      expect(list.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, damage }) => [id, damage?.map(({ kind }) => kind)])).toEqual([['one', undefined], ['three', undefined], ['two', ['header']]])
      await expect(again.load('two', signal)).rejects.toMatchObject({ code: 'SESSION_DAMAGED' })
      await expect(again.open('two', signal)).rejects.toMatchObject({ code: 'SESSION_DAMAGED' })
      expect((await again.load('one', signal)).events).toEqual(turn(0, 'one'))
    })

    it('summarizes, filters, limits and orders its list', async () => {
      const { persistence, root } = await opened()
      await store(persistence, 'old', turn(0, 'the old one'))
      await store(persistence, 'new', [...turn(0, '  first\nwords  '), ...turn(3)])
      const elsewhere = await persistence.create({ ...header('far'), cwd: root }, signal)
      await elsewhere.append(turn(0))
      await elsewhere.close()
      expect(await persistence.list({ cwd: '/' }, signal)).toMatchObject([{ id: 'new', title: 'first words', events: 6, turns: 2, lastActivity: 1005 }, { id: 'old', title: 'the old one', events: 3, turns: 1 }])
      expect((await persistence.list({ limit: 1 }, signal)).map(({ id }) => id)).toEqual(['new'])
    })

    it('summarizes one session as its list does, also a broken one', async () => {
      const { persistence, root, close } = await opened()
      for (const id of ['one', 'two']) await store(persistence, id, turn(0, id))
      await close()
      fixture.damageHeader(root, 'two')
      const { persistence: again } = await opened(root)
      const list = await again.list({}, signal)
      for (const id of ['one', 'two']) expect(await again.summary(id, signal)).toEqual(list.find(each => each.id === id))
      for (const id of ['on', '../one']) await expect(again.summary(id, signal)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
      expect(await again.repairStore(signal)).toEqual([])
    })

    it('reads ranges', async () => {
      const { persistence } = await opened()
      await store(persistence, 'one', [...turn(0), ...turn(3)])
      const seqs = async (range: { from: number; to?: number }): Promise<number[]> => (await persistence.readRange('one', range, signal)).map(({ seq }) => seq)
      expect([await seqs({ from: 0 }), await seqs({ from: 2, to: 3 }), await seqs({ from: 9 })]).toEqual([[0, 1, 2, 3, 4, 5], [2, 3], []])
    })

    it('reads ranges that begin and end within what was streamed', async () => {
      const { persistence } = await opened()
      const at = { turn: 1, step: 1 }
      const text = deltas(4, 20).map(event => (event.data as { chunk: { text: string } }).chunk.text).join('')
      const all = [
        ...turn(0),
        { type: 'step/start', seq: 3, time: 5, data: at },
        ...deltas(4, 20),
        { type: 'assistant/chunk', seq: 24, time: 6, data: { ...at, chunk: { type: 'block-end', index: 0, block: { type: 'text', text } } } },
        { type: 'step/end', seq: 25, time: 7, data: at },
      ] as SessionEvent[]
      await store(persistence, 'one', all)
      for (const [from, to] of [[0, 30], [2, 4], [5, 5], [10, 24], [24, 24], [24, 25], [25, 25], [26, 40], [7, 3], [-3, 1]] as const) {
        expect(await persistence.readRange('one', { from, to }, signal)).toEqual(all.filter(({ seq }) => seq >= from && seq <= to))
      }
    })

    it('reads no range behind what is missing, and one before it', async () => {
      const { persistence, root, close } = await opened()
      await store(persistence, 'one', [...turn(0), ...turn(3)])
      await close()
      fixture.damage(root, 'one', 4)
      const { persistence: again } = await opened(root)
      expect([await again.readRange('one', { from: 1, to: 5 }, signal), await again.readRange('one', { from: 0, to: 2 }, signal)]).toEqual([[...turn(0), ...turn(3)].slice(1, 4), turn(0)])
    })

    it('follows what another instance writes', async () => {
      const { persistence, root } = await opened()
      const other = await opened(root)
      const writer = await other.persistence.create(header('one'), signal)
      await writer.append(turn(0))
      const stop = new AbortController()
      const seen: number[] = []
      const following = (async () => {
        for await (const event of persistence.follow('one', { from: 1 }, stop.signal)) {
          seen.push(event.seq)
          if (event.seq === 5) stop.abort()
        }
      })()
      await new Promise(resolve => setTimeout(resolve, 50))
      await writer.append(turn(3))
      await following
      await writer.close()
      expect(seen).toEqual([1, 2, 3, 4, 5])
    })

    it('finds by prefix and by words, and forgets what is deleted', async () => {
      const { persistence } = await opened()
      await store(persistence, 'abc-1', turn(0, 'the quick brown fox'))
      await store(persistence, 'abd-2', turn(0, 'lazy dogs'))
      expect([await persistence.find('abc', signal), await persistence.find('abd-2', signal)]).toEqual(['abc-1', 'abd-2'])
      await expect(persistence.find('ab', signal)).rejects.toMatchObject({ code: 'SESSION_AMBIGUOUS' })
      expect(await persistence.search('BROWN quick', {}, signal)).toMatchObject([{ summary: { id: 'abc-1' }, seq: 1, excerpt: 'the quick brown fox' }])
      expect(await persistence.search('quick dogs', {}, signal)).toEqual([])
      await persistence.delete('abc-1', signal)
      expect([await persistence.search('quick', {}, signal), (await persistence.list({}, signal)).map(({ id }) => id)]).toEqual([[], ['abd-2']])
      await expect(persistence.delete('abc-1', signal)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    })

    it('repairs, and leaves a sound session as it is', async () => {
      const { persistence, root, close } = await opened()
      await store(persistence, 'one', [...turn(0), ...turn(3)])
      expect(await persistence.repair('one', signal)).toEqual({ id: 'one', damage: [], events: 6, keptAside: [] })
      await close()
      fixture.damage(root, 'one', 3)
      const { persistence: again } = await opened(root)
      expect(await again.repair('one', signal)).toMatchObject({ id: 'one', events: 3, keptAside: [expect.any(String)] })
      expect((await again.load('one', signal)).damage).toEqual([])
    })

    it('knows no session by a name that could be a path', async () => {
      const { persistence } = await opened()
      for (const id of ['../x', '/etc/passwd', '..%2fx', 'a\0b', 'x'.repeat(5000), '', '.', '-rf', 'a/b']) {
        await expect(persistence.open(id, signal)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
        await expect(persistence.find(id, signal)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
      }
    })

    // Only root may mount the small disk that this needs.
    it.runIf(canMount())('says that the disk is full, keeps what it has, and goes on when there is room', async () => {
      const root = fixture.newRoot()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root])
      cleanups.push(() => execFileSync('umount', ['-l', root]))
      const { persistence, close } = await fixture.open(root)
      cleanups.push(close)
      const writer = await persistence.create(header('one'), signal)
      await writer.append(turn(0))
      writeFileSync(join(root, 'filler'), Buffer.alloc(400_000))
      const big = turn(3, 'y'.repeat(900_000))
      await expect(writer.append(big)).rejects.toMatchObject({ code: 'STORE_FULL' })
      expect((await persistence.load('one', signal)).events).toEqual(turn(0))
      rmSync(join(root, 'filler'))
      await writer.append(turn(3))
      await writer.sync()
      await writer.close()
      expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
    })
  })

  describeFaults(name, fixture)
}

function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0
}
