/** What is offered for what is typed, and what it becomes. */

import { describe, expect, it } from 'vitest'
import { mentionBefore, PromptCompletion, searchEntries, type CommandEntry } from '../src/index.ts'

const signal = new AbortController().signal
const COMMANDS: CommandEntry[] = [
  { name: 'commit', description: 'c' },
  { name: 'compact', description: 'shorten' },
  { name: 'model', description: 'choose \u001b[31mthe model', argumentHint: '[NAME]', complete: async typed => ['flash', 'pro'].filter(each => each.startsWith(typed)).map(value => ({ value, label: value })) },
  { name: 'quit', aliases: ['exit'], description: 'leave' },
]
const complaints: unknown[] = []
const completion = new PromptCompletion({
  commands: async () => COMMANDS,
  files: async query => {
    if (query === 'bad') throw new Error('no ripgrep')
    return [{ path: 'src/a.ts' }, { path: 'two words/' }, { path: 'two words/b.md' }].filter(({ path }) => path.includes(query))
  },
  complain: error => void complaints.push(error),
})

/** What is offered for a text with the cursor at `|`, and the text after the first of it was taken. */
async function complete(marked: string): Promise<{ offered: string[]; taken?: string }> {
  const lines = marked.split('\n')
  const row = lines.findIndex(line => line.includes('|'))
  const col = (lines[row] ?? '').indexOf('|')
  const text = lines.with(row, (lines[row] ?? '').replace('|', ''))
  const found = await completion.getSuggestions(text, row, col, { signal })
  const first = found?.items[0]
  if (!found || !first) return { offered: [] }
  const result = completion.applyCompletion(text, row, col, first, found.prefix)
  const taken = result.lines.map((line, i) => (i === result.cursorLine ? `${line.slice(0, result.cursorCol)}|${line.slice(result.cursorCol)}` : line)).join('\n')
  return { offered: found.items.map(({ label }) => label), taken }
}

describe('commands', () => {
  it('are offered by their beginning, then by their letters, with hints', async () => {
    expect(await complete('/|')).toEqual({ offered: ['/commit', '/compact', '/model [NAME]', '/quit'], taken: '/commit |' })
    expect(await complete('/mo|')).toEqual({ offered: ['/model [NAME]'], taken: '/model |' })
    expect((await complete('/cpt|')).offered).toEqual(['/compact'])
    expect(await complete('/exi|')).toEqual({ offered: ['/quit'], taken: '/quit |' })
  })

  it('complete their own arguments', async () => {
    expect(await complete('/model f|')).toEqual({ offered: ['flash'], taken: '/model flash|' })
    expect(await complete('/compact x|')).toEqual({ offered: [] })
  })

  it('are offered in the first line only, and not to the shell', async () => {
    expect(await complete('a\n/mo|')).toEqual({ offered: [] })
    expect(await complete('!ls /mo|')).toEqual({ offered: [] })
    expect(await complete('!cat @src|')).toEqual({ offered: [] })
  })
})

describe('files', () => {
  it('are written with quotes where they have blanks; directories stay open', async () => {
    expect(await complete('see @src|')).toEqual({ offered: ['src/a.ts'], taken: 'see @src/a.ts |' })
    expect(await complete('(@two| x')).toEqual({ offered: ['two words/', 'two words/b.md'], taken: '(@"two words/| x' })
    expect(await complete('x\n@"two words/b|" y')).toEqual({ offered: ['two words/b.md'], taken: 'x\n@"two words/b.md" | y' })
  })

  it('are not looked for in addresses or in line ranges', () => {
    expect(['me@example', '@a.ts:1', '@a.ts:1-', 'x @', '@"a b', '`@a'].map(text => mentionBefore(text)?.query)).toEqual([undefined, undefined, undefined, '', 'a b', 'a'])
  })

  it('that cannot be listed are complained about, and nothing is offered', async () => {
    expect([await complete('@bad|'), complaints]).toEqual([{ offered: [] }, [new Error('no ripgrep')]])
  })
})

it('searches the history for all words, with case where there are capitals', () => {
  const entries = ['Fix the Build', 'build it', 'other']
  expect(['build', 'it bu', 'Build', ''].map(search => searchEntries(entries, search))).toEqual([['Fix the Build', 'build it'], ['build it'], ['Fix the Build'], entries])
})
