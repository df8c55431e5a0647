/** `dsh sessions …` and `dsh replay`: reaches the store and does what was asked. */

import type { ExitCode } from '@deepseek-ai/dsh-front-door'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { deleteCommand, renameCommand } from './change-commands.ts'
import { exportCommand, showCommand } from './export-command.ts'
import { listCommand, searchCommand } from './list-command.ts'
import { openStore } from './open-store.ts'
import { repairCommand } from './repair-command.ts'
import type { SessionsCall, SessionTools } from './types.ts'

/** Throws what the store throws, `NO_STORE` and `USAGE`. Starts nothing but the store; `replay` starts the loop besides. */
export async function sessionsCommand(call: SessionsCall, tools: SessionTools): Promise<ExitCode> {
  await using store = await openStore(tools)
  return await dispatch(store.persistence, call, tools)
}

async function dispatch(persistence: SessionPersistence, call: SessionsCall, tools: SessionTools): Promise<ExitCode> {
  switch (call.verb) {
    case 'list':
      return await listCommand(persistence, call, tools)
    case 'show':
      return await showCommand(persistence, call, tools)
    case 'export':
      return await exportCommand(persistence, call, tools)
    case 'delete':
      return await deleteCommand(persistence, call, tools)
    case 'rename':
      return await renameCommand(persistence, call, tools)
    case 'search':
      return await searchCommand(persistence, call, tools)
    case 'repair':
      return await repairCommand(persistence, call, tools)
    case 'replay':
      return await (await import('./replay-command.ts')).replayCommand(persistence, call, tools)
  }
}
