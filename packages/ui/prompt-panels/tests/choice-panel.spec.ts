import { createTheme } from '@deepseek-ai/dsh-terminal-view'
import { expect, it } from 'vitest'
import { approvalPanel, ChoicePanel, type PanelChoice, type PanelOptions } from '../src/index.ts'

const theme = createTheme({ color: false })
const DOWN = '\u001b[B'
const ESC = '\u001b'

function open(choices: PanelChoice[], options: Partial<PanelOptions> = {}) {
  const chosen: unknown[] = []
  const panel = new ChoicePanel({ theme, head: () => ['What?'], choices, onChoose: (values, words) => chosen.push([values, words]), onCancel: () => chosen.push('none'), ...options })
  return { panel, chosen, type: (...keys: string[]) => keys.forEach(key => panel.handleInput(key)) }
}

it('wraps a choice rather than cut it', () => {
  const { panel } = open([{ value: 'a', key: 'a', label: 'a choice that is longer than the window' }])
  expect(panel.render(24)).toEqual(['', 'What?', '→ [a] a choice that is', '  longer than the window', '↑ ↓ and Enter, or the', 'key in brackets · Esc', 'goes back'])
})

it('leaves only the choices that hold the words that are typed, and takes keys only as words', () => {
  const { panel, chosen, type } = open([{ value: '1', label: 'mend the sum', description: '2 turns' }, { value: '2', label: 'mend the test', description: '3 turns' }], { isFiltered: true })
  type('t', 'e', 's', 't')
  expect(panel.render(60).slice(2, 4)).toEqual([expect.stringContaining('test'), '→ mend the test  3 turns'])
  type('\r')
  type('z', 'z', 'z', '\r')
  expect(panel.render(60)).toContain('  nothing holds these words')
  expect(chosen).toEqual([[['2'], '']])
  type(ESC)
  expect(chosen).toEqual([[['2'], ''], 'none'])
})

it('shows a few lines about the choice that is pointed at, stripped, and asks for each once', async () => {
  const asked: string[] = []
  let drawn = 0
  const choice = (value: string): PanelChoice => ({ value, label: value, preview: async () => {
    asked.push(value)
    if (value === 'c') throw new Error('gone')
    return `about ${value}\u001b[2J\n${'line\n'.repeat(9)}`
  } })
  const { panel, type } = open(['a', 'b', 'c'].map(choice), { requestRender: () => drawn++, rows: () => 24 })
  const rendered = async () => {
    panel.render(60)
    await new Promise(resolve => setImmediate(resolve))
    return panel.render(60).slice(5, 11)
  }
  expect(await rendered()).toEqual(['', '  about a', '  line', '  line', '  line', ''])
  type(DOWN)
  expect(await rendered()).toEqual(['', '  about b', '  line', '  line', '  line', ''])
  type(DOWN)
  expect(await rendered()).toEqual(['', '  gone', '  ', '  ', '  ', ''])
  expect([asked, drawn]).toEqual([['a', 'b', 'c'], 3])
})

it('goes on at the other end, and says where among many it stands', () => {
  const { panel, chosen, type } = open(Array.from({ length: 20 }, (_, i) => ({ value: `v${i}`, label: `choice ${i}` })))
  type('\u001b[A')
  expect(panel.render(60)).toContain('  20 of 20')
  type(DOWN, DOWN, '\r')
  expect(chosen).toEqual([[['v1'], '']])
})

it('shows the whole of what an approval would be remembered as, however narrow the window and long the rule', () => {
  const rule = `bash(git push origin ${'very-'.repeat(20)}long)`
  const panel = approvalPanel({ tool: 'bash', arguments: { command: 'git push' }, scopes: ['once', 'session'], remember: [rule] } as never, { theme, fit: { rows: () => 10, overflow: () => undefined }, toolOf: () => undefined, onAnswer: () => undefined })
  const text = panel.render(40).join('').replace(/\s+/g, '')
  expect(text).toContain(`sallowfromthenon:${rule.replace(/\s+/g, '')}`)
})
