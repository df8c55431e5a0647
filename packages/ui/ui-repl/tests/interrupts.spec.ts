import { expect, it } from 'vitest'
import { Interrupts } from '../src/interrupts.ts'

function open({ isRunning = false, typed = '' } = {}) {
  const seen: string[] = []
  const state = { isRunning, typed }
  const interrupts = new Interrupts({
    get isRunning() {
      return state.isRunning
    },
    clearTyped() {
      const had = state.typed !== ''
      state.typed = ''
      if (had) seen.push('cleared')
      return had
    },
    stop() {
      state.isRunning = false
      seen.push('stopped')
    },
    leave: () => void seen.push('left'),
    say: text => void seen.push(text),
  })
  return { interrupts, seen, state }
}

it('throws away what is typed, then warns, then leaves', () => {
  const { interrupts, seen } = open({ typed: 'draft' })
  for (const now of [0, 100, 200]) interrupts.next(now)
  expect(seen).toEqual(['cleared', 'Ctrl-C once more leaves', 'left'])
})

it('stops what runs and keeps what is typed, then leaves', () => {
  const { interrupts, seen, state } = open({ isRunning: true, typed: 'draft' })
  interrupts.next(0)
  expect([seen, state.typed]).toEqual([['stopped'], 'draft'])
  interrupts.next(3000)
  expect(seen).toEqual(['stopped', 'left'])
})

it('counts anew after another key, and after a while', () => {
  const { interrupts, seen } = open()
  interrupts.next(0)
  interrupts.forget()
  interrupts.next(100)
  interrupts.next(3101)
  expect(seen).toEqual(Array.from({ length: 3 }, () => 'Ctrl-C once more leaves'))
})
