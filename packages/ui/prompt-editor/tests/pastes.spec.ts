/** What is pasted is what is sent, whatever is done to the label that stands for it. */

import { afterEach, describe, expect, it } from 'vitest'
import { PromptCompletion } from '../src/index.ts'
import { BACKSPACE, ctrl, DOWN, ENTER, LEFT, openDesk, UNDO, UP, type Desk, type DeskOptions } from './desk.ts'

const LONG = Array.from({ length: 2_000 }, (_, i) => `line ${i}\twith a tab, “quotes” and $& $1 {}`).join('\n')
const open: Desk[] = []

async function desk(options: DeskOptions = {}): Promise<Desk> {
  const opened = await openDesk(options)
  open.push(opened)
  return opened
}

afterEach(() => {
  for (const each of open.splice(0)) each.stop()
})

describe('a long paste', () => {
  it('is shown as one label and sent whole, with line feeds only', async () => {
    const at = await desk()
    at.type('see ')
    at.paste(LONG.replaceAll('\n', '\r\n'))
    expect(at.marked).toBe('see [paste #1 +2000 lines]|')
    at.type(' ok')
    at.keys(ENTER)

    expect(at.sent).toEqual([`see ${LONG} ok`])
  })

  it('is one unit for the cursor and for Backspace, and comes back with undo', async () => {
    const at = await desk()
    at.paste(LONG)
    at.keys(LEFT)
    expect(at.marked).toBe('|[paste #1 +2000 lines]')
    at.keys(ctrl('e'), BACKSPACE)
    expect(at.marked).toBe('|')
    at.keys(UNDO, ENTER)

    expect(at.sent).toEqual([LONG])
  })

  it('survives being cut and put back', async () => {
    const at = await desk()
    at.paste(LONG)
    at.keys(ctrl('u'), ctrl('y'), ENTER)

    expect(at.sent).toEqual([LONG])
  })

  it('that holds the label of another is not filled in', async () => {
    const at = await desk()
    const tricky = `${LONG}\n[paste #1 +2000 lines] [paste #2 +2001 lines] [paste #3]`
    at.paste(tricky)
    at.paste(LONG)
    at.keys(ENTER)

    expect(at.sent).toEqual([tricky + LONG])
  })

  it('leaves words alone that look like its label, typed before or after it', async () => {
    const at = await desk()
    at.type('[paste #1 +2000 lines] ')
    at.paste(LONG)
    expect(at.marked).toBe('[paste #1 +2000 lines] [paste #2 +2000 lines]|')
    at.type(' [paste #2 +2000 lines]')
    at.keys(ENTER)

    expect(at.sent).toEqual([`[paste #1 +2000 lines] ${LONG} [paste #2 +2000 lines]`])
  })

  it('keeps its content when another one before it goes', async () => {
    const at = await desk()
    const [a, b] = [`a\n${LONG}`, `b\n${LONG}`]
    at.paste(a)
    at.paste(b)
    at.type('[paste #9 +9 lines]')
    at.keys(ctrl('a'), '\u001b[C', BACKSPACE, ENTER)

    expect(at.sent).toEqual([`${b}[paste #9 +9 lines]`])
  })

  it('is not touched by a completion beside it', async () => {
    const at = await desk()
    at.editor.setAutocompleteProvider(new PromptCompletion({ commands: async () => [], files: async () => [{ path: 'src/main.ts' }], complain: error => { throw error } }))
    at.paste(LONG)
    at.type(' @mai')
    await expect.poll(() => at.editor.isShowingAutocomplete()).toBe(true)
    at.keys('\t', ENTER)

    expect(at.sent).toEqual([`${LONG} @src/main.ts`])
  })

  it('comes back whole from the history, and the draft after it', async () => {
    const at = await desk()
    at.paste(LONG)
    at.keys(ENTER)
    await at.history.add(at.sent[0] ?? '')
    const other = `other\n${LONG}`
    at.paste(other)
    at.keys(ctrl('a'), UP)
    expect(at.editor.getExpandedText()).toBe(LONG)
    at.keys(DOWN)
    expect(at.editor.getExpandedText()).toBe(other)
    at.keys(ctrl('a'), UP, ENTER)

    expect(at.sent).toEqual([LONG, LONG])
  })

  it('is given to the user’s own editor and taken back exactly', async () => {
    const at = await desk()
    at.paste(LONG)
    at.editor.load(`${at.editor.take()}\nedited`)
    at.keys(ENTER)

    expect(at.sent).toEqual([`${LONG}\nedited`])
  })

  it('of 5 MB is taken within a moment, and so are the keys after it', async () => {
    const at = await desk()
    const huge = `${'x'.repeat(99)}\n`.repeat(52_000)
    const since = performance.now()
    at.paste(huge)
    at.type('some words after it')
    const took = performance.now() - since
    at.keys(ENTER)

    expect(at.sent[0]?.length).toBe(huge.length + 19)
    expect(took).toBeLessThan(1_500)
  })
})

describe('a short paste', () => {
  it('stands in the text, and its control characters do nothing', async () => {
    const at = await desk()
    at.paste('two\r\nlines\u001b[31m\u0003\u0004\u009b')
    expect(at.marked).toBe('two\nlines[31m|')
    expect(at.sent).toEqual([])
  })

  it('with tabs is a label, because the editor holds none', async () => {
    const at = await desk()
    at.paste('a\tb')
    expect(at.marked).toBe('[paste #1 3 chars]|')
    at.keys(ENTER)
    expect(at.sent).toEqual(['a\tb'])
  })

  it('is offered to whoever knows what it is', async () => {
    const at = await desk()
    at.paste('/tmp/x.png')
    at.paste('/tmp/x.txt')
    expect([at.asked, at.marked]).toEqual([['/tmp/x.png'], '/tmp/x.txt|'])
  })
})

it('folds of a text that comes back the lines with tabs only', async () => {
  const at = await desk()
  at.editor.load('all:\n\tmake a\n\tmake b\nend')
  expect(at.marked).toBe('all:\n[paste #1 +2 lines]\nend|')
  at.keys(ENTER)
  expect(at.sent).toEqual(['all:\n\tmake a\n\tmake b\nend'])
})
