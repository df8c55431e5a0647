/** Boots a plan: root context, loader, rows, and the verdict over all of them. */

import { pathToFileURL } from 'node:url'
import type { Plan } from '@deepseek-ai/dsh-composition-yaml'
import { createRoot } from 'cordis/host'
import { PluginHost } from '@deepseek-ai/dsh-plugin-host'
import { RunningComposition } from './running-composition.ts'
import type { BootOptions, Running } from './running.ts'

/**
 * Starts the rows of `plan`.
 *
 * Rejects with a `BootError` that lists every problem when a required row is not
 * active once everything has settled, or when the config of a built-in row is
 * wrong; nothing is left running then. An optional row that fails or waits is a
 * state of the result, see `Running.status`. Writes no file.
 */
export async function boot(plan: Plan, options: BootOptions): Promise<Running> {
  const root = createRoot()
  const composition = plan.files[0]
  if (composition !== undefined) root.baseUrl = pathToFileURL(composition).href
  options.prepare?.(root)
  const host = new PluginHost({ ...options, roots: [...(options.roots ?? []), import.meta.url] })
  const running = new RunningComposition(root, host, options)
  try {
    await running.start(plan)
    return running
  } catch (error) {
    await running.dispose()
    throw error
  }
}
