/** Whether what a project brings may take effect, asked while it is read and loaded: with the very bytes that are used. */

import { join, sep } from 'node:path'
import type { IsTrusted, Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { PluginHostOptions } from '@deepseek-ai/dsh-plugin-host'
import { plural } from '@deepseek-ai/dsh-text'
import { TrustError } from './errors.ts'
import { digestOf, FOLDER, realPathIfThere } from './fingerprint.ts'
import { describeChanges, judgeProject, type ProjectState } from './judge-project.ts'

/** The trust in one project, for as long as a composition of it runs. */
export class ProjectTrust {
  state: ProjectState
  private readonly project: string
  private readonly trustFile: string
  /** `.dsh/`, of which every file is fingerprinted, packages too. */
  private readonly folder: string
  /** Real paths of the project's files that rows may come from. */
  private readonly sources = new Set<string>()

  /** `project` must be there. */
  constructor(project: string, trustFile: string) {
    this.project = realPathIfThere(project) ?? project
    this.trustFile = trustFile
    this.folder = realPathIfThere(join(this.project, FOLDER)) ?? join(this.project, FOLDER)
    this.state = judgeProject(this.project, trustFile)
  }

  /**
   * Looks again. Throws `NOT_AS_TRUSTED` when what was trusted has been changed
   * since: what was loaded before then goes on, and nothing new is taken.
   */
  refresh(): void {
    const before = this.state
    const now = judgeProject(this.project, this.trustFile)
    if (before.kind === 'trusted' && now.kind === 'changed') throw new TrustError('NOT_AS_TRUSTED', `the project changed since you trusted it (${describeChanges(now.changes)}); what was loaded before goes on, and dsh trust lets the change take effect`)
    this.state = now
  }

  /** For `PlanOptions.trusted`. */
  readonly isTrusted: IsTrusted = (file, bytes) => {
    const path = realPathIfThere(file) ?? file
    this.sources.add(path)
    return this.state.kind === 'trusted' && this.state.digests.get(path) === digestOf(bytes)
  }

  /** For `PluginHostOptions.approve`: plugins that the project names run as they were trusted, or not at all. Packages are trusted by their name. */
  readonly approve: NonNullable<PluginHostOptions['approve']> = from =>
    this.sources.has(realPathIfThere(from) ?? from) ? (file, bytes) => this.judge(file, bytes) : undefined

  private judge(file: string, bytes: Uint8Array): void {
    const path = realPathIfThere(file) ?? file
    const expected = this.state.kind === 'trusted' ? this.state.digests.get(path) : undefined
    if (expected === digestOf(bytes)) return
    if (expected === undefined && isInPackage(path) && !path.startsWith(this.folder + sep)) return
    throw new TrustError('NOT_AS_TRUSTED', expected === undefined ? `${file} is not among the files of the project that you trusted; dsh trust shows them` : `${file} changed since you trusted the project; dsh trust shows it`)
  }
}

/** What a run says of settings that do not apply; undefined when all do. Pure. */
export function describeHeldBack({ untrusted }: Pick<Plan, 'untrusted'>, state: ProjectState): string | undefined {
  if (untrusted.length === 0) return undefined
  return `${plural(untrusted.length, 'setting')} of this project not applied, because ${describeState(state)}: ${untrusted.map(({ setting }) => setting).join(', ')} (dsh trust shows them and asks)`
}

/** `the project is not trusted`, and the like. Pure. */
export function describeState(state: ProjectState): string {
  switch (state.kind) {
    case 'trusted':
      return 'the project is trusted'
    case 'untrusted':
      return 'the project is not trusted'
    case 'changed':
      return `the project changed since you trusted it (${describeChanges(state.changes)})`
    case 'unknown':
      return state.problem
  }
}

function isInPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path)
}
