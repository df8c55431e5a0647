/** The environments that tasks run in. */
import { delimiter, dirname, join, resolve } from 'node:path'

/** What npm adds for the script it runs; a program that runs other people's commands must not pass it on. */
const ADDED_BY_NPM = /^(npm_.*|INIT_CWD|NODE|COLOR)$/i

/** The directory the user is in: npm changes to the package's own and says where it came from. */
export function callerFolder(env, root) {
  const byOurNpm = env.npm_package_json && resolve(env.npm_package_json) === resolve(root, 'package.json')
  return byOurNpm && env.INIT_CWD ? env.INIT_CWD : process.cwd()
}

/** The user's own environment, as it was before `npm start`; unchanged when npm did not start us. */
export function userEnvironment(env, root) {
  if (!env.npm_lifecycle_event) return { ...env }
  const kept = Object.entries(env).filter(([name]) => !ADDED_BY_NPM.test(name))
  return { ...Object.fromEntries(kept), PATH: withoutNpmFolders(env.PATH ?? '', root) }
}

/** npm puts `node_modules/.bin` of the package and of every folder above it in front, then its own `node-gyp-bin`. */
function withoutNpmFolders(path, root) {
  const added = new Set()
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    added.add(join(folder, 'node_modules', '.bin'))
    if (folder === dirname(folder)) break
  }
  const folders = path.split(delimiter)
  let first = 0
  while (first < folders.length && (added.has(folders[first]) || folders[first].endsWith('node-gyp-bin'))) first += 1
  return folders.slice(first).join(delimiter)
}

/** The environment of our own tools: the pinned Node and pnpm and the workspace's commands come first. */
export function toolEnvironment(env, root, folders) {
  const path = [...folders, join(root, 'node_modules/.bin'), env.PATH].filter(Boolean).join(delimiter)
  return { ...env, PATH: path }
}

/** The environment of a set-up phase: a production setting must not leave out what development needs. */
export function setupEnvironment(env, root, folders) {
  const { NODE_ENV: _, ...rest } = toolEnvironment(env, root, folders)
  return rest
}
