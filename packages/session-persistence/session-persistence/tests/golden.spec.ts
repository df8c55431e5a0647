import { describe, expect, it } from 'vitest'
import { Session, SESSION_FORMAT_VERSION } from '@deepseek-ai/dsh-session'
import { EventPrefix } from '../src/index.ts'
import { goldenSessions } from './golden.ts'

describe('golden sessions', () => {
  it('are there for every version that was ever written', () => {
    expect(goldenSessions().map(({ version }) => version)).toEqual(Array.from({ length: SESSION_FORMAT_VERSION }, (_, i) => i + 1))
  })

  it.each(goldenSessions())('tell the model of version $version what they always did', ({ header, events, messages }) => {
    const prefix = new EventPrefix('line')
    for (const event of events) prefix.add(event, event.seq)
    expect([prefix.log.events, prefix.damage(), header.version]).toEqual([events, [], SESSION_FORMAT_VERSION])
    expect(new Session(header, events).deriveMessages()).toEqual(messages)
  })
})
