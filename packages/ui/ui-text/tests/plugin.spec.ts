/** The front door over the real loop with a scripted model; its streams are the test's. */

import { PassThrough } from 'node:stream'
import type { Context, Plugin } from 'cordis'
import { ApprovalService } from '@deepseek-ai/dsh-approval'
import { CommandRegistry } from '@deepseek-ai/dsh-commands'
import { FrontDoor, type ExitCode, type RunRequest } from '@deepseek-ai/dsh-front-door'
import { LlmError } from '@deepseek-ai/dsh-llm'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import * as permissionCommand from '@deepseek-ai/dsh-permission-command'
import { call, calls, fail, harness, hang, reply, textTool, type Harness, type HarnessOptions } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import * as uiText from '../src/index.ts'

interface Opened extends AsyncDisposable {
  host: Harness
  type(text: string): void
  stdin: PassThrough
  text: { stdout: string; stderr: string }
  code: Promise<ExitCode>
  unload(): Promise<void>
}

async function open(mode: 'print' | 'conversation', options: HarnessOptions, request: Partial<RunRequest> = {}): Promise<Opened> {
  const door = await mount(mode, options, request)
  door.host.ctx.get('frontDoor')?.open()
  return door
}

/** Mounted, but not opened. */
async function mount(mode: 'print' | 'conversation', options: HarnessOptions, request: Partial<RunRequest> = {}): Promise<Opened> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const text = { stdout: '', stderr: '' }
  stdout.on('data', chunk => (text.stdout += String(chunk)))
  stderr.on('data', chunk => (text.stderr += String(chunk)))
  const host = await harness({ ...options, plugins: [ApprovalService, ...(options.plugins ?? [])] })
  const door = { terminal: { stdin, stdout, stderr }, request: { cwd: process.cwd(), agentOptions: { model: 'script' }, verbosity: 'normal' as const, ...request } }
  await host.ctx.plugin(FrontDoor, door)
  const fiber = host.ctx.plugin(uiText, { mode })
  await fiber
  const frontDoor = host.ctx.get('frontDoor')
  return {
    host,
    stdin,
    type: line => void stdin.write(line),
    text,
    code: frontDoor?.finished ?? Promise.reject(new Error('there is no front door')),
    unload: async () => void (await fiber.dispose()),
    [Symbol.asyncDispose]: () => host.dispose(),
  }
}

/** Waits until the text has come. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 5))
}

const interrupt = ({ host }: Opened, signal: 'SIGINT' | 'SIGTERM'): void => (host.ctx.get('frontDoor') as FrontDoor).interrupt(signal)

describe('one shot', () => {
  it('prints the answer and ends with its code', async () => {
    await using door = await open('print', { model: [call('look', {}, { text: 'I look.' }), reply('Done.')], tools: [textTool('look', () => 'seen')] }, { prompt: 'go' })

    expect(await door.code).toBe(0)
    expect(door.text).toEqual({ stdout: 'Done.\n', stderr: '● look {}\n' })
  })

  it('keeps an answer that ends its last line as it is, and prints nothing for an empty one', async () => {
    await using door = await open('print', { model: [reply('Done.\n\n')] }, { prompt: 'go' })
    await door.code
    expect(door.text.stdout).toBe('Done.\n\n')
  })

  it.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('stops on %s and ends with %d', async (signal, code) => {
    await using door = await open('print', { model: [hang([{ type: 'block-start', index: 0, blockType: 'text' }, { type: 'text-delta', index: 0, text: 'Half' }])] }, { prompt: 'go' })
    await until(() => door.host.ctx.sessions.list().some(({ events }) => events.some(({ type, data }) => type === 'assistant/chunk' && data.chunk.type === 'text-delta')))
    interrupt(door, signal)

    expect(await door.code).toBe(code)
    expect(door.text).toEqual({ stdout: 'Half\n', stderr: `dsh: stopped: ${signal}\n` })
  })

  it.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('ends with the code of %s (%d) when it comes before the work has begun', async (signal, code) => {
    await using door = await open('print', { model: [] }, { prompt: 'go' })
    interrupt(door, signal)
    expect(await door.code).toBe(code)
    expect(door.text.stdout).toBe('')
  })

  it('says how many calls were refused for want of a permission, and ends with 5', async () => {
    const codes = ['READ_ONLY', 'PERMISSION_REQUIRED', 'DENIED']
    const gate = { name: 'gate', apply: (ctx: Context) => void ctx.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'no', code: codes.shift() ?? '' })) }
    await using door = await open('print', { model: [call('look'), call('look'), call('look'), reply('Done.')], tools: [textTool('look', () => 'seen')], plugins: [gate] }, { prompt: 'go' })

    expect(await door.code).toBe(5)
    expect(door.text.stderr.split('\n').slice(-2)).toEqual(['dsh: 2 calls needed a permission that nobody could give; allow with --permission auto', ''])
  })

  it('says that the same may succeed later when the provider failed, and ends with 75', async () => {
    await using door = await open('print', { model: [fail(new LlmError('SERVER', 'busy'))], loop: { maxAttempts: 1 } }, { prompt: 'go' })

    expect(await door.code).toBe(75)
    expect(door.text).toEqual({ stdout: '', stderr: '! request attempt 1 failed: busy [SERVER]; giving up\ndsh: the turn failed in step 1: busy [SERVER]\ndsh: the same command may succeed later\n' })
  })

  it('says nothing but errors when it is asked to be quiet', async () => {
    await using door = await open('print', { model: [call('look'), reply('Done.')], tools: [textTool('look', () => 'seen')] }, { prompt: 'go', verbosity: 'quiet' })
    await door.code
    expect(door.text).toEqual({ stdout: 'Done.\n', stderr: '' })
  })
})

describe('a conversation', () => {
  it('shows its prompt again below what others tell, until it is unloaded', async () => {
    await using door = await open('conversation', { model: [] })
    await until(() => door.text.stderr.endsWith('> '))
    const frontDoor = door.host.ctx.get('frontDoor')
    frontDoor?.tell('told\n')
    expect(door.text.stderr).toMatch(/> told\n> $/)
    await door.unload()
    frontDoor?.tell('told later\n')

    expect(door.text.stderr).toMatch(/told\n> told later\n$/)
  })

  it('answers line by line and waits for the last answer when the input ends', async () => {
    await using door = await open('conversation', { model: [reply('One.'), reply('Two.')] })
    door.type('first\n')
    await until(() => door.text.stdout === 'One.\n')
    door.type('second\n')
    door.stdin.end()

    expect(await door.code).toBe(0)
    expect(door.text.stdout).toBe('One.\nTwo.\n')
    expect(door.host.script.requests).toHaveLength(2)
  })

  it('begins with the model, the directory and the way to help, unless it is to be quiet', async () => {
    await using door = await open('conversation', { model: [] })
    await until(() => door.text.stderr === `dsh, model script, in ${process.cwd()}. /help for help.\n> `)

    await using quiet = await open('conversation', { model: [] }, { verbosity: 'quiet' })
    await until(() => quiet.text.stderr !== '')
    expect(quiet.text.stderr).toBe('> ')

    await using unset = await open('conversation', { model: [] }, { agentOptions: {} })
    await until(() => unset.text.stderr.startsWith('dsh, model (none), in '))
  })

  it('takes blank lines for nothing, and words that begin with a slash for messages', async () => {
    await using door = await open('conversation', { model: [reply('One.'), reply('Two.')] })
    door.type('\n   \n/usr/bin is full\n')
    await until(() => door.text.stdout === 'One.\n')
    door.type('/unknown\n')
    await until(() => door.text.stderr.includes('there is no command /unknown; /help lists them'))
    door.stdin.end()
    await door.code

    expect(door.host.script.requests).toHaveLength(1)
  })

  it('shows the permission modes, and puts the session into another one', async () => {
    const modes: Plugin = {
      name: 'modes',
      inject: ['approval'],
      apply: (ctx: Context) => {
        ctx.approval.registerMode({ name: 'ask', description: 'asks' })
        ctx.approval.registerMode({ name: 'read-only', description: 'refuses' })
        ctx.approval.setPolicy({ defaultMode: 'ask', judge: async () => ({ verdict: 'ask', reason: '', remember: [] }), rules: async () => [] })
      },
    }
    await using door = await open('conversation', { model: [], plugins: [modes, CommandRegistry, permissionCommand] })
    door.type('/permission\n')
    await until(() => door.text.stderr.includes('- ask (now): asks\n- read-only: refuses\n'))
    door.type('/permission raed-only\n')
    await until(() => door.text.stderr.includes('there is no permission mode "raed-only"; did you mean read-only?\n'))
    door.type('/permission  read-only\n')
    await until(() => door.text.stderr.includes('The permission mode is now read-only.\n'))
    const { approval, sessions } = door.host.ctx
    expect(sessions.list().map(session => approval.modeOf(session) ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual(['ask', 'read-only'])
    door.type('/quit\n')

    expect(await door.code).toBe(0)
    expect(door.host.script.requests).toEqual([])
  })

  it('runs the commands that plugins bring: what they show, ask to choose, and make of a message', async () => {
    const commands: Plugin = {
      name: 'commands-of-a-plugin',
      inject: ['commands'],
      apply: (ctx: Context) => {
        ctx.commands.register({ name: 'pick', description: 'picks', run: async (_args, { door: { choose }, signal }) => ({ kind: 'show', markdown: `picked ${await choose?.('which', [{ value: 'a', label: 'first' }, { value: 'b', label: 'second', description: 'better' }], signal)}` }) })
        ctx.commands.register({ name: 'say', description: 'says', run: async args => ({ kind: 'prompt', content: `please ${args}` }) })
      },
    }
    await using door = await open('conversation', { model: [reply('Gladly.')], plugins: [CommandRegistry, commands] })
    door.type('/pick\n')
    await until(() => door.text.stderr.includes('which\n  1  first\n  2  second  better\nnumber, or nothing: '))
    door.type('2\n')
    await until(() => door.text.stderr.includes('picked b\n'))
    door.type('/pick\n')
    await until(() => door.text.stderr.split('number, or nothing: ').length === 3)
    door.type('7\n')
    await until(() => door.text.stderr.includes('7 is not in the list\n'))
    door.type('/say hello\n')
    await until(() => door.text.stdout === 'Gladly.\n')
    expect(JSON.stringify(door.host.script.requests[0]?.messages)).toContain('please hello')
    door.type('/quit\n')
    expect(await door.code).toBe(0)
  })

  it.each(['/quit', '/exit'])('leaves with 0 on %s', async command => {
    await using door = await open('conversation', { model: [] })
    door.type(`${command}\n`)
    expect(await door.code).toBe(0)
  })

  it('takes the next line of a pipe for a secret that is asked for, or was to be, and never for a message', async () => {
    const secrets: (string | undefined)[] = []
    const commands: Plugin = {
      name: 'commands-of-a-plugin',
      inject: ['commands'],
      apply: (ctx: Context) => void ctx.commands.register({ name: 'login', description: 'asks', needs: 'askSecret', run: async (_args, { door, signal }) => void secrets.push(await door.askSecret?.('key', signal)) }),
    }
    await using door = await open('conversation', { model: [reply('Hello.')], plugins: [CommandRegistry, commands] })
    door.type('/login\nsk-1\n/logn\nsk-2\nhello\n')
    await until(() => door.text.stdout === 'Hello.\n')
    door.type('/LOGIN\nsk-3\n/login\n')
    door.stdin.end('sk-4')

    expect(await door.code).toBe(0)
    expect(secrets).toEqual(['sk-1', 'sk-4'])
    expect(door.text.stderr.split('thrown away').length - 1).toBe(2)
    expect(JSON.stringify([door.host.script.requests, door.text])).not.toContain('sk-')
  })

  it('says nothing of a hidden question that ends because it is told to end', async () => {
    const commands: Plugin = {
      name: 'commands-of-a-plugin',
      inject: ['commands'],
      apply: (ctx: Context) => void ctx.commands.register({ name: 'login', description: 'asks', needs: 'askSecret', run: async (_args, { door, signal }) => void (await door.askSecret?.('key', signal)) }),
    }
    await using door = await open('conversation', { model: [], plugins: [CommandRegistry, commands] })
    door.type('/login\n')
    await until(() => door.text.stderr.endsWith('go back): '))
    const { length } = door.text.stderr
    interrupt(door, 'SIGTERM')

    expect([await door.code, door.text.stderr.slice(length).split('\n')[1]]).toEqual([143, ''])
  })

  it('stops the answer at the first interrupt, keeps what is queued, and leaves at the second', async () => {
    await using door = await open('conversation', { model: [hang()] }, { prompt: 'go' })
    await until(() => door.host.script.requests.length === 1)
    interrupt(door, 'SIGINT')
    await until(() => door.text.stderr.includes('! stopped'))
    interrupt(door, 'SIGINT')

    expect(await door.code).toBe(130)
  })

  it('keeps what was typed while the model worked for the next message, when that work is stopped', async () => {
    await using door = await open('conversation', { model: [hang(), reply('Both.')] }, { prompt: 'go' })
    await until(() => door.host.script.requests.length === 1)
    door.type('by the way\n')
    await new Promise(resolve => setTimeout(resolve, 20))
    interrupt(door, 'SIGINT')
    await until(() => door.text.stderr.includes('! stopped'))
    door.type('now\n')
    await until(() => door.text.stdout === 'Both.\n')

    expect(JSON.stringify(door.host.script.requests[1]?.messages.slice(1))).toMatch(/by the way.*now/)
  })

  it('says at the first interrupt of an idle conversation that another one leaves, and forgets it when something is typed', async () => {
    await using door = await open('conversation', { model: [] })
    await until(() => door.text.stderr.includes('> '))
    interrupt(door, 'SIGINT')
    door.type('/help\n')
    await until(() => door.text.stderr.includes('Ctrl-D too'))
    interrupt(door, 'SIGINT')
    expect(door.text.stderr.match(/once more leaves\)/g)).toHaveLength(2)
    interrupt(door, 'SIGINT')

    expect(await door.code).toBe(130)
  })

  it('ends with 143 when it is told to end', async () => {
    await using door = await open('conversation', { model: [hang()] }, { prompt: 'go' })
    await until(() => door.host.script.requests.length === 1)
    interrupt(door, 'SIGTERM')
    expect(await door.code).toBe(143)
  })

  it('does nothing when its plugin is unloaded before the door was opened', async () => {
    await using door = await mount('conversation', { model: [] }, { prompt: 'go' })
    await door.unload()
    door.host.ctx.get('frontDoor')?.open()
    await new Promise(resolve => setTimeout(resolve, 20))

    expect(door.text).toEqual({ stdout: '', stderr: '' })
    expect(door.host.script.requests).toEqual([])
  })

  it('does not end the process when its plugin is unloaded, and takes its answers with it', async () => {
    await using door = await open('conversation', { model: [] })
    let code: ExitCode | undefined
    void door.code.then(ended => (code = ended))
    await door.unload()
    await new Promise(resolve => setTimeout(resolve, 20))

    expect(code).toBe(undefined)
    const remove = (door.host.ctx as Context & { approval: ApprovalService }).approval.setAnswerer({ approve: async () => ({ kind: 'unavailable' }) })
    remove()
  })
})

const APPROVING: Plugin = { name: 'approving', inject: ['approval', 'tools'], apply: asksForEverything }

/** Has every call of a tool asked, and what is allowed runs. */
function asksForEverything(ctx: Context): void {
  ctx.on('tools/pre-execute', async ({ agent, callId, name, arguments: args, signal }) => {
    if (!agent) return { kind: 'ask' }
    const answer = await ctx.approval.ask({ agent, callId, tool: name, arguments: args, remember: [name] }, signal)
    return answer.kind === 'allow' ? { kind: 'allow' } : { kind: 'deny', reason: 'no' }
  })
}

/** Puts questions to the user on every call. */
const inquiring: ToolDefinition = {
  ...textTool('ask', () => ''),
  execute: async (_args, { agent, callId, signal }) => {
    if (!agent) throw new Error('there is no agent')
    const answer = await agent.ctx.get('approval')?.inquire({ agent, callId, questions: [{ question: 'Which?', options: ['a', 'b'] }] }, signal)
    return [{ type: 'text', text: JSON.stringify(answer) }]
  },
}

const resultsIn = ({ host }: Opened): unknown[] => host.ctx.sessions.list().flatMap(({ events }) => events.flatMap(event => (event.type === 'tool/result' ? event.data.content : [])))

describe('questions', () => {
  it('for a permission show the diff that the tool makes of its call', async () => {
    const put: ToolDefinition = { ...textTool('put', () => 'done'), parameters: { type: 'object' }, presentCall: () => ({ card: 'diff', title: '', diffs: [{ path: 'f', oldText: 'a', newText: 'b' }] }) }
    const broken: ToolDefinition = { ...put, name: 'broken', presentCall: () => { throw new Error('cannot show') } }
    await using door = await open('conversation', { model: [calls([{ name: 'put', arguments: { text: 'b' } }, { name: 'broken', arguments: { text: 'b' } }]), reply('Done.')], tools: [put, broken], plugins: [APPROVING] }, { prompt: 'go' })
    await until(() => door.text.stderr.includes('? allow put\n    f\n    - a\n    + b\n  to remember: put\n'))
    door.type('y\n')
    await until(() => door.text.stderr.includes('? allow broken\n    text: b\n'))
    door.type('t\n')
    await until(() => door.text.stdout === 'Done.\n')
    door.stdin.end()
    await door.code
  })

  it('of the model reach the one who talks with it, and their answers the model', async () => {
    await using door = await open('conversation', { model: [call('ask'), reply('Done.')], tools: [inquiring] }, { prompt: 'go' })
    await until(() => door.text.stderr.includes('2. b\n'))
    door.type('2\n')
    await until(() => door.text.stdout === 'Done.\n')
    expect(resultsIn(door)).toEqual([{ type: 'text', text: '{"kind":"answered","answers":[["b"]]}' }])
    door.stdin.end()
    await door.code
  })

  it('do not send what is typed behind a command that asks for a secret', async () => {
    const commands: Plugin = {
      name: 'commands-of-a-plugin',
      inject: ['commands'],
      apply: (ctx: Context) => void ctx.commands.register({ name: 'login', description: 'asks', needs: 'askSecret', run: async () => undefined }),
    }
    await using door = await open('conversation', { model: [call('ask'), reply('Done.')], tools: [inquiring], plugins: [CommandRegistry, commands] }, { prompt: 'go' })
    await until(() => door.text.stderr.includes('2. b\n'))
    door.type('/login\nsk-1\n')
    await until(() => door.text.stdout === 'Done.\n')
    expect(resultsIn(door)).toEqual([{ type: 'text', text: '{"kind":"answered","answers":[["/login"]]}' }])
    door.stdin.end()
    await door.code

    expect(JSON.stringify([door.host.script.requests, door.text])).not.toContain('sk-1')
    expect(door.text.stderr).toContain('thrown away')
  })

  it('of another agent do not', async () => {
    await using door = await open('conversation', { model: [call('ask'), reply('Done.')], tools: [inquiring] })
    await until(() => door.text.stderr.endsWith('> '))
    await door.host.run('go')

    expect(resultsIn(door)).toEqual([{ type: 'text', text: '{"kind":"unavailable","reason":"the user talks with another agent"}' }])
    door.stdin.end()
    await door.code
  })
})
