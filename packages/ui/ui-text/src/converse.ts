/** A plain conversation, line by line: for dumb terminals, screen readers, and until a richer interface is mounted. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describeEnd, EXIT, type ExitCode } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import { InputEnded, type LineReader } from './line-reader.ts'
import { renderProgress } from './progress.ts'
import { renderResult } from './render-call.ts'

const HELP = `  /help       this text
  /quit       leave (Ctrl-D too)
  Ctrl-C      stop what is running; once more leaves
Anything else is a message. What you type while the model works reaches it between two steps.
`

/** Resolves with the exit code when the user leaves. */
export async function converse(ctx: Context, lines: LineReader): Promise<ExitCode> {
  const { request, terminal } = ctx.frontDoor
  const { agent, dispose } = ctx.agents.create({ meta: { cwd: request.cwd }, agentOptions: request.agentOptions })
  const leaving = new AbortController()
  let stopping = false
  const leave = (code: ExitCode): void => leaving.abort(code)
  ctx.on('session/event', (session, event) => {
    if (session === agent.session) show(event, lines, terminal.stdout)
  })
  ctx.on('front-door/interrupt', signal => interrupt(signal))
  lines.onInterrupt(() => interrupt('SIGINT'))
  if (request.verbosity !== 'quiet') lines.print(`dsh, model ${agent.options.model ?? '(none)'}, in ${request.cwd}. /help for help.\n`)
  if (request.prompt !== undefined) agent.send(request.prompt)
  const code = await readInput(agent, lines, leaving.signal)
  agent.cancel('the user left')
  await dispose()
  return code

  function interrupt(signal: string): void {
    if (signal !== 'SIGINT') return leave(EXIT.terminated)
    if (agent.status !== 'running' || stopping) return leave(EXIT.interrupted)
    stopping = true
    void agent.whenIdle().then(() => {
      stopping = false
    })
    agent.cancel('stopped by the user', { queue: 'keep' })
  }
}

async function readInput(agent: Agent, lines: LineReader, signal: AbortSignal): Promise<ExitCode> {
  for (;;) {
    let line: string
    try {
      line = (await lines.ask('> ', signal)).trim()
    } catch (error) {
      if (signal.aborted) return signal.reason as ExitCode
      if (!(error instanceof InputEnded)) throw error
      await agent.whenIdle()
      return EXIT.completed
    }
    if (line === '') continue
    if (line === '/quit' || line === '/exit') return EXIT.completed
    if (line === '/help') lines.print(HELP)
    else if (/^\/[a-z]+$/.test(line)) lines.print(`there is no command ${line}; /help lists them\n`)
    else agent.steer(line)
  }
}

/** Answers go to stdout as they stream, everything about them to stderr. */
function show(event: SessionEvent, lines: LineReader, stdout: NodeJS.WritableStream): void {
  switch (event.type) {
    case 'assistant/chunk':
      if (event.data.chunk.type === 'text-delta') stdout.write(stripControls(event.data.chunk.text))
      return
    case 'assistant/message':
      stdout.write('\n')
      return
    case 'tool/result':
      return lines.print(`${renderResult(event.data)}\n`)
    case 'turn/end': {
      const end = describeEnd(event.data.reason)
      if (end !== undefined) lines.print(`! ${stripControls(end)}\n`)
      return
    }
    default: {
      const line = renderProgress(event, 'normal')
      if (line !== undefined) lines.print(`${line}\n`)
    }
  }
}
