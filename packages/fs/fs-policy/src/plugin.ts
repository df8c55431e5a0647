/**
 * What a model may do to files: it must have seen what it changes, and it must
 * ask before it writes outside the workspace or where a write makes something
 * run. Decides only; the tools and the permission gate act on it.
 *
 *     write to a file         never seen           only if it is not there
 *                             seen in part         refused, naming what was seen
 *                             seen, or written     only if it is still that version
 *     edit of a file          never seen           refused
 *                             seen, even in part   only if it is still that version
 */

import { resolve } from 'node:path'
import type { Context } from 'cordis'
import z from 'schemastery'
import { ABSENT, FsError, type FsActor, type FsPlace, type FsTarget, type FsVersion, type FsWriteIntent } from '@deepseek-ai/dsh-fs'
import type { PreToolDecision, ToolDefinition, ToolExecution } from '@deepseek-ai/dsh-tools'
import { Observations, type Known } from './observations.ts'
import { whyProtected, whySensitive } from './protected-path.ts'

declare module 'cordis' {
  interface Events {
    /** Asked (bail) for the real path of a file that a tool wants to change: why that needs a permission. The first answer counts. */
    'fs-policy/why-protected'(path: string): string | undefined
  }
}

export interface FsPolicyConfig {
  /** Directories beside the workspace that may be written without asking. */
  writable: string[]
}

export const name = 'fs-policy'
export const inject = ['fs']
export const Config: z<FsPolicyConfig> = z.object({
  writable: z.array(z.string()).default([]).description('Directories beside the workspace that may be written without asking; relative ones start at the workspace.'),
})

/** The arguments that name a file, in tools that change files. */
const PATH_ARGUMENTS = ['file_path', 'path', 'new_path'] as const

export function apply(ctx: Context, config: FsPolicyConfig): void {
  const observations = new Observations()
  ctx.on('fs/observed', (target, observation, { session }) => {
    if (session) observations.add(session, target.targetKey, observation)
  })
  // Both are single slots: this listener decides, and those after it are not asked.
  ctx.on('fs/write-intent', async (target, actor) => writeIntent(target, knownTo(actor, target, observations)))
  ctx.on('fs/edit-intent', async (target, actor) => editIntent(target, knownTo(actor, target, observations)))
  ctx.on('fs/why-protected', async (path, place) => {
    const why = await whyAsk(ctx, config, path, place)
    return why === undefined ? {} : { why }
  })
  ctx.on('tools/pre-execute', async (call, tool, next) => await askIfProtected(ctx, config, { call, tool, decision: await next() }))
}

function knownTo({ session }: FsActor, { targetKey }: FsTarget, observations: Observations): Known | undefined {
  return session && observations.get(session, targetKey)
}

function writeIntent({ displayPath }: FsTarget, known: Known | undefined): FsWriteIntent {
  if (!known || known.version === ABSENT) return { kind: 'createIfAbsent' }
  if (known.whole) return { kind: 'replaceIfVersion', version: known.version }
  const seen = known.ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
  const total = known.ranges.at(-1)?.total
  const what = seen === '' ? 'only a part of it was read' : `only lines ${seen} of ${total} were read`
  throw new FsError('FS_PARTLY_OBSERVED', `${displayPath} would be replaced as a whole, but ${what}; read the rest first, or change the part with edit`)
}

function editIntent({ displayPath }: FsTarget, known: Known | undefined): { version: FsVersion } {
  if (!known) throw new FsError('FS_NOT_OBSERVED', `${displayPath} was not read yet; read it before you edit it`)
  if (known.version === ABSENT) throw new FsError('FS_NOT_OBSERVED', `${displayPath} did not exist when it was last looked at; read it again, or use write to create it`)
  return { version: known.version }
}

interface Judged {
  call: ToolExecution
  tool: ToolDefinition
  /** What the other listeners say. Only an allowance can become a question. */
  decision: PreToolDecision
}

async function askIfProtected(ctx: Context, config: FsPolicyConfig, { call, tool, decision }: Judged): Promise<PreToolDecision> {
  if (decision.kind !== 'allow' || (tool.kind !== 'edit' && tool.kind !== 'delete' && tool.kind !== 'move')) return decision
  const args = decision.arguments ?? call.arguments
  for (const key of PATH_ARGUMENTS) {
    const path = args[key]
    if (typeof path !== 'string' || path === '') continue
    const why = await whyAsk(ctx, config, path, placeOf(call))
    if (why !== undefined) return { kind: 'ask', reason: `${tool.name} would write to ${path}: ${why}` }
  }
  return decision
}

function placeOf({ agent, cwd, signal }: ToolExecution): FsPlace {
  const directories = agent?.options.directories
  return { cwd, workspace: agent?.session.header.cwd ?? cwd, ...(directories && { directories }), signal }
}

async function whyAsk(ctx: Context, config: FsPolicyConfig, path: string, { cwd, workspace, directories = [], signal }: FsPlace): Promise<string | undefined> {
  const real = async (each: string, lookalike = false): Promise<string> => (await ctx.fs.resolve(each, { cwd, signal, lookalike })).targetKey
  const roots = await Promise.all([workspace, ...directories, ...config.writable].map(async each => (await ctx.fs.resolve(each, { cwd: workspace, signal })).targetKey))
  const why = (target: string): string | undefined => whyProtected(target, roots) ?? ctx.root.bail('fs-policy/why-protected', target)
  // Some tools take a file whose name only looks like the one that was given.
  return whySensitive(resolve(cwd, path)) ?? why(await real(path)) ?? why(await real(path, true))
}
