import { describe, expect, it } from 'vitest'
import { call, message, open, result, USER } from './shown.ts'

describe('a conversation', () => {
  it('is shown in order: what was said, the answer as it grows, and its end', async () => {
    const { log, text, seen } = open()
    log('user/message', { content: [{ type: 'text', text: 'two\nlines' }], source: USER })
    text('First paragraph.\n\nSecond')
    expect(await seen()).toEqual(['', '❯ two', '  lines', '', 'First paragraph.', '', 'Second'])
    text(' one.')
    log('assistant/message', message('First paragraph.\n\nSecond one.'))
    log('turn/end', { turn: 1, reason: { kind: 'completed' } })
    expect(await seen()).toEqual(['', '❯ two', '  lines', '', 'First paragraph.', '', 'Second one.'])
  })

  it('folds a message that is too long to be scrolled over, whoever sent it', async () => {
    const { log, seen, view } = open({ columns: 60 })
    const paste = Array.from({ length: 5_000 }, (_, i) => `line ${i}`).join('\n')
    log('user/message', { content: [{ type: 'text', text: paste }], source: USER })
    expect((await seen()).slice(39)).toEqual(['  line 38', '  line 39', '  … 4960 more lines, Ctrl-O shows them'])
    expect(view.folded).toEqual({ title: 'message', text: paste })
    log('steering/message', { turn: 1, content: [{ type: 'text', text: 'x'.repeat(1_000_000) }], source: USER })
    const lines = await seen()
    expect(lines.length).toBeLessThan(130)
    expect(lines.at(-1)).toBe('  … 996000 more characters, Ctrl-O shows them')
  })

  it('shows an answer whole that was not streamed, and one that was only once', async () => {
    const { log, text, seen } = open()
    log('assistant/message', message('Whole.'))
    text('Streamed.')
    log('assistant/message', message('Streamed.'))
    expect(await seen()).toEqual(['', 'Whole.', '', 'Streamed.'])
  })

  it('says where an answer was cut, and why the turn ended', async () => {
    const { log, text, seen } = open()
    text('I beg')
    log('assistant/message', message('I beg', { interrupted: true }))
    log('turn/end', { turn: 1, reason: { kind: 'aborted', reason: 'stopped by the user' } })
    expect(await seen()).toEqual(['', 'I beg', '(cut here)', '', '! stopped: stopped by the user'])
  })

  it('marks steering, messages of other sources, and what was put before the model', async () => {
    const { log, seen } = open()
    log('steering/message', { turn: 1, content: [{ type: 'text', text: 'be brief' }], source: USER })
    log('steering/message', { turn: 1, content: [{ type: 'text', text: 'reminder' }], source: { kind: 'plugin', plugin: 'x' } as never })
    log('context/message', { content: [{ type: 'text', text: 'first\nsecond' }], source: { kind: 'plugin', plugin: 'x' } as never })
    log('context/message', { content: [{ type: 'text', text: 'of the user, who has seen it' }], source: USER })
    expect(await seen()).toEqual(['', '↳ be brief', '', '· reminder', '', '· for the model: first (2 lines)'])
  })

  it('shows what the user put before the model to one who did not see it', async () => {
    const { view, seen } = open()
    const content = [{ type: 'text' as const, text: 'The user ran a command\n$ ls' }]
    view.showPast({ type: 'context/message', seq: 0, time: 0, data: { content, source: USER } })
    expect(await seen()).toEqual(['', '· The user ran a command', '  $ ls'])
  })

  it('says why a prompt was not accepted, and that an image was in one', async () => {
    const { log, seen } = open()
    log('prompt/blocked', { content: [], source: USER, reason: 'secret' })
    log('user/message', { content: [{ type: 'text', text: 'look' }, { type: 'image', data: 'AA==', mimeType: 'image/png' }], source: USER })
    const lines = await seen()
    expect(lines.slice(0, 3)).toEqual(['', '! the prompt was not accepted: secret', ''])
    expect(lines.slice(3).join(' ')).toMatch(/^❯ look.*image/)
  })

  it('tells of a retry and that what was streamed does not count; the last failure is told by the end of the turn', async () => {
    const { log, text, seen } = open({ columns: 100 })
    const error = { name: 'LlmError', code: 'SERVER', message: 'too busy' }
    text('half')
    log('llm/attempt', { turn: 1, step: 1, attempt: 1, error, retryInMs: 1500 })
    text('Whole.')
    log('assistant/message', message('Whole.'))
    log('llm/attempt', { turn: 1, step: 2, attempt: 1, error })
    log('turn/end', { turn: 1, reason: { kind: 'error', step: 2, message: 'too busy', code: 'SERVER' } })
    expect(await seen()).toEqual(['', 'half', '', '! attempt 1 failed: too busy [SERVER]; trying again in 1.5 s, what stands above does not count', '', 'Whole.', '', '! the turn failed in step 2: too busy [SERVER]'])
  })
})

describe('reasoning', () => {
  it('shows its last lines while it lasts, then one line, and can be unfolded', async () => {
    const { thought, text, seen, view } = open()
    thought('one\ntwo\nthree\nfour')
    expect(await seen()).toEqual(['', '  two', '  three', '  four'])
    text('So.')
    expect(await seen()).toEqual(['', '∴ thought for 1 s (4 lines, Ctrl-O shows', 'them)', '', 'So.'])
    expect(view.folded).toEqual({ title: 'reasoning', text: 'one\ntwo\nthree\nfour' })
  })

  it('leaves nothing when there was nothing in it', async () => {
    const { thought, text, seen } = open()
    thought('\n ')
    text('So.')
    expect(await seen()).toEqual(['', 'So.'])
  })
})

describe('tool calls', () => {
  it('that run side by side end in any order and go up in theirs', async () => {
    const { log, seen, view } = open()
    log('tool/call', call('a', 'bash', { command: 'slow' }))
    log('tool/call', call('b', 'bash', { command: 'fast' }))
    log('tool/result', result('b', 'fast is done'))
    expect(await seen()).toEqual(['', '● bash slow'])
    view.progress('a', 'line 1\nline 2\n')
    expect(await seen()).toEqual(['', '● bash slow', '  line 1', '  line 2'])
    log('tool/result', result('a', 'slow is done'))
    expect(await seen()).toEqual(['', '● bash slow', '  slow is done', '', '● bash fast', '  fast is done'])
    expect(view.folded).toEqual({ title: 'bash slow', text: 'slow is done' })
  })

  it('show the end of what comes, and say when the user is asked', async () => {
    const { log, seen, view } = open()
    log('tool/call', call('a', 'bash', { command: 'x' }))
    view.progress('a', Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n'))
    expect(await seen()).toEqual(['', '● bash x', ...Array.from({ length: 6 }, (_, i) => `  line ${i + 44}`)])
    view.waiting('a', true)
    expect(await seen()).toEqual(['', '? bash x', '  waits for your answer'])
  })

  it('fold long output, mark failures, and say the exit code once', async () => {
    const terminal: Parameters<typeof open>[0] = { tools: { bash: { presentResult: (_args, { content }) => ({ card: 'terminal', output: content[0]?.type === 'text' ? content[0].text : '', exitCode: 3 }) } } }
    const { log, seen } = open(terminal)
    log('tool/call', call('a', 'bash', { command: 'x' }))
    log('tool/result', result('a', `${Array.from({ length: 9 }, (_, i) => `line ${i}`).join('\n')}\n[exit code: 3]`))
    log('tool/call', call('b', 'grep', { pattern: 'y' }))
    log('tool/result', result('b', 'Error: no', { isError: true, error: { name: 'E', code: 'DENIED' } }))
    expect(await seen()).toEqual(['', '● bash x', ...Array.from({ length: 6 }, (_, i) => `  line ${i}`), '  … 3 more lines, Ctrl-O shows them', '  exit code 3', '', '✗ grep y', '  Error: no', '  [DENIED]'])
  })

  it('draw a change as a diff, and only count what was read', async () => {
    const { log, seen } = open({ tools: { edit: { presentCall: () => ({ card: 'diff', kind: 'edit', title: 'Edit a.ts', diffs: [{ path: 'a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n' }] }) }, read: { kind: 'read' } } })
    log('tool/call', call('a', 'edit', {}))
    log('tool/result', result('a', 'edited'))
    log('tool/call', call('b', 'read', { file_path: 'a.ts' }))
    log('tool/result', result('b', Array.from({ length: 8 }, (_, i) => `${i + 1}: x`).join('\n')))
    expect(await seen()).toEqual(['', '● edit a.ts', '  a.ts +1 -1', '  1   one', '  2 - two', '  2 + 2', '', '● read a.ts', '  8 lines, Ctrl-O shows them'])
  })

  it('survive a presenter that throws, arguments that are no JSON, and a result without a call', async () => {
    const { log, seen } = open({ tools: { bad: { presentCall: () => { throw new Error('bug') }, presentResult: () => { throw new Error('bug') } } } })
    log('tool/call', call('a', 'bad', { command: 'x' }))
    log('tool/result', result('a', 'fine'))
    log('tool/call', { turn: 1, step: 1, callId: 'b', name: 'odd', arguments: '{"broken', parseError: 'no JSON' })
    log('tool/result', result('b', 'no', { isError: true }))
    log('tool/result', result('nobody', 'nothing'))
    expect(await seen()).toEqual(['', '● bad x', '  fine', '', '✗ odd {"broken', '  no'])
  })
})

it('lets no control sequence of others through, and no style of theirs', async () => {
  const { log, text, thought, seen, view, written } = open({ color: true, columns: 200 })
  const evil = '\u001b[31mred\u001b]0;title\u0007\u009b2J\u0007'
  log('user/message', { content: [{ type: 'text', text: evil }], source: USER })
  log('context/message', { content: [{ type: 'text', text: evil }], source: { kind: 'plugin', plugin: 'x' } as never })
  thought(evil)
  text(`${evil}\n\n\`\`\`js\n${evil}\n\`\`\`\n`)
  log('tool/call', call('a', `t${evil}`, { command: evil }))
  view.progress('a', evil)
  await seen()
  log('tool/result', result('a', evil, { isError: true, error: { name: 'E', code: evil } }))
  log('llm/attempt', { turn: 1, step: 1, attempt: 1, error: { name: 'E', code: evil, message: evil }, retryInMs: 1 })
  log('turn/end', { turn: 1, reason: { kind: 'error', step: 1, message: evil } })
  const shown = (await seen()).join('\n')
  expect(shown).toContain('red')
  expect(written).not.toContain('\u001b[31mred\u001b[')
  // oxlint-disable-next-line no-control-regex
  expect(shown.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g)).toBe(null)
  // oxlint-disable-next-line no-control-regex
  expect(written.match(/\u001b\]|\u0007|\u009b/g)).toBe(null)
})

it.each([1, 2, 3, 5, 10])('draws everything within %i columns', async columns => {
  const shown = open({ columns, rows: 30, tools: { edit: { presentCall: () => ({ card: 'diff', kind: 'edit', title: '漢字漢字', diffs: [{ path: '漢字.ts', oldText: 'a\n', newText: '漢字漢字漢字\n' }] }) } } })
  const { log, text, thought, seen } = shown
  log('user/message', { content: [{ type: 'text', text: '漢字 👩‍👩‍👧 words' }], source: USER })
  thought('漢字漢字漢字 thinking')
  await seen()
  text('# Title\n\n- item 漢字漢字\n\n| a | b |\n|---|---|\n| 漢字 | x |\n\n```js\nconst a = 1\n```\n')
  await seen()
  log('tool/call', call('a', 'edit', {}))
  await seen()
  log('tool/result', result('a', 'done'))
  log('turn/end', { turn: 1, reason: { kind: 'max-tokens' } })
  expect((await seen()).length).toBeGreaterThan(5)
})
