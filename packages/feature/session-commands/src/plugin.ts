/** `/resume`, `/fork`, `/clear`, `/title` and `/export`: commands over the stored sessions. */

import type { Context } from 'cordis'
import type { Choice, Command, CommandCall, CommandResult } from '@deepseek-ai/dsh-commands'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { shortId, type SessionStart } from '@deepseek-ai/dsh-front-door'
import type { Session } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { describeChoice, renderPreview } from './describe-choice.ts'
import { exportSession } from './export-session.ts'

export const name = 'session-commands'
export const inject = ['commands', 'sessionPersistence']

/** Sessions that are offered to choose from. */
const OFFERED = 50

export function apply(ctx: Context): void {
  const { sessionPersistence: persistence } = ctx
  for (const command of [resume(persistence), fork(ctx), clear, title, exporting]) ctx.commands.register(command)
}

function resume(persistence: SessionPersistence): Command {
  return {
    name: 'resume',
    needs: 'open',
    description: 'go on with another session of this directory',
    argumentHint: '[ID or words]',
    complete: async (typed, call) => (await offered(persistence, call)).filter(({ value }) => value.startsWith(typed)),
    async run(args, call) {
      const id = await chosen(persistence, args.trim(), call)
      if (id === undefined) return undefined
      if (id === call.agent.session.id) return say('This is that session.')
      await openAt(call, { kind: 'resume', id })
      return undefined
    },
  }
}

function fork(ctx: Context): Command {
  return {
    name: 'fork',
    needs: 'open',
    description: 'go on in a copy of this session, or of another one up to an event',
    argumentHint: '[ID][@EVENT]',
    async run(args, call) {
      const [, prefix = '', until] = /^([^@\s]*)(?:@(\d+))?\s*$/.exec(args.trim()) ?? []
      if (args.trim() !== '' && prefix === '' && until === undefined) throw new HarnessError('USAGE', '/fork takes [ID][@EVENT]')
      const { session } = call.agent
      const from = prefix === '' ? session.id : await ctx.sessionPersistence.find(prefix, call.signal)
      if (from === session.id) await prepareCopy(ctx, session)
      await openAt(call, { kind: 'fork', from, ...(until !== undefined && { until: Number(until) }) })
      return say(`This is a copy of ${shortId(from)}, which stays as it is; **/resume** goes back to it.`)
    },
  }
}

/** The copy is made of what is stored: all there is, not only what was there a moment ago. */
async function prepareCopy(ctx: Context, session: Session): Promise<void> {
  if (session.openTurn !== undefined) throw new HarnessError('USAGE', 'a turn is running; stop it first (Esc), then fork')
  if (session.seq === 0) throw new HarnessError('USAGE', 'there is nothing to copy yet: nothing was said in this session')
  await ctx.root.parallel('session/flush', session)
}

const clear: Command = {
  name: 'clear',
  needs: 'open',
  aliases: ['new'],
  description: 'begin a new session; this one stays stored',
  async run(_args, call) {
    await openAt(call, { kind: 'new' })
    call.door.clear?.()
    return say('This is a new session. The one before stays stored: **/resume** goes back to it.')
  },
}

const title: Command = {
  name: 'title',
  description: 'name this session',
  argumentHint: 'WORDS',
  async run(args, { agent }) {
    const words = args.trim().replace(/\s+/g, ' ')
    if (words === '') throw new HarnessError('USAGE', '/title takes the new title')
    agent.session.append('session/title', { title: words, source: { kind: 'user' } })
    return say(`The title is now “${words}”.`)
  },
}

const exporting: Command = {
  name: 'export',
  description: 'write this session to a file: .md, .html or .json by its name; secrets are masked',
  argumentHint: '[FILE]',
  async run(args, { agent: { session } }) {
    const file = await exportSession(session, args.trim() || `dsh-${shortId(session.id)}.md`)
    return say(`Wrote ${file}`)
  },
}

/** By a beginning of its id, else by words in it, else by choosing; undefined when nothing was chosen. */
async function chosen(persistence: SessionPersistence, args: string, call: CommandCall): Promise<string | undefined> {
  if (args === '') return await choose(call, 'go on with', await offered(persistence, call))
  try {
    return await persistence.find(args, call.signal)
  } catch (error) {
    if (!(error instanceof HarnessError) || error.code !== 'SESSION_NOT_FOUND') throw error
    const { cwd } = call.agent.session.header
    const hits = await persistence.search(args, { limit: OFFERED, ...(cwd !== undefined && { cwd }) }, call.signal)
    if (hits.length === 0) throw new HarnessError('SESSION_NOT_FOUND', `no session of this directory begins with "${args}", and none holds these words`)
    const ids = new Set(hits.map(({ summary }) => summary.id))
    return await choose(call, `sessions with “${args}”`, (await offered(persistence, call)).filter(({ value }) => ids.has(value)))
  }
}

async function choose({ door, signal }: CommandCall, question: string, choices: readonly Choice[]): Promise<string | undefined> {
  if (choices.length === 0) throw new HarnessError('SESSION_NOT_FOUND', 'there is no other session of this directory')
  if (!door.choose) throw new HarnessError('USAGE', 'this front door cannot put a list before you; name the session')
  return await door.choose(question, choices, signal)
}

async function offered(persistence: SessionPersistence, { agent: { session }, signal }: CommandCall): Promise<Choice[]> {
  const { cwd } = session.header
  const summaries = await persistence.list({ limit: OFFERED, ...(cwd !== undefined && { cwd }) }, signal)
  return summaries.filter(({ id }) => id !== session.id).map(summary => ({
    ...describeChoice(summary, Date.now()),
    preview: async () => renderPreview((await persistence.load(summary.id, signal)).events),
  }))
}

async function openAt({ door }: CommandCall, start: SessionStart): Promise<void> {
  if (!door.open) throw new HarnessError('USAGE', 'this front door cannot change the session')
  await door.open(start)
}

function say(markdown: string): CommandResult {
  return { kind: 'show', markdown }
}
