/** A client of the Agent Client Protocol, made with the protocol's own kit, over the program as an editor starts it. */

import type { ChildProcess } from 'node:child_process'
import { client, methods, ndJsonStream, type ClientCapabilities, type ClientContext, type InitializeResponse, type NewSessionResponse, type RequestPermissionRequest, type RequestPermissionResponse, type SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { Run, Sandbox } from './program.ts'

export { methods }

/** What happened at the client, in order. */
export type Seen = { kind: 'update'; sessionId: string; update: SessionUpdate; at: number } | { kind: 'permission'; request: RequestPermissionRequest } | { kind: 'request'; method: string; params: unknown }

export interface EditorOptions {
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  capabilities?: ClientCapabilities
  /** How permission is answered; default: the first option that allows once. A promise may stay open. */
  permission?: (request: RequestPermissionRequest, signal: AbortSignal) => RequestPermissionResponse | Promise<RequestPermissionResponse>
  /** Answers to what the agent may ask of a client besides. */
  serve?: Readonly<Record<string, (params: never) => unknown>>
  /** Default true. */
  initialize?: boolean
}

export interface Editor extends AsyncDisposable {
  agent: ClientContext
  initialized: InitializeResponse
  seen: Seen[]
  child: ChildProcess
  ended: Promise<Run>
  /** A session in the workspace, or elsewhere. */
  open(cwd?: string): Promise<NewSessionResponse>
  /** Sends text and waits for the answer. */
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>
  updates(sessionId?: string): SessionUpdate[]
  /** Closes the agent's input, as an editor does that ends. */
  quit(): Promise<Run>
  until(condition: () => boolean): Promise<void>
}

const PATIENCE_MS = 10_000

export async function editor(box: Sandbox, options: EditorOptions = {}): Promise<Editor> {
  const { args = [], env, capabilities = {}, permission = allowOnce, serve = {} } = options
  const program = box.start(['acp', ...args], { stdin: 'pipe', ...(env && { env }) })
  const { child, ended } = program
  const seen: Seen[] = []
  const app = client({ name: 'test editor' })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      seen.push({ kind: 'permission', request: params })
      return permission(params, signal)
    })
    .onNotification(methods.client.session.update, ({ params }) => void seen.push({ kind: 'update', ...params, at: performance.now() }))
  for (const [method, answer] of Object.entries(serve)) {
    app.onRequest(method, (params: unknown) => params, ({ params }: { params: unknown }) => {
      seen.push({ kind: 'request', method, params })
      return answer(params as never)
    })
  }
  const connection = app.connect(ndJsonStream(bytesTo(child), bytesFrom(child)))
  const { agent } = connection
  const initialized = options.initialize === false ? { protocolVersion: 0 } : await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: capabilities, clientInfo: { name: 'test editor', version: '1' } })
  const quit = async (): Promise<Run> => {
    child.stdin?.end()
    return await ended
  }
  return {
    agent,
    initialized,
    seen,
    child,
    ended,
    quit,
    open: (cwd = box.workspace.path) => agent.request(methods.agent.session.new, { cwd, mcpServers: [] }),
    prompt: (sessionId, text) => agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    updates: sessionId => seen.flatMap(each => (each.kind === 'update' && (sessionId === undefined || each.sessionId === sessionId) ? [each.update] : [])),
    async until(condition) {
      const end = performance.now() + PATIENCE_MS
      while (!condition()) {
        if (performance.now() > end) throw new Error(`it did not happen; seen: ${JSON.stringify(seen)}`)
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    },
    async [Symbol.asyncDispose]() {
      await quit()
    },
  }
}

/** The text of all messages of the agent. */
export function said(updates: readonly SessionUpdate[]): string {
  return updates.flatMap(update => (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [update.content.text] : [])).join('')
}

/** The end state of every call, by id, as a client that applies all updates has it. */
export function cards(updates: readonly SessionUpdate[]): Record<string, Record<string, unknown>> {
  const found: Record<string, Record<string, unknown>> = {}
  for (const update of updates) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue
    const { sessionUpdate: _, toolCallId, ...fields } = update
    found[toolCallId] = { ...found[toolCallId], ...fields }
  }
  return found
}

/** Messages in order, chunks joined: `kind text`. */
export function transcript(updates: readonly SessionUpdate[]): string[] {
  const lines: { key: string; line: string }[] = []
  for (const update of updates) {
    if (update.sessionUpdate === 'user_message_chunk' || update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk') {
      const text = update.content.type === 'text' ? update.content.text : `(${update.content.type})`
      const key = `${update.sessionUpdate} ${update.messageId}`
      const last = lines.at(-1)
      if (last?.key === key) last.line += text
      else lines.push({ key, line: `${update.sessionUpdate.replace('_message_chunk', '').replace('_chunk', '')} ${text}` })
    } else if (update.sessionUpdate === 'tool_call') lines.push({ key: update.toolCallId, line: `call ${update.name} ${update.kind}` })
    else if (update.sessionUpdate === 'plan') lines.push({ key: 'plan', line: `plan ${update.entries.map(({ status, content }) => `${status}:${content}`).join(', ')}` })
  }
  return lines.map(({ line }) => line)
}

function allowOnce({ options }: RequestPermissionRequest): RequestPermissionResponse {
  const option = options.find(({ kind }) => kind === 'allow_once')
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
}

function bytesTo(child: ChildProcess): WritableStream<Uint8Array> {
  const { stdin } = child
  if (!stdin) throw new Error('the program has no input')
  // What a client that has quit still has to say, nobody hears.
  return new WritableStream({ write: chunk => new Promise(resolve => (stdin.writable ? stdin.write(chunk, () => resolve()) : resolve())) })
}

/** The program's output is text already by now. */
function bytesFrom(child: ChildProcess): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      child.stdout?.on('data', (chunk: string) => controller.enqueue(Buffer.from(chunk)))
      child.stdout?.on('end', () => controller.close())
    },
  })
}
