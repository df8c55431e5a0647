/** Watches the files of a running composition and applies what was edited; never writes any of them. */

import { watch as watchFolder, type FSWatcher } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { CompositionError, type Plan } from '@deepseek-ai/dsh-composition-yaml'
import { describeError } from '@deepseek-ai/dsh-errors'
import { editedRows, sourceOf } from './edited-rows.ts'
import type { ApplyReport, Running } from './running.ts'

export interface WatchOptions {
  /** Reads the plan again; what it throws is reported and changes nothing. */
  readPlan: () => Promise<Plan>
  /** Called with the ids of the rows that an edit changes: it is applied when that settles, as the files are then. Must settle when `signal` is aborted; a rejection refuses the edit. */
  beforeApply?: (rows: readonly string[], signal: AbortSignal) => Promise<void>
  /** Called after every attempt. Must not throw. */
  onReload?: (report: ReloadReport) => void
  /** Edits within this time are one. Default 80. */
  debounceMs?: number
}

export type ReloadReport =
  | ({ kind: 'applied' } & ApplyReport)
  /** The old composition runs on. */
  | { kind: 'refused'; error: unknown }

interface WatchedFolder {
  /** Another folder may come to have its name. */
  ino: number
  watcher: FSWatcher
}

export interface Watching {
  close: () => Promise<void>
}

const DEBOUNCE_MS = 80

/**
 * Applies edits of the composition, of settings, and of third-party sources.
 *
 * A refused edit is logged and leaves everything as it was; the next edit is
 * tried again. Settles once the files are watched. Goes with the root, or earlier
 * by `close`.
 */
export async function watch(running: Running, options: WatchOptions): Promise<Watching> {
  const watcher = new CompositionWatcher(running, options)
  await watcher.open()
  const dispose = running.root.effect(() => () => watcher.close(), 'composition.watch()')
  return { close: async () => void (await dispose()) }
}

class CompositionWatcher {
  private readonly running: Running
  private readonly options: WatchOptions
  private readonly folders = new Map<string, WatchedFolder>()
  /** File → what was last seen in it; undefined when it was not there. Texts, since hashing costs the start more than they cost memory. */
  private readonly seen = new Map<string, string | undefined>()
  /** Edits that are not in force: seen, and refused so far. */
  private readonly pending = new Set<string>()
  private timer: NodeJS.Timeout | undefined
  private working: Promise<void> | undefined
  private again = false
  /** An edit is to be read anew, though no file has changed since. */
  private isDue = false
  private readonly life = new AbortController()

  constructor(running: Running, options: WatchOptions) {
    this.running = running
    this.options = options
  }

  async open(): Promise<void> {
    await this.refresh(this.running.plan.files)
  }

  async close(): Promise<void> {
    this.life.abort(new Error('the files are not watched any more'))
    clearTimeout(this.timer)
    for (const { watcher } of this.folders.values()) watcher.close()
    this.folders.clear()
    await this.working
  }

  private schedule(): void {
    if (this.life.signal.aborted) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.work(), this.options.debounceMs ?? DEBOUNCE_MS)
    this.timer.unref()
  }

  private work(): void {
    this.again = true
    this.working ??= this.drain().finally(() => {
      this.working = undefined
    })
  }

  private async drain(): Promise<void> {
    while (this.again && !this.life.signal.aborted) {
      this.again = false
      const changed = await this.changedFiles()
      for (const file of changed) this.pending.add(file)
      const isDue = this.isDue || changed.length > 0
      this.isDue = false
      if (isDue) await this.reload([...this.pending])
      this.again ||= this.isDue
      // A folder that has only just come may have got its files before it was watched.
      if (!this.life.signal.aborted && (await this.watchFolders())) this.again = true
    }
  }

  private async reload(changed: readonly string[]): Promise<void> {
    const { running, options, life: { signal } } = this
    let files = running.plan.files
    let report: ReloadReport
    try {
      const isPlan = changed.some(file => running.plan.files.includes(file))
      const plan = isPlan ? await options.readPlan() : running.plan
      files = [...new Set([...files, ...plan.files])]
      // From here on: what is edited while this edit waits, or is carried out, is another edit.
      await this.learn([...plan.files, ...plan.rows.map(sourceOf).filter(isAbsolute)])
      await options.beforeApply?.(editedRows(running.plan, plan, changed), signal)
      if (await this.isOutdated()) return
      report = { kind: 'applied', ...(await running.apply(plan, { changedSources: changed })) }
      files = plan.files
      this.pending.clear()
    } catch (error) {
      if (signal.aborted) return
      report = { kind: 'refused', error }
      // What was refused may have brought in a file that is then mended.
      if (error instanceof CompositionError) files = [...new Set([...files, ...error.files])]
      running.root.logger('reload').warn('the edit is not applied: %s', describeError(error))
    }
    if (!signal.aborted) await this.refresh(files)
    options.onReload?.(report)
  }

  /** While an edit waited there was another one, or the end: then it is not applied as it was read. */
  private async isOutdated(): Promise<boolean> {
    if (this.life.signal.aborted) return true
    const more = await this.changedFiles()
    for (const file of more) this.pending.add(file)
    this.isDue ||= more.length > 0
    return more.length > 0
  }

  /** Takes the state of files that are new for granted. */
  private async learn(files: Iterable<string>): Promise<void> {
    for (const file of files) {
      if (!this.seen.has(file)) this.seen.set(file, await readText(file))
    }
  }

  /** Watches all files that matter now; takes the state of new ones for granted. */
  private async refresh(planFiles: readonly string[]): Promise<void> {
    const files = new Set([...planFiles, ...this.running.sources()])
    await this.learn(files)
    for (const file of this.seen.keys()) {
      if (!files.has(file)) this.seen.delete(file)
    }
    await this.watchFolders()
  }

  /** Watches the folders where the files lie or would lie, as they are now; whether there are new ones among them. */
  private async watchFolders(): Promise<boolean> {
    const found = await Promise.all([...this.seen.keys()].map(nearestFolder))
    const inodes = new Map(found.map(({ folder, ino }) => [folder, ino]))
    for (const [folder, { ino, watcher }] of this.folders) {
      if (inodes.get(folder) === ino) continue
      watcher.close()
      this.folders.delete(folder)
    }
    const fresh = [...inodes].filter(([folder]) => !this.folders.has(folder))
    return fresh.map(([folder, ino]) => this.watchFolder(folder, ino)).includes(true)
  }

  /** False when it cannot be watched. */
  private watchFolder(folder: string, ino: number): boolean {
    if (this.life.signal.aborted) return false
    const lost = (error: unknown): void => this.running.root.logger('reload').warn('%s is not watched: %s', folder, describeError(error))
    try {
      const watcher = watchFolder(folder, { persistent: false }, () => this.schedule())
      watcher.on('error', error => {
        lost(error)
        watcher.close()
        this.folders.delete(folder)
      })
      this.folders.set(folder, { ino, watcher })
      return true
    } catch (error) {
      lost(error)
      return false
    }
  }

  private async changedFiles(): Promise<string[]> {
    const changed: string[] = []
    for (const [file, before] of this.seen) {
      const now = await readText(file)
      if (now === before) continue
      this.seen.set(file, now)
      changed.push(file)
    }
    return changed
  }
}

/** Undefined for a file that is not there, is none, or cannot be read now; reading the plan will say more. */
async function readText(file: string): Promise<string | undefined> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error || !found.isFile()) return undefined
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  return text instanceof Error ? undefined : text
}

/** The folder of the file, or the nearest one above it that exists. */
async function nearestFolder(file: string): Promise<{ folder: string; ino: number }> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
    const isThere = !(found instanceof Error) && found.isDirectory()
    if (isThere || dirname(folder) === folder) return { folder, ino: isThere ? found.ino : 0 }
  }
}
