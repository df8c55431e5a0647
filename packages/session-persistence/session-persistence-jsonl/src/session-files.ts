/** Finds sessions on disk. */

import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionId } from '@deepseek-ai/dsh-session'
import { PersistenceError, projectName } from '@deepseek-ai/dsh-session-persistence'
import { asFailure } from './failures.ts'
import { idOf, isSafeId, LOG, sessionsFolder } from './layout.ts'

export interface SessionFile {
  id: SessionId
  /** The project's folder. */
  folder: string
  /** What lay in it a moment ago, where that is known. */
  names?: ReadonlySet<string>
}

/** Every log there is, or those of one project. Among others, a project's folder that cannot be read holds none. Throws `STORE_FAILED`. */
export function listFiles(root: string, cwd?: string): SessionFile[] {
  const home = sessionsFolder(root)
  const projects = cwd === undefined ? mustRead(home) : [projectName(cwd)]
  return projects.flatMap(project => {
    const folder = join(home, project)
    const names = new Set(cwd === undefined ? mayRead(folder) : mustRead(folder))
    return [...names].flatMap(name => {
      const id = idOf(name)
      return id === undefined ? [] : [{ id, folder, names }]
    })
  })
}

/** Looks into every project's folder, not through it: the cost does not grow with the sessions. Throws `STORE_FAILED`. */
export function lookUp(root: string, id: SessionId, ending = LOG): SessionFile | undefined {
  if (!isSafeId(id)) return undefined
  const home = sessionsFolder(root)
  const folder = mustRead(home).map(project => join(home, project)).find(each => existsSync(join(each, id + ending)))
  return folder === undefined ? undefined : { id, folder }
}

/** The same for a file that has to be there. Throws `SESSION_NOT_FOUND`. */
export function locate(root: string, id: SessionId, ending = LOG): SessionFile {
  const found = lookUp(root, id, ending)
  if (found) return found
  throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id.slice(0, 80))}`)
}

/** The id that `prefix` names, whole or by its first characters. Throws `SESSION_NOT_FOUND` or `SESSION_AMBIGUOUS`. */
export function findByPrefix(root: string, prefix: string): SessionId {
  if (!isSafeId(prefix)) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(prefix.slice(0, 80))}`)
  const ids = listFiles(root).map(({ id }) => id).filter(id => id.startsWith(prefix))
  if (ids.includes(prefix)) return prefix
  const [id] = ids
  if (id === undefined) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session whose id begins with ${prefix}`)
  if (ids.length > 1) throw new PersistenceError('SESSION_AMBIGUOUS', `${ids.length} sessions begin with ${prefix}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}; give more of the id`)
  return id
}

/** Makes the folder of a project, private; one that is open to others is closed to them. */
export function openProject(root: string, cwd: string | undefined): string {
  const folder = join(sessionsFolder(root), projectName(cwd))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const each of [sessionsFolder(root), folder]) {
    const { mode } = statSync(each)
    if ((mode & 0o077) !== 0) chmodSync(each, 0o700)
  }
  return folder
}

/** None where there is no such folder, or it may not be read. */
function mayRead(folder: string): string[] {
  try {
    return mustRead(folder)
  } catch (error) {
    if (error instanceof PersistenceError) return []
    throw error
  }
}

/** None where there is no such folder: that nothing can be read must not pass for nothing being there. */
function mustRead(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw asFailure(error, `read ${folder}`)
  }
}
