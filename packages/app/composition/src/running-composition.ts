/** The composition that runs: mounts plans as transactions and knows the state of every row. */

import { isDeepStrictEqual } from 'node:util'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { EntryOptions } from '@cordisjs/loader'
import { auditRows, RowLoader, type RowLoaderOptions } from '@cordisjs/loader/host'
import type { Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { PluginHost } from '@deepseek-ai/dsh-plugin-host'
import type { Context, Fiber, Plugin } from 'cordis'
import { diagnose, diagnoseFailure } from './diagnose.ts'
import { whereIs } from './explain.ts'
import { prepareRows, type Prepared } from './prepare-rows.ts'
import { BootError, type RowProblem } from './row-problem.ts'
import type { ApplyOptions, ApplyReport, BootOptions, RowStatus, Running } from './running.ts'
import { inFlight, settle } from './settle.ts'
import { Specifiers } from './specifiers.ts'

const START_TIMEOUT_MS = 10_000
const GRACE_MS = 1_000
const DISPOSE_TIMEOUT_MS = 5_000
const POLL_MS = 10

/** Of `FiberState`; the enum has no value at run time. */
const ACTIVE = 2
const FAILED = 3

const EMPTY: Plan = { rows: [], untrusted: [], trusted: [], files: [] }

type Failures = Map<string, unknown>

export class RunningComposition implements Running {
  readonly root: Context
  readonly host: PluginHost
  plan = EMPTY
  private readonly options: BootOptions
  private readonly timeoutMs: number
  private specifiers: Specifiers
  private entries: EntryOptions[] = []
  /** Why rows are not mounted, of the plan in force. */
  private failures: Failures = new Map()
  /** Where the loader's complaints go: those of the attempt that is going on. */
  private attempt: { failures: Failures; bears: (id: string) => boolean } | undefined
  /** What was in flight before the attempt began: plugins that did not end starting in time. */
  private stuck: ReadonlySet<Fiber> = new Set()
  private queue: Promise<unknown> = Promise.resolve()
  private disposing: Promise<void> | undefined

  constructor(root: Context, host: PluginHost, options: BootOptions) {
    this.root = root
    this.host = host
    this.options = options
    this.timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS
    this.specifiers = new Specifiers(host)
    root.on('loader/where', (plugin, path) => whereIs(root, this.plan.rows, { plugin, path }))
  }

  /** The first plan. Rejects with a `BootError` and leaves the clearing up to the caller. */
  async start(plan: Plan): Promise<void> {
    await this.root.plugin(RowLoader as unknown as Plugin, {
      load: specifier => this.host.load(specifier),
      bears: (row, error) => this.bear(row, error),
      startTimeoutMs: this.timeoutMs,
    } satisfies RowLoaderOptions)
    const prepared = await this.prepare(plan, this.specifiers)
    const refused = [...prepared.problems.values()].flat().filter(problem => this.isFatal(plan, problem))
    if (refused.length > 0) throw new BootError('boot-failed', refused)
    this.plan = plan
    this.entries = prepared.entries
    this.failures = failuresOf(prepared)
    this.attempt = { failures: this.failures, bears: () => true }
    const end = steadyMs() + this.timeoutMs
    await this.root.loader.root.update(prepared.entries)
    this.attempt = undefined
    const problems = await this.settleRequired(end)
    if (problems.length > 0) throw new BootError('boot-failed', this.withCauses(problems))
  }

  status(): RowStatus[] {
    return this.statusOf(this.plan, this.failures)
  }

  isWell(): boolean {
    if (this.failures.size > 0) return false
    for (const runtime of this.root.registry.values()) {
      for (const fiber of runtime.fibers) if ((fiber.state as number) !== ACTIVE) return false
    }
    const active = this.activeRows()
    return this.plan.rows.every(row => (row.disabled ? !row.required : active.has(row.id)))
  }

  apply(plan: Plan, options: ApplyOptions = {}): Promise<ApplyReport> {
    const applied = this.queue.then(() => this.applyNow(plan, options))
    this.queue = Promise.allSettled([applied])
    return applied
  }

  sources(): string[] {
    const files = new Set<string>()
    for (const { name, position, disabled } of this.plan.rows) {
      if (disabled || this.host.isBuiltin(name)) continue
      // A file that is not there yet is looked out for, too.
      if (name.startsWith('.')) files.add(resolve(dirname(position.file), name))
      else if (isAbsolute(name)) files.add(name)
    }
    for (const file of this.specifiers.sources()) files.add(file)
    return [...files]
  }

  dispose(): Promise<void> {
    this.disposing ??= this.disposeNow()
    return this.disposing
  }

  private async disposeNow(): Promise<void> {
    const over = Promise.withResolvers<void>()
    const timer = setTimeout(over.resolve, this.options.disposeTimeoutMs ?? DISPOSE_TIMEOUT_MS)
    try {
      await Promise.race([this.root.fiber.dispose(), over.promise])
    } finally {
      clearTimeout(timer)
      this.host.dispose()
    }
  }

  private prepare(plan: Plan, specifiers: Specifiers): Promise<Prepared> {
    return prepareRows(plan, { host: this.host, specify: row => specifiers.of(row), timeoutMs: this.timeoutMs })
  }

  private async applyNow(plan: Plan, { changedSources = [] }: ApplyOptions): Promise<ApplyReport> {
    const before = new Map(this.status().map(status => [status.id, status]))
    const failed = [...before.values()].filter(status => status.state === 'failed').map(status => status.row)
    this.stuck = inFlight(this.root)
    const specifiers = this.specifiers.next(new Set(changedSources), failed)
    const prepared = await this.prepare(plan, specifiers)
    const refused = [...prepared.problems.values()].flat().filter(problem => this.isFatal(plan, problem) || before.get(problem.row)?.state === 'active')
    if (refused.length > 0) {
      specifiers.abandon()
      throw new BootError('reload-refused', refused)
    }
    const old = { plan: this.plan, failures: this.failures, entries: this.entries }
    try {
      await this.swap(plan, prepared, before)
    } catch (error) {
      await this.rollBack(old)
      specifiers.abandon()
      throw error
    }
    this.entries = prepared.entries
    this.specifiers = specifiers
    specifiers.commit()
    const problems = this.status().flatMap(status => status.problem ?? [])
    return { changed: changedRows(old.entries, prepared.entries), problems }
  }

  /** Mounts the new entries; throws a `BootError` when that, or what came of it, is worse than before. */
  private async swap(plan: Plan, prepared: Prepared, before: ReadonlyMap<string, RowStatus>): Promise<void> {
    const required = new Set(plan.rows.filter(row => row.required).map(row => row.id))
    const failures = failuresOf(prepared)
    this.attempt = { failures, bears: id => !required.has(id) }
    const end = steadyMs() + this.timeoutMs
    try {
      await this.root.loader.root.update(prepared.entries)
    } catch (error) {
      const problems = plan.rows.flatMap(row => (failures.has(row.id) && !prepared.problems.has(row.id) ? [diagnoseFailure(row, failures.get(row.id))] : []))
      throw problems.length > 0 ? new BootError('reload-refused', problems) : error
    } finally {
      this.attempt = undefined
    }
    this.plan = plan
    this.failures = failures
    const worse = (await this.settleRequired(end)).filter(({ row, message }) => before.get(row)?.problem?.message !== message)
    const ill = this.status().filter(({ id, state }) => before.get(id)?.state === 'active' && (state === 'failed' || state === 'starting'))
    const problems = new Map([...worse, ...ill.flatMap(status => status.problem ?? [])].map(problem => [problem.row, problem]))
    if (problems.size > 0) throw new BootError('reload-refused', [...problems.values()])
  }

  /** The group has rolled itself back when its own update failed; then this changes nothing. */
  private async rollBack(old: { plan: Plan; failures: Failures; entries: EntryOptions[] }): Promise<void> {
    this.attempt = { failures: new Map(), bears: () => true }
    try {
      await this.root.loader.root.update(old.entries)
      await settle(this.root, this.timeoutMs, this.stuck)
    } finally {
      // What could not be brought back is a failed row of the old plan, and shows as one.
      this.failures = new Map([...old.failures, ...this.attempt.failures])
      this.plan = old.plan
      this.attempt = undefined
    }
  }

  private bear(row: EntryOptions, error: unknown): boolean {
    if (this.attempt === undefined) return false
    const { failures, bears } = this.attempt
    if (!failures.has(row.id)) failures.set(row.id, error)
    return bears(row.id)
  }

  /** Waits until everything is quiet, and a little longer for required rows that wait for a service. */
  private async settleRequired(deadline: number): Promise<RowProblem[]> {
    const end = steadyMs() + (this.options.graceMs ?? GRACE_MS)
    for (;;) {
      await settle(this.root, Math.max(0, deadline - steadyMs()), this.stuck)
      if (this.requiredAreActive()) return []
      const ill = this.status().filter(({ row, problem }) => row.required && problem !== undefined)
      const mayCome = ill.length > 0 && ill.every(({ state, cycle }) => state === 'waiting' && cycle === undefined)
      if (!mayCome || steadyMs() >= end) return distinctCycles(ill.flatMap(status => status.problem ?? []))
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
  }

  /** Whether nothing failed and every required row is active: the short way, since a full audit costs milliseconds. */
  private requiredAreActive(): boolean {
    for (const runtime of this.root.registry.values()) {
      for (const fiber of runtime.fibers) {
        if ((fiber.state as number) === FAILED) return false
      }
    }
    const active = this.activeRows()
    return this.plan.rows.every(row => !row.required || active.has(row.id))
  }

  private activeRows(): Set<string> {
    const active = new Set<string>()
    for (const { options, fiber } of this.root.loader.entries()) {
      if ((fiber?.state as number | undefined) === ACTIVE) active.add(options.id)
    }
    return active
  }

  /** A row that waits may do so because an optional one failed: those are told, too. */
  private withCauses(problems: RowProblem[]): RowProblem[] {
    if (!problems.some(problem => problem.code === 'unmet-inject')) return problems
    const told = new Set(problems.map(problem => problem.row))
    return [...problems, ...this.status().flatMap(({ id, state, problem }) => (state === 'failed' && problem !== undefined && !told.has(id) ? [problem] : []))]
  }

  private statusOf(plan: Plan, failures: Failures): RowStatus[] {
    const rows = new Map(plan.rows.map(row => [row.id, row]))
    const reports = auditRows(this.root, plan.rows.map(({ id, name, disabled }) => ({ id, name, disabled })), failures)
    const context = { rows, reports: new Map(reports.map(report => [report.id, report])), providers: this.options.providers ?? {} }
    return plan.rows.flatMap((row, index) => {
      const report = reports[index]
      if (report === undefined) return []
      const problem = diagnose(report, context)
      return [problem === undefined ? { ...report, row } : { ...report, row, problem }]
    })
  }

  /** A wrong config of a built-in row is the user's mistake and told at once; a third-party plugin may have changed under them. */
  private isFatal(plan: Plan, problem: RowProblem): boolean {
    const row = plan.rows.find(({ id }) => id === problem.row)
    if (row === undefined) return false
    return row.required || (this.host.isBuiltin(row.name) && (problem.code === 'unknown-key' || problem.code === 'bad-value'))
  }
}

function failuresOf(prepared: Prepared): Failures {
  return new Map([...prepared.problems].map(([id, problems]) => [id, problems[0]]))
}

/** Every row on a cycle reports the same cycle; one report is enough. */
function distinctCycles(problems: readonly RowProblem[]): RowProblem[] {
  const seen = new Set<string>()
  return problems.filter(problem => {
    if (problem.code !== 'inject-cycle') return true
    const key = [...new Set(problem.message.match(/"[^"]+"/g))].toSorted().join()
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

function changedRows(before: readonly EntryOptions[], after: readonly EntryOptions[]): string[] {
  const old = new Map(before.map(entry => [entry.id, entry]))
  const changed = after.filter(entry => !isDeepStrictEqual(entry, old.get(entry.id))).map(entry => entry.id)
  const present = new Set(after.map(entry => entry.id))
  return [...changed, ...before.map(entry => entry.id).filter(id => !present.has(id))]
}


/** A clock that is never set; `performance` would be loaded for it, a millisecond of every start. */
function steadyMs(): number {
  return process.uptime() * 1000
}
