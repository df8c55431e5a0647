/** What the commands about a project work with. Types only. */

import type { IsTrusted, Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { Terminal } from '@deepseek-ai/dsh-front-door'

export interface TrustTools {
  terminal: Terminal
  /** Absolute: the record of what is trusted. */
  trustFile: string
  /** JSON instead of words. */
  json: boolean
  /** The plan of a project as it would be if `trusted` answered so; throws what reading it throws. */
  readProject(project: string, trusted: IsTrusted): Promise<Plan>
}
