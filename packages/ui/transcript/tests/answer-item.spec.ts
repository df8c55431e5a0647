import { createTheme, Highlighter, MarkdownView } from '@deepseek-ai/dsh-terminal-view'
import { expect, it } from 'vitest'
import { AnswerItem } from '../src/index.ts'

const trimmed = (lines: string[]): string[] => lines.map(line => line.trimEnd())

it('shows an answer as it is written until it can be drawn, and gives nothing away for good before', async () => {
  const theme = createTheme({ color: false })
  const style = { theme, highlighter: new Highlighter(theme), markdown: new MarkdownView() }
  let ready = 0
  const item = new AnswerItem(style, () => ready++)
  item.push('a **bold** word\n\nand more')
  item.end()
  expect([item.takeFinished(40), item.live(40), item.isDone]).toEqual([[], ['', 'a **bold** word', '', 'and more'], false])

  await style.markdown.load()
  await Promise.resolve()
  expect([ready, item.isDone, trimmed(item.live(40))]).toEqual([1, true, ['', 'a bold word', '', 'and more']])
  expect([trimmed(item.takeFinished(40)), item.live(40)]).toEqual([['', 'a bold word', '', 'and more'], []])

  const next = new AnswerItem(style, () => ready++)
  next.push('- at *once*')
  next.end()
  expect([trimmed(next.takeFinished(40)), next.isDone, ready]).toEqual([['', '- at once'], true, 1])
})
