import { createTheme } from '@deepseek-ai/dsh-terminal-view'
import { expect, it } from 'vitest'
import { SecretPanel } from '../src/index.ts'

function open() {
  const answers: (string | undefined)[] = []
  const panel = new SecretPanel({ theme: createTheme({ color: false }), question: 'DeepSeek API key', onAnswer: secret => void answers.push(secret) })
  panel.focused = false
  return { panel, answers, press: (...keys: string[]) => keys.forEach(key => panel.handleInput(key)) }
}

it('shows a dot for each character and never the text, typed or pasted, at any width', () => {
  const { panel, press } = open()
  press('s', 'k', '\u001b[200~-abc-0123456789\n\u001b[201~')
  expect(panel.render(60)).toEqual([
    '', '? DeepSeek API key', '> •••••••••••••••••  17 characters',
    'It is not shown and not sent to the model · Enter takes it ·', 'Ctrl-U empties · Esc goes back',
  ])
  for (let width = 1; width < 60; width++) expect(panel.render(width).join('\n')).not.toMatch(/sk|abc|0123/)
})

it.each<[string, string[], string | undefined]>([
  ['Enter gives what was typed', ['a', 'b', '\u007f', 'c', '\r'], 'ac'],
  ['a paste of several lines gives the first', ['\u001b[200~\n sk-1\r\nsk-2\n\u001b[201~', '\r'], ' sk-1'],
  ['Ctrl-U empties', ['a', 'b', '\u0015', 'c', '\r'], 'c'],
  ['Esc gives nothing', ['a', '\u001b'], undefined],
  ['Ctrl-C gives nothing', ['a', '\u0003'], undefined],
])('%s', (_what, keys, answer) => {
  const { answers, press } = open()
  press(...keys)
  expect(answers).toEqual([answer])
})
