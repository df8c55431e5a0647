import { expect, it } from 'vitest'
import { TerminalColors, type Surroundings } from '../src/index.ts'

function open(env: NodeJS.ProcessEnv = { TERM: 'xterm' }, isAsked = true) {
  let changes = 0
  const colors = new TerminalColors(env, { isAsked, onChange: () => void changes++ })
  return { colors, changes: () => changes }
}

it('asks for foreground and background, and takes the answers and nothing else', () => {
  const { colors, changes } = open()
  expect(colors.query).toBe('\u001b]10;?\u001b\\\u001b]11;?\u001b\\')
  expect(['\u001b]11;rgb:0000/2b2b/3636\u0007', '\u001b]10;rgb:83/94/96\u001b\\', '\u001b]4;1;rgb:00/00/00\u0007', 'x', '\u001b[I', '\u001b]11;rgb'].map(input => colors.take(input))).toEqual([true, true, false, false, false, false])
  expect(colors.surroundings).toEqual({ background: [0, 43, 54], foreground: [131, 148, 150] })
  expect(changes()).toBe(2)
})

it.each<[string, Surroundings]>([
  ['rgb:f/f/f', { background: [255, 255, 255] }],
  ['rgba:fdfd/f6f6/e3e3/ffff', { background: [253, 246, 227] }],
  ['rgb:fff/000/800', { background: [255, 0, 128] }],
  ['?', {}],
  ['rgb:zz/00/00', {}],
  ['rgb:00/00', {}],
  ['', {}],
])('reads %j, and swallows what it cannot read', (value, known) => {
  const { colors } = open()
  expect(colors.take(`\u001b]11;${value}\u0007`)).toBe(true)
  expect(colors.surroundings).toEqual(known)
})

it.each([['linux'], ['dumb'], ['vt100'], [undefined]])('asks nothing of a terminal that may print it: %s', TERM => {
  expect(open(TERM === undefined ? {} : { TERM }).colors.query).toBe('')
})

it('asks nothing where nothing is coloured', () => {
  expect(open({ TERM: 'xterm' }, false).colors.query).toBe('')
})

it.each<[string, Surroundings]>([['15;0', { backdrop: 'dark' }], ['0;15', { backdrop: 'light' }], ['0;default;7', { backdrop: 'light' }], ['7;8', { backdrop: 'dark' }], ['0;99', {}], ['default;default', {}], ['', {}]])('takes the hint of the environment, %j', (COLORFGBG, known) => {
  expect(open({ TERM: 'xterm', COLORFGBG }).colors.surroundings).toEqual(known)
})
