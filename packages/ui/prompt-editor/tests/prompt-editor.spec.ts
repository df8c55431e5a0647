/** Keys, what they do to the text, and where the cursor is on the screen. */

import { afterEach, describe, expect, it } from 'vitest'
import { BACKSPACE, ctrl, DOWN, ENTER, ESC, LEFT, openDesk, UP, type Desk, type DeskOptions } from './desk.ts'

const open: Desk[] = []

async function desk(options: DeskOptions = {}): Promise<Desk> {
  const opened = await openDesk(options)
  open.push(opened)
  return opened
}

afterEach(() => {
  for (const each of open.splice(0)) each.stop()
})

describe('history', () => {
  it('goes up and down, and gives back what was being typed', async () => {
    const at = await desk({ history: ['one', 'two'] })
    at.type('draft')
    at.keys(ctrl('a'), UP)
    expect(at.marked).toBe('|two')
    at.keys(UP)
    expect(at.marked).toBe('|one')
    at.keys(UP, DOWN, DOWN)
    expect(at.marked).toBe('|draft')
  })

  it('ends when an entry is edited: the next way up begins at the newest', async () => {
    const at = await desk({ history: ['one', 'two'] })
    at.keys(UP, UP)
    at.type('!')
    at.keys(ctrl('a'), UP)
    expect(at.marked).toBe('|two')
  })

  it('begins anew after a message was sent', async () => {
    const at = await desk({ history: ['one', 'two'] })
    at.keys(UP, UP, ENTER, UP)
    expect([at.sent, at.marked]).toEqual([['one'], '|two'])
  })

  it('says whether what was sent began with a blank', async () => {
    const at = await desk()
    at.type(' secret')
    at.keys(ENTER)
    const first = at.editor.wasPrivate
    at.type('plain')
    at.keys(ENTER)
    expect([first, at.editor.wasPrivate]).toEqual([true, false])
  })
})

describe('keys', () => {
  it('begin a new line in each of the ways', async () => {
    const at = await desk()
    for (const key of ['\n', '\u001b[13;2u', '\u001b[13;2~']) {
      at.type('a')
      at.keys(key)
    }
    at.type('b\\')
    at.keys(ENTER)
    at.type('c')
    expect([at.marked, at.sent]).toEqual(['a\na\na\nb\nc|', []])
  })

  it('ask the screen for help, the search, the clipboard and the user’s own editor', async () => {
    const at = await desk()
    at.keys('?', ctrl('r'), ctrl('v'), ctrl('g'), ctrl('x'), ctrl('e'))
    at.type('a?')
    expect([at.asked, at.marked]).toEqual([['help', 'search', 'image', 'external', 'external'], 'a?|'])
  })
})

describe('wide characters', () => {
  const FAMILY = '👩‍👩‍👧'
  const COMBINED = 'é'

  it('are edited by what a person sees as one character', async () => {
    const at = await desk()
    for (const unit of ['漢', '字', 'a', FAMILY, 'é', COMBINED, '🇩🇪']) at.keys(unit)
    expect(await at.cursor()).toEqual([1, 11])
    at.keys(LEFT, LEFT, LEFT, BACKSPACE, BACKSPACE)
    at.type('x')
    expect(at.marked).toBe(`漢字x|é${COMBINED}🇩🇪`)
    expect(await at.cursor()).toEqual([1, 5])
    at.keys(ENTER)
    expect(at.sent).toEqual([`漢字xé${COMBINED}🇩🇪`])
  })

  it('go to the next row whole when one column is left', async () => {
    const at = await desk({ columns: 12 })
    at.type('0123456789')
    at.keys('漢')
    at.type('b')
    expect((await at.lines()).slice(1, 3)).toEqual(['0123456789', '漢b '])
    expect(await at.cursor()).toEqual([2, 3])
  })

  it('of other scripts and with variation selectors are sent as typed', async () => {
    const at = await desk()
    const text = 'مرحبا ❤️ ☎︎ हिन्दी'
    at.type(text)
    at.keys(ENTER)
    expect(at.sent).toEqual([text])
  })
})

describe('the border', () => {
  it('says when what is typed is for the shell', async () => {
    const at = await desk({ columns: 20 })
    at.type('!ls')
    expect(await at.lines()).toEqual(['── shell ───────────', '!ls ', '─'.repeat(20)])
  })

  it('says the mode of vi', async () => {
    const at = await desk({ keys: 'vi', columns: 20 })
    at.type('ab')
    const insert = (await at.lines())[0]
    at.keys(ESC)
    expect([insert, (await at.lines())[0]]).toEqual(['── INSERT ──────────', '── NORMAL ──────────'])
  })
})

describe('vi keys', () => {
  it('edit, undo, and send', async () => {
    const at = await desk({ keys: 'vi' })
    at.type('one two three')
    at.keys(ESC, '0', 'd', 'w')
    expect(at.marked).toBe('|two three')
    at.keys('u')
    expect(at.editor.getText()).toBe('one two three')
    at.keys('$', 'x', 'A')
    at.type('E')
    at.keys(ENTER)
    at.keys(ESC)
    at.type('inext')
    at.keys(ESC, ENTER)
    at.type('fresh')
    expect([at.sent, at.marked]).toEqual([['one two threE', 'next'], 'fresh|'])
  })

  it('treat a label as one character', async () => {
    const at = await desk({ keys: 'vi' })
    const long = 'x\n'.repeat(30)
    at.type('a')
    at.paste(long)
    at.type('b')
    at.keys(ESC, 'h', 'x', 'p', ENTER)
    expect(at.sent).toEqual([`ab${long}`.trim()])
  })

  it('go through the history at the first and last line', async () => {
    const at = await desk({ keys: 'vi', history: ['one', 'two'] })
    at.keys(ESC, 'k')
    expect(at.marked).toBe('|two')
    at.keys('k', 'j')
    expect(at.editor.getText()).toBe('two')
  })

  it('want Esc for themselves only where it means something to them', async () => {
    const at = await desk({ keys: 'vi' })
    const states = [at.editor.wantsEscape]
    at.keys(ESC)
    states.push(at.editor.wantsEscape)
    at.keys('d')
    states.push(at.editor.wantsEscape)
    expect(states).toEqual([true, false, true])
  })
})
