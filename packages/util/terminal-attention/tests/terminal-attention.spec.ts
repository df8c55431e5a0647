import { expect, it } from 'vitest'
import { chooseNotification, notification, TerminalAttention, type NotifySetting } from '../src/index.ts'

function attention(notify: NotifySetting, { env = { TERM: 'xterm-256color' } as NodeJS.ProcessEnv, title = true } = {}) {
  const written: string[] = []
  return { written, made: new TerminalAttention({ env, notify, afterSeconds: 10, title, write: bytes => void written.push(bytes) }) }
}

it('calls when a long turn ends while nobody looks, and at no other time', () => {
  const { made, written } = attention('osc9')
  made.begin(0)
  made.end('seen', 20_000)
  expect(made.take('\u001b[O')).toBe(true)
  made.begin(0)
  made.end('short', 9_000)
  made.begin(0)
  made.end('done', 10_000)
  made.end('not begun', 99_000)
  expect(made.take('\u001b[I')).toBe(true)
  made.begin(0)
  made.end('seen again', 20_000)
  expect(written).toEqual(['\u001b]9;done\u0007'])
})

it('calls for a question at once, and takes nothing but reports of the focus', () => {
  const { made, written } = attention('bell')
  expect([made.take('x'), made.take('\u001b[A')]).toEqual([false, false])
  made.call('nobody knows whether somebody looks')
  made.take('\u001b[O')
  made.call('may it?')
  expect(written).toEqual(['\u0007'])
})

it('switches on only what it needs, and off again', () => {
  expect(attention('off', { title: false }).made.modes).toMatchObject({ leave: '' })
  expect(attention('off', { title: false }).made.modes.enter()).toBe('')
  expect(attention('auto', { env: { TERM: 'linux' } }).made.modes).toMatchObject({ leave: '\u001b[?1004l' })
  const { made } = attention('auto')
  made.setTitle('dsh: here')
  expect(made.modes.enter()).toBe('\u001b[?1004h\u001b[22;0t\u001b]0;dsh: here\u0007')
  expect(made.modes.leave).toBe('\u001b[?1004l\u001b[23;0t')
})

it('writes a title once, in one line, without controls and of bounded length', () => {
  const { made, written } = attention('off')
  made.setTitle('a\u001b]0;b\u0007\nc')
  made.setTitle('a c')
  made.setTitle('👩'.repeat(200))
  expect(written).toEqual(['\u001b]0;a c\u0007', `\u001b]0;${'👩'.repeat(79)}…\u0007`])
})

it.each<[NotifySetting, NodeJS.ProcessEnv, string]>([
  ['auto', { TERM: 'xterm-256color' }, 'bell'],
  ['auto', { TERM: 'xterm-kitty' }, 'osc9'],
  ['auto', { TERM_PROGRAM: 'iTerm.app' }, 'osc9'],
  ['auto', { TERM: 'foot' }, 'osc777'],
  ['auto', { TERM: 'xterm-256color', VTE_VERSION: '7600' }, 'osc777'],
  ['auto', { TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/x' }, 'bell'],
  ['osc777', { TMUX: '/tmp/x' }, 'osc777'],
  ['off', {}, 'off'],
])('%s with %o means %s', (setting, env, kind) => {
  expect(chooseNotification(setting, env)).toBe(kind)
})

it('puts words of others into a notification as words', () => {
  expect(notification('osc777', 'a;b\u0007\u001b]9;c\nd')).toBe('\u001b]777;notify;dsh;a,b d\u0007')
  expect(notification('off', 'x')).toBe('')
})
