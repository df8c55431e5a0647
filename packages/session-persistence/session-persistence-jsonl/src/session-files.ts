/** Finds sessions on disk. */

import { access, chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '@deepseek-ai/dsh-session'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { idOf, isSafeId, LOG, projectName, sessionsFolder } from './layout.ts'

export interface SessionFile {
  id: SessionId
  /** The project's folder. */
  folder: string
}

/** Every log there is, or those of one project. A folder that cannot be read holds none. */
export async function listFiles(root: string, cwd?: string): Promise<SessionFile[]> {
  const home = sessionsFolder(root)
  const projects = cwd === undefined ? await names(home) : [await projectName(cwd)]
  const lists = await Promise.all(projects.map(async project => {
    const folder = join(home, project)
    return (await names(folder)).flatMap(name => {
      const id = idOf(name)
      return id === undefined ? [] : [{ id, folder }]
    })
  }))
  return lists.flat()
}

/** Throws `SESSION_NOT_FOUND`. */
export async function locate(root: string, id: SessionId): Promise<SessionFile> {
  if (isSafeId(id)) {
    const home = sessionsFolder(root)
    for (const project of await names(home)) {
      const folder = join(home, project)
      if (await exists(join(folder, id + LOG))) return { id, folder }
    }
  }
  throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id.slice(0, 80))}`)
}

/** The id that `prefix` names, whole or by its first characters. Throws `SESSION_NOT_FOUND` or `SESSION_AMBIGUOUS`. */
export async function findByPrefix(root: string, prefix: string): Promise<SessionId> {
  if (!isSafeId(prefix)) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(prefix.slice(0, 80))}`)
  const ids = (await listFiles(root)).map(({ id }) => id).filter(id => id.startsWith(prefix))
  if (ids.includes(prefix)) return prefix
  const [id] = ids
  if (id === undefined) throw new PersistenceError('SESSION_NOT_FOUND', `there is no session whose id begins with ${prefix}`)
  if (ids.length > 1) throw new PersistenceError('SESSION_AMBIGUOUS', `${ids.length} sessions begin with ${prefix}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}; give more of the id`)
  return id
}

/** Makes the folder of a project, private; one that is open to others is closed to them. */
export async function openProject(root: string, cwd: string | undefined): Promise<string> {
  const folder = join(sessionsFolder(root), await projectName(cwd))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const each of [sessionsFolder(root), folder]) {
    const { mode } = await stat(each)
    if ((mode & 0o077) !== 0) await chmod(each, 0o700)
  }
  return folder
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false)
}
