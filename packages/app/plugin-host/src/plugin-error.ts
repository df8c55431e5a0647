/** Why a plugin could not be had. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

/**
 * `unknown-plugin`: a name that is close to a built-in one. `missing-plugin`:
 * no such file or package. `plugin-import`: its module did not load.
 * `plugin-shape`: its module is no plugin, or two. `duplicate-framework`: it
 * brings a copy of the framework of its own.
 */
export type PluginErrorCode = 'duplicate-framework' | 'missing-plugin' | 'plugin-import' | 'plugin-shape' | 'unknown-plugin'

export class PluginError extends HarnessError {
  declare readonly code: PluginErrorCode

  constructor(code: PluginErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}
