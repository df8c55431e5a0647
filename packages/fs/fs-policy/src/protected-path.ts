/** Says which paths must not be written without a question: outside the workspace, or where a write makes something run later. Pure. */

import { isAbsolute, relative, sep } from 'node:path'

const SHELL_FILES: ReadonlySet<string> = new Set([
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login', '.xprofile', '.xsessionrc'],
  ...['config.fish', '.inputrc', '.gitconfig'],
])

/**
 * Why writing to `path` needs a permission; undefined when it does not. Both
 * arguments are absolute and real. Names are compared without case, and
 * without the characters that some filesystems ignore.
 */
export function whyProtected(path: string, roots: readonly string[]): string | undefined {
  if (!roots.some(root => isInside(path, root))) return 'it is outside the workspace'
  return whySensitive(path)
}

/** The part that does not depend on the workspace; for the path as it was written, too, before links were followed. */
export function whySensitive(path: string): string | undefined {
  const parts = path.split(sep).map(foldName).filter(part => part !== '')
  const name = parts.at(-1) ?? ''
  if (SHELL_FILES.has(name)) return `${name} is run by shells or other programs when they start`
  if (parts.includes('.dsh')) return 'it configures dsh itself'
  if (parts.includes('.ssh')) return 'it belongs to ssh'
  const git = parts.lastIndexOf('.git')
  if (git < 0) return undefined
  const inGit = parts.slice(git + 1)
  if (inGit.length === 0) return 'it tells git where its repository is'
  if (inGit.includes('hooks')) return 'git runs the programs in its hooks directory'
  return name.startsWith('config') || inGit.includes('info') ? 'it configures git, which can make it run programs' : undefined
}

export function isInside(path: string, root: string): boolean {
  const inside = relative(root, path)
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))
}

function foldName(name: string): string {
  return name.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '').toLowerCase()
}
