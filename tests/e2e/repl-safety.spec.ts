/** Nothing that a model, a tool, a file or a provider says reaches the terminal as anything but text. */

import { answer, callAnswer, errorReply, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

/* oxlint-disable no-control-regex -- control sequences are what this is about */

/** Everything that the program itself may send: frames, movements, styles, modes, and its own title. */
const OWN = [
  /\u001b\[\?(?:2026|25|2004|1004)[hl]/y,
  /\u001b\[\d*(?:[AB]|G|J|K)/y,
  /\u001b[78]/y,
  /\u001b\[(?:0|1|2|3|4|7|9|2[2-9]|3[1-6]|39|9[15])m/y,
  /\u001b\[22;23;24;25;27;28;29;39m/y,
  /\u001b\[=0;1u|\u001b\[>7u|\u001b\[\?u|\u001b\[<u|\u001b\[>4;[02]m|\u001b\[c|\u001b\](?:7501|10|11);\?\u001b\\/y,
  /\u001b\[2[23];0t/y,
  /\u001b\]0;dsh: [^\u0000-\u001f\u007f-\u009f]*\u0007/y,
]

/** What is neither text nor one of those, with a few characters around it. */
function foreign(output: string): string[] {
  const found: string[] = []
  for (let at = 0; at < output.length; ) {
    // oxlint-disable-next-line no-control-regex
    if (/[^\u0000-\u001f\u007f-\u009f]|[\r\n]/.test(output.charAt(at))) at++
    else {
      const own = OWN.map(each => ((each.lastIndex = at), each.exec(output)?.[0])).find(match => match !== undefined)
      if (own === undefined) found.push(JSON.stringify(output.slice(at, at + 20)))
      at += own?.length ?? 1
    }
  }
  return found
}

const EVIL = [
  '\u001b]52;c;Y2F0\u0007', '\u001b]8;;file:///\u001b\\', '\u001b]0;mine\u0007', '\u009b2J', '\u001b[?1049h', '\u001b[2J', '\u001bP+q\u001b\\', '\u001b_x\u001b\\', '\u0090q\u009c',
  '\u001b[31mred', '\u001b[5m', '\u001b[9;9H', '\rover', '\u0008\u0008', '\u0007', '\u000e', '\u202ebidi',
].join(' word ')

it('in answers, reasoning, code, tables, calls, results, names, titles, questions and errors', async () => {
  await using server = await provider([
    answer({ reasoning: [`thinking ${EVIL}`, ' \u001b', ']0;late\u0007'], text: [`Look\u001b`, `]0;title\u0007 here ${EVIL}\n\n\`\`\`js\n// ${EVIL}\n\`\`\`\n\n| a | ${EVIL} |\n|---|---|\n| x | \u001b[5m |\n\n[link](file:///\u001b]8;;x\u0007) ![image](\u001b[2J)\n\n`, '- \u001b[2', 'J list\n'], calls: [{ name: 'bash', arguments: { command: `printf '\\033[2J\\033]52;c;Y2F0\\007out\\n\\233 \\x1b' # ${EVIL}`, description: EVIL } }] }),
    callAnswer({ name: `no\u001b[2Jsuch`, arguments: { [EVIL]: EVIL } }, { name: 'glob', arguments: { pattern: '*' } }, { name: 'read', arguments: { file_path: 'evil.txt' } }),
    callAnswer({ name: 'todo_write', arguments: { todos: [{ content: `list ${EVIL}`, status: 'in_progress' }] } }),
    callAnswer({ name: 'edit', arguments: { file_path: 'evil.txt', old_string: 'one', new_string: EVIL } }),
    callAnswer({ name: 'ask_user', arguments: { questions: [{ question: `why ${EVIL}?`, options: [`because ${EVIL}`, 'no'] }] } }),
    errorReply(503, `busy ${EVIL}`, { 'retry-after': '0' }),
    errorReply(400, `refused ${EVIL}`),
    textAnswer('The end.'),
  ])
  await using box = await sandbox({ 'evil.txt': `one ${EVIL}\ntwo\n`, 'a\u001b]52;c;Y2F0\u0007.txt': '', '.git/HEAD': 'ref: refs/heads/b\u001b[2J\n' }, server)
  const tty = await terminal(box, '$DSH', { TERM_PROGRAM: 'vscode' }, { columns: 80, rows: 24 })

  await tty.saw('ask mode')
  tty.type('go\r')
  await tty.saw('more lines; all of it stands above')
  tty.type('y')
  await tty.saw('allow edit?')
  tty.type('y')
  await tty.saw('why')
  await tty.saw('because')
  tty.type('1')
  await tty.saw('refused')
  for (const command of ['/title t\u0007\u009b2J title', '!printf "\\033]52;c;Y2F0\\007shell"', '/diff', '/context', 'once more']) {
    tty.type(`${command}\r`)
    await new Promise(resolve => setTimeout(resolve, 700))
  }
  await tty.saw('The end.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(foreign(output)).toEqual([])
  expect(output).toContain('thought for')
  expect(output).toContain('shell')
})

it('when a session with such words is shown again', async () => {
  await using server = await provider([answer({ text: `Look ${EVIL}`, calls: [{ name: `bad${EVIL}`, arguments: {} }] }), textAnswer('Done.')])
  await using box = await sandbox({}, server)
  await box.run(['-p', `hello ${EVIL.replaceAll('\u0000', '')}`])
  const tty = await terminal(box, '$DSH -c', { TERM_PROGRAM: 'vscode' }, { columns: 80, rows: 24 })

  await tty.saw('Done.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(foreign(output)).toEqual([])
})

it('and no style at all does when the user wants no colours', async () => {
  await using server = await provider([answer({ reasoning: 'Hm.', text: '# Head\n\n**bold** `code` [link](https://example.com)\n\n```js\nlet x = 1 // c\n```\n\n> quote\n\n- list', calls: [{ name: 'bash', arguments: { command: 'touch x; false' } }] }), textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', { TERM_PROGRAM: 'vscode', NO_COLOR: '1' }, { columns: 80, rows: 24, hasReplies: true })

  await tty.saw('ask mode')
  tty.type('go /\u0009')
  await new Promise(resolve => setTimeout(resolve, 300))
  tty.type('\u001b\r')
  await tty.saw('allow bash?')
  tty.type('y')
  await tty.saw('Done.')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  // oxlint-disable-next-line no-control-regex
  expect(output.match(/\u001b\[[\d;:]*m/g)).toBe(null)
})
