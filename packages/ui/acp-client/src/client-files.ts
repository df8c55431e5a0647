/** Files through the editor, where it offers that: what it has not saved counts, and it sees what is written. */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from 'cordis'
import { describeError } from '@deepseek-ai/dsh-errors'
import { FsError, type FsTarget } from '@deepseek-ai/dsh-fs'
import type {} from '@deepseek-ai/dsh-tools'
import type { ClientOffers } from './client-offers.ts'
import type { Client } from './client.ts'

export interface ClientFilesOptions {
  client: Client
  offers(): ClientOffers
  /** Whether the session belongs to this connection. */
  isOurs(sessionId: string): boolean
  timeoutMs: number
}

/** Answers what `ctx.fs` asks about unsaved text, for calls of our sessions alone. */
export function serveClientFiles(ctx: Context, { client, offers, isOurs, timeoutMs }: ClientFilesOptions): void {
  // A file system is asked by whatever tool: whose call it serves is known from where it was called.
  const caller = new AsyncLocalStorage<string>()
  ctx.on('tools/execute', async (call, _tool, next) => {
    const sessionId = call.agent?.session.id
    return sessionId !== undefined && isOurs(sessionId) ? await caller.run(sessionId, next) : await next()
  })
  ctx.on('fs/buffer', async (target, signal) => {
    const sessionId = caller.getStore()
    if (sessionId === undefined || !offers().readsFiles) return undefined
    try {
      const answer: { content?: unknown } | null = await client.request('fs/read_text_file', { sessionId, path: target.targetKey }, within(signal, timeoutMs))
      if (typeof answer?.content === 'string') return answer.content
      ctx.logger.warn('the editor answers without text about %s, so it is read here', target.displayPath)
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      if (isTimeout(error)) throw unanswered(target, timeoutMs)
      // The editor does not know the file: then it holds nothing of it either.
      ctx.logger.debug('the editor cannot read %s: %s', target.displayPath, describeError(error))
      return undefined
    }
  })
  ctx.on('fs/save', async (target, content, signal) => {
    const sessionId = caller.getStore()
    if (sessionId === undefined || !offers().writesFiles) return undefined
    try {
      await client.request('fs/write_text_file', { sessionId, path: target.targetKey, content }, within(signal, timeoutMs))
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (isTimeout(error)) throw unanswered(target, timeoutMs)
      ctx.logger.debug('the editor cannot write %s, so it is written here: %s', target.displayPath, describeError(error))
      return undefined
    }
  })
}

function within(signal: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function unanswered({ displayPath }: FsTarget, timeoutMs: number): FsError {
  return new FsError('FS_IO_ERROR', `the editor did not answer about ${displayPath} within ${timeoutMs / 1000} s`)
}
