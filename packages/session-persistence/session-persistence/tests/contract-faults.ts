/** What every store must do when things go wrong: processes that race, die and lie, odd clocks, odd content. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { header, kill, kit, signal, store, type PersistenceFixture } from './contract-kit.ts'
import { deltas, turn } from './events.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.constantFrom('', '\u2028', '\u2029', '\u0085', '\0', '\n', '😀', '"'))
const index = fc.nat(1)
const chunk = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('text-delta'), index, text }) },
  fc.record({ type: fc.constant('reasoning-delta'), index, text }),
  fc.record({ type: fc.constant('tool-call-delta'), index, id: fc.constant('c1'), argumentsDelta: text }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('block-end'), index, block: fc.record({ type: fc.constantFrom('text', 'reasoning'), text }) }) },
)
const data = fc.oneof({ weight: 6, arbitrary: fc.record({ type: fc.constant('assistant/chunk'), data: fc.record({ turn: fc.constant(1), step: fc.constant(1), chunk }) }) }, fc.record({ type: fc.constantFrom('step/start', 'plugin/own'), data: fc.record({ turn: fc.constant(1), step: fc.constant(1), x: fc.jsonValue({ maxDepth: 2 }) }) }))
const log = fc.array(fc.tuple(data, fc.integer({ min: -2000, max: 2000 })), { minLength: 1, maxLength: 25 }).map(all => all.map(([each, time], seq) => ({ ...each, seq, time }) as unknown as SessionEvent))

export function describeFaults(name: string, fixture: PersistenceFixture): void {
  const { opened, holder, waiting } = kit(fixture)

  describe(`${name} when things go wrong`, () => {
    it('gives back whatever was appended, also when it was opened anew in between', async () => {
      const { persistence } = await opened()
      let n = 0
      await fc.assert(
        fc.asyncProperty(log, fc.array(fc.nat(25), { maxLength: 3 }), async (events, cuts) => {
          const id = `s${n++}`
          const bounds = [...new Set([0, ...cuts.map(cut => cut % events.length), events.length])].sort((a, b) => a - b)
          for (const [i, from] of bounds.slice(0, -1).entries()) {
            const writer = from === 0 ? await persistence.create(header(id), signal) : (await persistence.open(id, signal)).writer
            await writer.append(events.slice(from, bounds[i + 1]))
            await writer.close()
          }
          const stored = await persistence.load(id, signal)
          expect([stored.events, stored.damage]).toEqual([JSON.parse(JSON.stringify(events)), []])
        }),
        { numRuns: 60 },
      )
    })

    it('leaves a session of a newer version as it is, and lists it with the reason', async () => {
      const { persistence } = await opened()
      const writer = await persistence.create({ ...header('one'), version: 99 }, signal)
      await writer.append(turn(0))
      await writer.close()
      await store(persistence, 'two', turn(0))
      for (const attempt of ['load', 'open', 'repair'] as const) await expect(persistence[attempt]('one', signal)).rejects.toMatchObject({ code: 'SESSION_VERSION', message: expect.stringContaining('format 99') as string })
      const list = await persistence.list({}, signal)
      expect(list.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, damage, inUseBy }) => [id, damage?.map(({ kind }) => kind), inUseBy])).toEqual([['one', ['version'], undefined], ['two', undefined, undefined]])
    })

    it('lists and opens a session whose lease cannot be read', async () => {
      const { persistence, root } = await opened()
      const { child } = await holder(root, 'one')
      await kill(child)
      for (const lease of ['', '\0\0\0', '{"pid":', '[]', '{"pid":"x","host":1}']) {
        fixture.setLease(root, 'one', lease)
        expect((await persistence.list({}, signal)).map(({ id, inUseBy }) => [id, inUseBy])).toEqual([['one', undefined]])
      }
      const { writer } = await persistence.open('one', signal)
      await writer.append(turn(3))
      await writer.close()
    })

    it('lets exactly one of several processes begin a session, and one of several succeed a dead holder', async () => {
      const { persistence, root } = await opened()
      const race = async (mode: 'create' | 'open'): Promise<string[]> => {
        const racers = await Promise.all([0, 1, 2].map(() => waiting(root, 'one', { mode })))
        const outcomes = await Promise.all(racers.map(({ ask }) => ask('take')))
        for (const { child } of racers) await kill(child)
        return outcomes
      }
      const first = await race('create')
      expect([first.filter(outcome => outcome === 'holding'), first.filter(outcome => !['holding', 'SESSION_EXISTS', 'SESSION_IN_USE'].includes(outcome))]).toEqual([['holding'], []])
      expect((await race('open')).sort()).toEqual(['SESSION_IN_USE', 'SESSION_IN_USE', 'holding'])
      expect((await persistence.load('one', signal)).events).toEqual(turn(0))
    })

    it('follows what another process writes, and reads beside it', async () => {
      const { persistence, root } = await opened()
      const { ask } = await holder(root, 'one')
      const stop = new AbortController()
      const seen: SessionEvent[] = []
      const following = (async () => {
        for await (const event of persistence.follow('one', { from: 0 }, stop.signal)) {
          seen.push(event)
          if (event.seq === 8) stop.abort()
        }
      })()
      await ask('more')
      expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
      await ask('more')
      await following
      expect(seen).toEqual([...turn(0), ...turn(3), ...turn(6)])
    })

    it('stops following at once when told to, without an error', async () => {
      const { persistence } = await opened()
      await store(persistence, 'one', turn(0))
      const seen: number[] = []
      for await (const { seq } of persistence.follow('one', { from: 1 }, AbortSignal.timeout(40))) seen.push(seq)
      expect(seen).toEqual([1, 2])
    })

    it('does not mind a clock that goes backwards', async () => {
      const { persistence, root } = await opened()
      const { child } = await holder(root, 'one')
      const lease = JSON.parse(fixture.readLease(root, 'one')) as Record<string, unknown>
      await kill(child)
      fixture.setLease(root, 'one', JSON.stringify({ ...lease, since: Date.now() + 86_400_000 }))
      const { writer } = await persistence.open('one', signal)
      const back = turn(3).map(event => ({ ...event, time: event.time - 5000 }))
      await writer.append(back)
      await writer.close()
      const stored = await persistence.load('one', signal)
      expect([stored.events, stored.damage]).toEqual([[...turn(0), ...back], []])
    })

    it('keeps everything private, whatever the umask', async () => {
      const root = join(fixture.newRoot(), 'home', 'dsh')
      const { ask } = await holder(root, 'one', { umask: '000' })
      await ask('more')
      const modes = ['.', ...readdirSync(root, { recursive: true }).map(String)].map(path => {
        const stat = statSync(join(root, path))
        return `${stat.isDirectory() ? 'folder' : 'file'} ${(stat.mode & 0o777).toString(8)}`
      })
      expect([...new Set(modes)].filter(mode => !['folder 700', 'file 600'].includes(mode))).toEqual([])
    })

    it('holds many sessions at a time, and mixes nothing up', async () => {
      const { persistence } = await opened()
      const warnings: Error[] = []
      const onWarning = (warning: Error): void => void warnings.push(warning)
      process.on('warning', onWarning)
      const ids = Array.from({ length: 30 }, (_, i) => `s${i}`)
      const writers = await Promise.all(ids.map(id => persistence.create(header(id), signal)))
      await Promise.all(writers.map(writer => writer.append(turn(0, writer.id))))
      await Promise.all(writers.map(writer => writer.append(deltas(3, 20))))
      await Promise.all(writers.map(writer => writer.close()))
      await new Promise(resolve => setImmediate(resolve))
      process.off('warning', onWarning)
      for (const id of ids) expect((await persistence.load(id, signal)).events).toEqual([...turn(0, id), ...deltas(3, 20)])
      expect(warnings.map(String)).toEqual([])
    })

    it('is told when it is aborted, by the reason of the signal, and holds nothing', async () => {
      const { persistence } = await opened()
      await store(persistence, 'one', turn(0))
      const reason = new Error('enough')
      const aborted = AbortSignal.abort(reason)
      const attempts = [persistence.create(header('new'), aborted), persistence.open('one', aborted), persistence.load('one', aborted), persistence.list({}, aborted), persistence.summary('one', aborted), persistence.repairStore(aborted), persistence.readRange('one', { from: 0 }, aborted), persistence.search('hello', {}, aborted), persistence.find('one', aborted), persistence.repair('one', aborted), persistence.delete('one', aborted)]
      for (const outcome of await Promise.allSettled(attempts)) expect(outcome).toEqual({ status: 'rejected', reason })
      await (await persistence.open('one', signal)).writer.close()
    })

    it('closes writers twice without harm, and lets nobody append to a closed one', async () => {
      const { persistence } = await opened()
      const writer = await persistence.create(header('one'), signal)
      await writer.append(turn(0))
      await Promise.all([writer.close(), writer.close()])
      await expect(writer.append(turn(3))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
      expect((await persistence.load('one', signal)).events).toEqual(turn(0))
    })
  })
}
