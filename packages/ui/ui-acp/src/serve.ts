/** One connection, from its first byte to its end. */

import type * as Sdk from '@agentclientprotocol/sdk'
import type { Context } from 'cordis'
import { Client, serveClientFiles, serveClientTerminals, UpdateQueue } from '@deepseek-ai/dsh-acp-client'
import { describeError } from '@deepseek-ai/dsh-errors'
import { EXIT, exitCodeOfSignal, type ExitCode, type Terminal } from '@deepseek-ai/dsh-front-door'
import { AgentMethods, registerMethods } from './agent-methods.ts'
import type { AcpSession } from './acp-session.ts'
import { answerInEditor } from './answer-approvals.ts'
import { toRequestError } from './errors.ts'
import { Keys } from './keys.ts'
import { openMessageStream } from './message-stream.ts'
import { ModelDiscovery } from './model-discovery.ts'
import type { UiAcpConfig } from './plugin.ts'
import { SessionTable } from './session-table.ts'

/** How long commands of a directory may take to be found. */
const COMMANDS_TIMEOUT_MS = 5_000

/** Resolves with the exit code when the client has gone, or a signal has come, and everything is put away. */
export async function serve(ctx: Context, sdk: typeof Sdk, config: UiAcpConfig): Promise<ExitCode> {
  const { terminal } = ctx.frontDoor
  const app = sdk.agent({ name: 'dsh' })
  const started = Promise.withResolvers<Client>()
  const queue = new UpdateQueue(async (sessionId, update) => await (await started.promise).update(sessionId, update))
  const keys = new Keys(config.credentials, process.env)
  const models: ModelDiscovery = new ModelDiscovery(ctx, config.discoveryTimeoutMs, () => {
    for (const session of methods.sessions.list()) session.announceOptions({ mode: false })
  })
  const facts = { version: config.version, storesSessions: ctx.get('sessionPersistence') !== undefined, storesKeys: keys.areStored }
  const methods = new AgentMethods({ ctx, facts, keys, models, pageSize: config.pageSize, onOpened: session => greet(ctx, session) }, offers => new SessionTable({ ctx, queue, offers, discovered: () => models.names }))
  registerMethods(sdk, app, methods, (error, sessionId) => report(ctx, toRequestError(sdk, error, sessionId)))
  const connection = app.connect(openMessageStream(sdk, terminal as Terminal, config.maxMessageBytes))
  ctx.effect(() => async () => {
    connection.close()
    await methods.sessions.closeAll()
  }, 'ui-acp connection')
  const client = new Client(connection.client)
  started.resolve(client)
  listen(ctx, client, methods, config)
  const code = await untilEnd(ctx, connection)
  await within(methods.sessions.closeAll(), config.closeTimeoutMs)
  connection.close()
  return code
}

/** Everything that happens to the sessions of this connection. */
function listen(ctx: Context, client: Client, methods: AgentMethods, config: UiAcpConfig): void {
  const { sessions } = methods
  const { clientTimeoutMs: timeoutMs } = config
  const offers = (): typeof methods.offers => methods.offers
  ctx.approval.setAnswerer(answerInEditor({ client, hasForms: () => methods.offers.forms, sessionOf: id => sessions.find(id) }))
  ctx.on('session/event', (session, event) => sessions.own(session.id)?.observe(event))
  ctx.on('tools/progress', (call, text) => (call.agent ? sessions.own(call.agent.session.id)?.addOutput(call.callId, text) : undefined))
  ctx.on('tools/execute', async (call, _tool, next) => {
    const session = call.agent && sessions.own(call.agent.session.id)
    session?.push(session.updates.begin(call.callId))
    return await next()
  })
  ctx.on('commands/change', () => sessions.list().forEach(session => announceCommands(ctx, session)))
  const isOurs = (id: string): boolean => sessions.own(id) !== undefined
  serveClientFiles(ctx, { client, offers, timeoutMs, isOurs })
  serveClientTerminals(ctx, {
    client,
    offers,
    timeoutMs,
    isOurs,
    onOpened: (id, callId, terminalId) => showTerminal(sessions.own(id), callId, terminalId),
    maxOutputBytes: config.terminalOutputBytes,
    onError: message => ctx.logger.warn(message),
  })
}

function showTerminal(session: AcpSession | undefined, callId: string, terminalId: string): void {
  session?.push(session.updates.showTerminal(callId, terminalId))
}

/** What a client should know of a session that has just been opened. */
function greet(ctx: Context, session: AcpSession): void {
  announceCommands(ctx, session)
  const names = session.mcpServers.map(({ name }) => name)
  if (names.length > 0) session.notice('warning', `MCP servers are not connected yet: ${names.join(', ')}`, 'dsh keeps them with the session; this version has no plugin that connects them')
}

function announceCommands(ctx: Context, session: AcpSession): void {
  session.announceCommands(AbortSignal.timeout(COMMANDS_TIMEOUT_MS)).catch((error: unknown) => ctx.logger.warn('the commands cannot be listed: %s', describeError(error)))
}

/** Resolves when stdin ends, the connection breaks, or the process is told to stop. */
async function untilEnd(ctx: Context, connection: Sdk.AgentConnection): Promise<ExitCode> {
  const { promise, resolve } = Promise.withResolvers<ExitCode>()
  ctx.on('front-door/interrupt', signal => resolve(exitCodeOfSignal(signal)))
  void connection.closed.then(() => resolve(EXIT.completed))
  return await promise
}

/** What goes wrong on our side is in the log of the process, too. */
function report(ctx: Context, error: Error): Error {
  if ((error as { code?: unknown }).code === -32603) ctx.logger.warn('a request failed: %s', describeError(error))
  return error
}

async function within(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, timeUp])
  clearTimeout(timer)
}
