/** What an editor does for the agent: files as it has them, terminals, forms. Nothing is asked that it did not offer. */

import { type ChildProcess, spawn } from 'node:child_process'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { describe, expect, it } from 'vitest'
import { cards, editor, type EditorOptions } from './acp-client.ts'
import { provider, sandbox } from './program.ts'

const READ = callAnswer({ id: 'c1', name: 'read', arguments: { file_path: 'a.txt' } })
const EDIT = callAnswer({ id: 'c2', name: 'edit', arguments: { file_path: 'a.txt', old_string: 'unsaved', new_string: 'changed' } })

/** An editor that has the file open, changed and not saved. */
function openBuffer(buffer: { text: string }): NonNullable<EditorOptions['serve']> {
  return {
    'fs/read_text_file': ({ path }: { path: string }) => {
      if (!path.endsWith('/a.txt')) throw new Error('not open')
      return { content: buffer.text }
    },
    'fs/write_text_file': ({ content }: { content: string }) => {
      buffer.text = content
      return {}
    },
  }
}

describe('files', () => {
  it.each([
    [{ readTextFile: true, writeTextFile: true }, ['fs/read_text_file', 'fs/write_text_file'], 'changed\n', 'saved\n'],
    [{ readTextFile: true, writeTextFile: false }, ['fs/read_text_file'], 'unsaved\n', 'changed\n'],
    [{ readTextFile: false, writeTextFile: true }, ['fs/write_text_file'], 'unsaved\n', 'saved\n'],
    [{ readTextFile: false, writeTextFile: false }, [], 'unsaved\n', 'saved\n'],
  ])('are read and written through an editor that offers %j, and only as far as it does', async (fs, methods, buffered, stored) => {
    await using server = await provider([READ, EDIT, textAnswer('done')])
    await using box = await sandbox({ 'a.txt': 'saved\n' }, server)
    const buffer = { text: 'unsaved\n' }
    await using zed = await editor(box, { capabilities: { fs }, serve: openBuffer(buffer), args: ['--permission', 'auto'] })
    const { sessionId } = await zed.open()

    await zed.prompt(sessionId, 'go')

    expect([...new Set(zed.seen.flatMap(each => (each.kind === 'request' ? [each.method] : [])))]).toEqual(fs.readTextFile || !fs.writeTextFile ? methods : [])
    expect(JSON.stringify(cards(zed.updates())['c1']?.['content'])).toContain(fs.readTextFile ? '1: unsaved' : '1: saved')
    expect(buffer.text).toBe(buffered)
    expect(await box.workspace.read('a.txt')).toBe(stored)
    server.assertStrict()
  })

  it('come from the disk when the editor does not know them, and a new one is written where it can be', async () => {
    await using server = await provider([callAnswer({ id: 'c1', name: 'read', arguments: { file_path: 'b.txt' } }), callAnswer({ id: 'c2', name: 'write', arguments: { file_path: 'sub/new.txt', content: 'fresh\n' } }), textAnswer('done')])
    await using box = await sandbox({ 'b.txt': 'on disk\n' }, server)
    await using zed = await editor(box, {
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      serve: { 'fs/read_text_file': () => { throw new Error('no such buffer') }, 'fs/write_text_file': () => { throw new Error('read-only') } },
      args: ['--permission', 'auto'],
    })
    const { sessionId } = await zed.open()

    await zed.prompt(sessionId, 'go')

    expect(Object.values(cards(zed.updates())).map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(await box.workspace.read('sub/new.txt')).toBe('fresh\n')
  })

  it('keep CRLF and what an editor hands over in one piece of 5 MB', async () => {
    const big = `${'x'.repeat(79)}\n`.repeat(65_000)
    await using server = await provider([READ, callAnswer({ id: 'c2', name: 'edit', arguments: { file_path: 'a.txt', old_string: 'first', new_string: 'FIRST' } }), textAnswer('done')])
    await using box = await sandbox({ 'a.txt': 'first\r\nsecond\r\n' }, server)
    const buffer = { text: `first\n${big}` }
    await using zed = await editor(box, { capabilities: { fs: { readTextFile: true, writeTextFile: true } }, serve: openBuffer(buffer), args: ['--permission', 'auto'] })
    const { sessionId } = await zed.open()

    await zed.prompt(sessionId, 'go')

    expect(cards(zed.updates())['c2']).toMatchObject({ status: 'completed' })
    expect(buffer.text.slice(0, 12)).toBe('FIRST\r\nxxxxx')
  })

  it('fail with a clear word when the editor never answers, and the turn goes on', async () => {
    await using server = await provider([READ, textAnswer('done')])
    await using box = await sandbox({ 'a.txt': 'saved\n' }, server)
    await using zed = await editor(box, { capabilities: { fs: { readTextFile: true, writeTextFile: true } }, serve: { 'fs/read_text_file': () => new Promise(() => undefined) }, args: ['--set', 'ui-acp.clientTimeoutMs=300'] })
    const { sessionId } = await zed.open()

    expect(await zed.prompt(sessionId, 'go')).toMatchObject({ stopReason: 'end_turn' })

    expect(cards(zed.updates())['c1']).toMatchObject({ status: 'failed', rawOutput: { output: 'Error: the editor did not answer about a.txt within 0.3 s' } })
  })
})

/** Terminals as an editor has them: processes of its own. */
class Terminals {
  readonly made: { id: string; child: ChildProcess; output: string; exit: Promise<{ exitCode: number | null; signal: string | null }> }[] = []
  readonly released: string[] = []

  readonly serve: NonNullable<EditorOptions['serve']> = {
    'terminal/create': ({ command, args, cwd, env }: { command: string; args: string[]; cwd: string; env: { name: string; value: string }[] }) => {
      const child = spawn(command, args, { cwd, env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      const terminal = { id: `term-${this.made.length + 1}`, child, output: '', exit: new Promise<{ exitCode: number | null; signal: string | null }>(resolve => child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))) }
      for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk: string) => (terminal.output += chunk))
      this.made.push(terminal)
      return { terminalId: terminal.id }
    },
    'terminal/wait_for_exit': async ({ terminalId }: { terminalId: string }) => await this.#get(terminalId).exit,
    'terminal/output': async ({ terminalId }: { terminalId: string }) => {
      const { output, exit, child } = this.#get(terminalId)
      return { output, truncated: false, ...(child.exitCode !== null || child.signalCode !== null ? { exitStatus: await exit } : {}) }
    },
    'terminal/kill': ({ terminalId }: { terminalId: string }) => {
      process.kill(-(this.#get(terminalId).child.pid ?? 0), 'SIGKILL')
      return {}
    },
    'terminal/release': ({ terminalId }: { terminalId: string }) => {
      this.released.push(terminalId)
      return {}
    },
  }

  #get(id: string): (typeof this.made)[number] {
    const found = this.made.find(each => each.id === id)
    if (!found) throw new Error(`no terminal ${id}`)
    return found
  }
}

describe('terminals', () => {
  it('run commands where they are offered: shown in the card, read for the model, and released', async () => {
    const terminals = new Terminals()
    await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'pwd; echo "pager: $PAGER"; exit 3' } }), textAnswer('done')])
    await using box = await sandbox({}, server)
    await using zed = await editor(box, { capabilities: { terminal: true }, serve: terminals.serve, args: ['--permission', 'auto'] })
    const { sessionId } = await zed.open()

    await zed.prompt(sessionId, 'go')

    expect(cards(zed.updates())['c1']).toMatchObject({ status: 'completed', content: [{ type: 'terminal', terminalId: 'term-1' }], rawOutput: { output: `${box.workspace.path}\npager: cat\n[exit code: 3]`, meta: { exitCode: 3 } } })
    expect(terminals.made.length).toBe(1)
    await zed.until(() => terminals.released.join() === 'term-1')
    server.assertStrict()
  })

  it('are killed and released when the turn is cancelled, and when the time is up', async () => {
    const terminals = new Terminals()
    await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'echo begun; sleep 60', timeoutMs: 300 } }), callAnswer({ id: 'c2', name: 'bash', arguments: { command: 'sleep 60' } })])
    await using box = await sandbox({}, server)
    await using zed = await editor(box, { capabilities: { terminal: true }, serve: terminals.serve, args: ['--permission', 'auto'] })
    const { sessionId } = await zed.open()
    const prompt = zed.prompt(sessionId, 'go')
    await zed.until(() => terminals.made.length === 2)
    const begun = performance.now()

    await zed.agent.notify('session/cancel', { sessionId })

    expect((await prompt).stopReason).toBe('cancelled')
    expect(performance.now() - begun).toBeLessThan(500)
    expect(cards(zed.updates())['c1']).toMatchObject({ status: 'completed', rawOutput: { output: expect.stringMatching(/^begun\n\[timed out after 300ms\]/) } })
    await Promise.all(terminals.made.map(({ exit }) => exit))
    await zed.until(() => terminals.released.length === 2)
  })

  it('give way to a shell of our own when one cannot be made', async () => {
    await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'echo here' } }), textAnswer('done')])
    await using box = await sandbox({}, server)
    await using zed = await editor(box, { capabilities: { terminal: true }, serve: { 'terminal/create': () => { throw new Error('no terminals left') } }, args: ['--permission', 'auto'] })
    const { sessionId } = await zed.open()

    await zed.prompt(sessionId, 'go')

    expect(cards(zed.updates())['c1']).toMatchObject({ status: 'completed', rawOutput: { output: 'here' } })
  })

  it('are not asked for when they are not offered', async () => {
    await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'echo here' } }), textAnswer('done')])
    await using box = await sandbox({}, server)
    await using zed = await editor(box, { serve: new Terminals().serve, args: ['--permission', 'auto'] })
    const { sessionId } = await zed.open()

    await zed.prompt(sessionId, 'go')

    expect(zed.seen.filter(({ kind }) => kind === 'request')).toEqual([])
  })
})

describe('questions', () => {
  const ASK = callAnswer({ id: 'c1', name: 'ask_user', arguments: { questions: [{ question: 'Which one?', options: ['red', 'blue'] }, { question: 'Why?' }] } })

  it('are put as a form where forms are offered', async () => {
    await using server = await provider([ASK, textAnswer('done')])
    await using box = await sandbox({}, server)
    await using zed = await editor(box, { capabilities: { elicitation: { form: {} } }, serve: { 'elicitation/create': () => ({ action: 'accept', content: { question_1: 'blue', question_2: 'I like it' } }) } })
    const { sessionId } = await zed.open()

    await zed.prompt(sessionId, 'go')

    const [asked] = zed.seen.flatMap(each => (each.kind === 'request' ? [each.params] : []))
    expect(asked).toMatchObject({ mode: 'form', sessionId, toolCallId: 'c1', requestedSchema: { type: 'object', properties: { question_1: { type: 'string', title: 'Which one?', enum: ['red', 'blue'] }, question_1_other: { type: 'string' }, question_2: { type: 'string', title: 'Why?' } } } })
    expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toMatch(/blue[^]*I like it/)
    server.assertStrict()
  })

  it('are not offered to the model where forms are not shown', async () => {
    await using server = await provider([textAnswer('done')])
    await using box = await sandbox({}, server)
    await using zed = await editor(box)
    const { sessionId } = await zed.open()

    expect(await zed.prompt(sessionId, 'go')).toMatchObject({ stopReason: 'end_turn' })

    expect(JSON.stringify(server.requests[0]?.body['tools'])).not.toContain('ask_user')
  })
})
