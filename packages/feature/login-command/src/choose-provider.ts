/** Which provider is meant: the one that is named, the only one, or the one that is chosen. */

import type { CommandCall } from '@deepseek-ai/dsh-commands'
import { KEY_PROVIDERS, type KeyProvider } from '@deepseek-ai/dsh-credentials'
import { HarnessError } from '@deepseek-ai/dsh-errors'

/** Undefined when none was chosen. Throws `UNKNOWN_PROVIDER`; what was typed may be a key, so the message does not hold it. */
export async function chooseProvider(command: string, args: string, { door, signal }: CommandCall, providers: readonly KeyProvider[] = KEY_PROVIDERS): Promise<KeyProvider | undefined> {
  const wanted = args.trim().toLowerCase()
  const named = providers.find(({ id }) => id === wanted)
  if (named) return named
  const ids = providers.map(({ id }) => id).join(', ')
  if (wanted !== '') {
    throw new HarnessError('UNKNOWN_PROVIDER', `what stands behind ${command} is no provider (there ${providers.length === 1 ? 'is' : 'are'} ${ids}), and nothing was changed. A key does not go there, where it can be seen: ${command} alone asks for it`)
  }
  if (providers.length === 1 || !door.choose) return providers[0]
  const chosen = await door.choose('which provider', providers.map(({ id, name }) => ({ value: id, label: id, description: name })), signal)
  return providers.find(({ id }) => id === chosen)
}
