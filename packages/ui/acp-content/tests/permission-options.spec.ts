import { describe, expect, it } from 'vitest'
import { permissionOptions, readOutcome } from '../src/permission-options.ts'

const ALL = permissionOptions(['once', 'turn', 'session', 'project'], ['bash(git *)'])

describe('a permission', () => {
  it('is offered once, for the session and for the project, and refused once or for the session', () => {
    expect(ALL).toEqual([
      { optionId: 'allow-once', kind: 'allow_once', name: 'Allow' },
      { optionId: 'allow-session', kind: 'allow_always', name: 'Allow bash(git *) in this session' },
      { optionId: 'allow-project', kind: 'allow_always', name: 'Always allow bash(git *) in this project' },
      { optionId: 'reject-once', kind: 'reject_once', name: 'Reject' },
      { optionId: 'reject-always', kind: 'reject_always', name: 'Reject bash(git *) in this session' },
    ])
  })

  it('that must be asked each time is offered once alone', () => {
    expect(permissionOptions(['once'], []).map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once'])
  })

  it.each([
    ['allow-once', { kind: 'allow', scope: 'once' }, false],
    ['allow-session', { kind: 'allow', scope: 'session' }, false],
    ['allow-project', { kind: 'allow', scope: 'project' }, false],
    ['reject-once', { kind: 'deny' }, false],
    ['reject-always', { kind: 'deny', reason: 'the user refuses this for the rest of the session' }, true],
    ['allow_once', { kind: 'deny', reason: 'the editor answered with "allow_once", which was not offered' }, false],
  ])('answered with %s means %j', (optionId, answer, refusesAlways) => {
    expect(readOutcome({ outcome: { outcome: 'selected', optionId } }, ALL)).toEqual({ answer, refusesAlways })
  })

  it('that was offered once cannot be given for ever', () => {
    expect(readOutcome({ outcome: { outcome: 'selected', optionId: 'allow-project' } }, permissionOptions(['once'], [])).answer.kind).toBe('deny')
  })

  it.each([null, undefined, 7, 'allow-once', [], {}, { outcome: null }, { outcome: 'selected' }, { outcome: { outcome: 'selected' } }, { outcome: { outcome: 'selected', optionId: 7 } }, { outcome: { outcome: 'allowed', optionId: 'allow-once' } }])('is refused when the answer is %j', response => {
    expect(readOutcome(response, ALL)).toEqual({ answer: { kind: 'deny', reason: 'the editor answered with nothing that can be read' }, refusesAlways: false })
  })

  it('is refused when the request was cancelled', () => {
    expect(readOutcome({ outcome: { outcome: 'cancelled' } }, ALL).answer).toEqual({ kind: 'deny', reason: 'the request was cancelled' })
  })
})
