import { CURSOR_MARKER, type Component } from '@earendil-works/pi-tui'
import { describe, expect, it, onTestFinished } from 'vitest'
import { InlineScreen } from '../src/index.ts'
import { emulate, type Emulated } from './emulated.ts'

/** A live part that is whatever the test says. */
class Live implements Component {
  lines: string[] = []

  render(): string[] {
    return this.lines
  }

  invalidate(): void {
    // Nothing is kept.
  }
}

interface Shown extends Emulated {
  screen: InlineScreen
  live: Live
  /** Draws a frame at once. */
  show(lines: string[], finished?: string[]): void
}

function open(columns?: number, rows?: number): Shown {
  const emulated = emulate(columns, rows)
  const screen = new InlineScreen(emulated.terminal, { countsWrapsBelow: true })
  const live = new Live()
  screen.addChild(live)
  screen.start()
  onTestFinished(() => screen.stop())
  return Object.assign(emulated, {
    screen,
    live,
    show(lines: string[], finished: string[] = []) {
      live.lines = lines
      if (finished.length > 0) screen.finish(finished)
      screen.renderNow()
    },
  })
}

it('writes nothing while the terminal is not its own', () => {
  const emulated = emulate()
  const screen = new InlineScreen(emulated.terminal)
  const live = new Live()
  live.lines = ['a']
  screen.addChild(live)

  screen.renderNow()
  expect(emulated.written).toBe('')
  screen.start()
  screen.renderNow()
  screen.stop()
  const before = emulated.written
  expect(before).toContain('a')
  screen.finish(['b'])
  screen.renderNow(true)
  expect(emulated.written).toBe(before)
})

describe('the live part', () => {
  it('is redrawn in place, whatever grows, shrinks or changes', async () => {
    const { show, lines, terminal } = open()
    terminal.write('$ dsh\r\n')
    for (const frame of [['a', 'b'], ['a', 'B', 'c'], ['a'], ['x', 'y', 'z'], ['x', '', 'z']]) {
      show(frame)
      expect(await lines()).toEqual(['$ dsh', ...frame])
    }
  })

  it('writes nothing for a frame that is the same', () => {
    const shown = open()
    shown.show(['a', 'b'])
    const before = shown.written
    shown.show(['a', 'b'])
    expect(shown.written).toBe(before)
  })

  it('stays below what is finished, which scrolls into the history of the terminal', async () => {
    const { show, lines, terminal } = open(20, 4)
    terminal.write('$ dsh\r\n')
    for (let i = 0; i < 8; i++) show(['>', 'status'], [`line ${i}`])
    expect(await lines()).toEqual(['$ dsh', ...Array.from({ length: 8 }, (_, i) => `line ${i}`), '>', 'status'])
  })

  it('is never cleared from the first place of the screen on: tmux would keep it as history', async () => {
    const shown = open(20, 4)
    const { show, screen } = shown
    show(['1', '2', '3', '4'])
    show(['a', 'b', 'c', 'd'], ['said'])
    show(['a'])
    show(['a', 'b', 'c'], ['more'])
    screen.stop()
    // oxlint-disable-next-line no-control-regex
    expect(shown.written).not.toMatch(/\r\u001b\[0?J/)
  })

  it('shows its end when it is higher than the screen', async () => {
    const { show, lines } = open(20, 3)
    show(['1', '2', '3', '4', '5'])
    expect(await lines()).toEqual(['3', '4', '5'])
    show(['1', '2'])
    expect(await lines()).toEqual(['1', '2'])
  })

  it('puts the cursor where the marker is, by columns and not by characters', async () => {
    const { show, cursor } = open()
    show(['top', `漢字👩‍👩‍👧é${CURSOR_MARKER}x`, 'status'])
    expect(await cursor()).toEqual([1, 7])
    show([`a${CURSOR_MARKER}`, '', 'status'])
    expect(await cursor()).toEqual([0, 1])
  })

  it('cuts its lines where they are wider than the screen, and leaves those that are finished to the terminal', async () => {
    const { show, lines } = open(5, 4)
    show(['1234567'], ['abcdefgh'])
    expect(await lines()).toEqual(['abcde', 'fgh', '1234…'])
  })
})

describe('a resize', () => {
  it.each([[12, 6], [40, 6], [20, 12], [20, 4]])('to %i × %i redraws the live part once and keeps what is finished', async (columns, rows) => {
    const { show, lines, resize, screen, terminal } = open(20, 8)
    terminal.write('$ dsh\r\n')
    show(['─'.repeat(20), `typed text${CURSOR_MARKER}`, '─'.repeat(20)], ['said', 'done'])
    resize(columns, rows)
    screen.clear()
    screen.addChild({ render: width => ['─'.repeat(width), `typed text${CURSOR_MARKER}`, '─'.repeat(width)], invalidate: () => undefined })
    screen.renderNow()
    expect(await lines()).toEqual(['$ dsh', 'said', 'done', '─'.repeat(columns), 'typed text', '─'.repeat(columns)])
  })

  it.each([[12, 4], [12, 5], [15, 7], [12, 8]])('from a full screen of 20 × 8 to %i × %i loses nothing of what is finished', async (columns, rows) => {
    const { show, lines, resize, screen } = open(20, 8)
    const said = Array.from({ length: 12 }, (_, i) => `line ${i}`)
    show(['─'.repeat(20), `typed${CURSOR_MARKER}`, '─'.repeat(20), 'status'], said)
    resize(columns, rows)
    screen.clear()
    screen.addChild({ render: width => ['─'.repeat(width), `typed${CURSOR_MARKER}`, '─'.repeat(width), 'status'], invalidate: () => undefined })
    screen.renderNow()
    expect((await lines()).filter(line => line.startsWith('line'))).toEqual(said)
    expect((await lines()).slice(-4)).toEqual(['─'.repeat(columns), 'typed', '─'.repeat(columns), 'status'])
  })

  it('to 12 columns and back, with a frame in between, loses nothing of what was finished for 20', async () => {
    const { show, lines, resize, screen } = open(20, 8)
    show(['> '], ['said before'])
    screen.finish(['a line of 20 columns', '漢字漢字漢字漢字漢字'])
    resize(12, 8)
    screen.renderNow()
    expect((await lines())[0]).toBe('said before')
    resize(20, 8)
    screen.renderNow()
    expect(await lines()).toEqual(['said before', 'a line of 20 columns', '漢字漢字漢字漢字漢字', '>'])
  })

  // Where the cursor is not in the last line, xterm brings nothing back, and what was pushed out can be reached no more.
  it.each([[[4]], [[4, 2]], [[5, 3, 6]], [[1]]])('to %j rows and back leaves one live part, whole, and what was finished', async heights => {
    const { show, lines, resize } = open(20, 8)
    const said = Array.from({ length: 12 }, (_, i) => `line ${i}`)
    const live = ['head', 'one', 'two', 'three', 'four', `typed${CURSOR_MARKER}`]
    show(live, said)
    for (const rows of heights) {
      resize(20, rows)
      show(live)
      expect((await lines()).slice(-rows)).toEqual(['head', 'one', 'two', 'three', 'four', 'typed'].slice(-rows))
    }
    resize(20, 8)
    show(live)
    expect(await lines()).toEqual([...said, 'head', 'one', 'two', 'three', 'four', 'typed'])
  })

  it.each([[[5, 12]], [[3, 4]]])('to %j rows draws what is around the cursor once', async heights => {
    const { show, lines, resize } = open(20, 24)
    const live = ['head', 'one', '', '─'.repeat(20), `typed${CURSOR_MARKER}`, '─'.repeat(20), 'status']
    show(live, ['said 1', 'said 2', 'said 3'])
    for (const rows of heights) {
      resize(20, rows)
      show(live)
    }
    expect((await lines()).filter(line => ['typed', 'status'].includes(line))).toEqual(['typed', 'status'])
  })

  it('to nothing and back does no harm', async () => {
    const { show, lines, resize } = open(20, 6)
    show(['a'])
    resize(1, 1)
    show(['a'])
    resize(20, 6)
    show(['a', 'b'])
    expect((await lines()).slice(-2)).toEqual(['a', 'b'])
  })
})

describe('the end', () => {
  it('takes the live part away and leaves what is finished', async () => {
    const { show, lines, screen, cursor } = open()
    show(['> ', 'status'], ['said'])
    screen.finish(['last words'])
    screen.stop()
    expect(await lines()).toEqual(['said', 'last words'])
    expect(await cursor()).toEqual([2, 0])
  })

  it('can be followed by a new beginning', async () => {
    const { show, lines, screen, terminal } = open()
    show(['> '], ['said'])
    screen.stop()
    terminal.write('[stopped]\r\n')
    screen.start()
    show(['>', 'status'])
    expect(await lines()).toEqual(['said', '[stopped]', '>', 'status'])
  })
})
