import type { Component, Focusable } from '@earendil-works/pi-tui'
import { expect, it, vi } from 'vitest'
import { PromptSlot } from '../src/index.ts'

class Part implements Component, Focusable {
  focused = false
  readonly keys: string[] = []
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  render(): string[] {
    return [this.name]
  }

  handleInput(data: string): void {
    this.keys.push(data)
  }

  invalidate(): void {
    // Nothing is kept.
  }
}

/** A screen that hands keys to whatever has the focus. */
function desk() {
  const listeners: ((data: string) => unknown)[] = []
  let focus: Part | undefined
  const editor = new Part('editor')
  const screen = { addInputListener: (listener: (data: string) => unknown) => listeners.push(listener), setFocus: (part: Part) => (focus = part), requestRender: () => undefined }
  const slot = new PromptSlot(screen as never, editor)
  const type = (key: string): void => {
    if (listeners.map(listener => listener(key)).some(result => result !== undefined)) return
    focus?.handleInput(key)
  }
  return { slot, editor, type }
}

const never = new AbortController().signal

it('asks nothing unasked while somebody types, so that no letter answers it', async () => {
  vi.useFakeTimers()
  try {
    const { slot, editor, type } = desk()
    const panel = new Part('panel')
    type('a')
    const asked = slot.ask<string>(answer => Object.assign(panel, { handleInput: answer }), never, { isUnasked: true })
    for (const key of 'ye') {
      await vi.advanceTimersByTimeAsync(300)
      type(key)
    }
    expect([slot.isAsking, editor.keys]).toEqual([false, ['a', 'y', 'e']])
    await vi.advanceTimersByTimeAsync(500)
    expect(slot.render(10)).toEqual(['panel'])
    type('n')
    expect(await asked).toBe('n')
    expect(slot.render(10)).toEqual(['editor'])
  } finally {
    vi.useRealTimers()
  }
})

it('shows one panel after the other, and passes over one that is no longer wanted', async () => {
  const { slot, type } = desk()
  const gone = new AbortController()
  const open = (name: string) => (answer: (value: string) => void) => Object.assign(new Part(name), { handleInput: (key: string) => answer(`${name} ${key}`) })
  const first = slot.ask(open('first'), never)
  const second = slot.ask(open('second'), gone.signal)
  const third = slot.ask(open('third'), never)
  await vi.waitFor(() => expect(slot.render(10)).toEqual(['first']))
  gone.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  type('x')
  expect(await first).toBe('first x')
  await vi.waitFor(() => expect(slot.render(10)).toEqual(['third']))
  type('y')
  expect(await third).toBe('third y')
})

it('takes a key that is pressed twice neither for the next question nor for a message', async () => {
  vi.useFakeTimers()
  try {
    const { slot, editor, type } = desk()
    const open = (answer: (value: string) => void) => Object.assign(new Part('panel'), { handleInput: answer })
    const first = slot.ask<string>(open, never, { isUnasked: true })
    await vi.advanceTimersByTimeAsync(500)
    type('y')
    expect(await first).toBe('y')
    const second = slot.ask<string>(open, never, { isUnasked: true })
    await vi.advanceTimersByTimeAsync(100)
    type('y')
    await vi.advanceTimersByTimeAsync(500)
    expect([slot.isAsking, editor.keys]).toEqual([true, []])
    type('n')
    expect(await second).toBe('n')
    type('m')
    expect(editor.keys).toEqual(['m'])
  } finally {
    vi.useRealTimers()
  }
})
