/** The trust in the project at hand, loaded only where there is something to trust: most directories have no settings. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BootOptions } from '@deepseek-ai/dsh-composition'
import type { IsTrusted, Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { ProjectState, ProjectTrust } from '@deepseek-ai/dsh-project-tools'

/** The settings of the project in `cwd`. */
export function projectSettings(cwd: string): string {
  return join(cwd, '.dsh', 'settings.yml')
}

export class LazyTrust {
  /** The project's settings, which need not be there. */
  readonly settings: string
  private readonly cwd: string
  private readonly trustFile: string
  private loaded: { trust: ProjectTrust; tools: Pick<typeof import('@deepseek-ai/dsh-project-tools'), 'describeHeldBack' | 'describeState'> } | undefined

  constructor(cwd: string, trustFile: string) {
    this.cwd = cwd
    this.trustFile = trustFile
    this.settings = projectSettings(cwd)
  }

  /** To be called before every reading of the plan. Throws when the project is not as it was trusted any more. */
  async look(): Promise<void> {
    if (this.loaded) return this.loaded.trust.refresh()
    if (!existsSync(this.settings)) return
    const tools = await import('@deepseek-ai/dsh-project-tools')
    this.loaded = { trust: new tools.ProjectTrust(this.cwd, this.trustFile), tools }
  }

  /** How it stands now; undefined where there are no settings. */
  get project(): { kind: ProjectState['kind']; described: string } | undefined {
    if (!this.loaded) return undefined
    const { trust: { state }, tools } = this.loaded
    return { kind: state.kind, described: tools.describeState(state) }
  }

  /** What decides beside the settings themselves, to be watched with them. */
  files(): string[] {
    return this.loaded ? [this.trustFile] : []
  }

  readonly isTrusted: IsTrusted = (file, bytes) => this.loaded?.trust.isTrusted(file, bytes) ?? false

  readonly approve: NonNullable<BootOptions['approve']> = from => this.loaded?.trust.approve(from)

  heldBack(plan: Plan): string | undefined {
    return this.loaded?.tools.describeHeldBack(plan, this.loaded.trust.state)
  }
}
