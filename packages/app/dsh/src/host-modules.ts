/** The host's packages as the bundle holds them; nothing when the sources run, where Node resolves them by itself. */

import type { BootOptions } from '@deepseek-ai/dsh-composition'

export async function hostModules(): Promise<Pick<BootOptions, 'hostModules'>> {
  if (!globalThis.DSH_BUNDLED) return {}
  const { hostModules: table } = await import('dsh:host-modules')
  return { hostModules: table }
}
