/** The permission modes by the names that readers of `stream-json` know. Pure. */

const NAMES: Readonly<Record<string, string>> = { ask: 'default', auto: 'auto', 'read-only': 'plan' }

/** What they may ask for; none gets more than its name says. */
const ASKED: Readonly<Record<string, string>> = { default: 'ask', acceptEdits: 'ask', dontAsk: 'ask', plan: 'read-only', auto: 'auto', bypassPermissions: 'auto' }

/** A mode of a plugin keeps its name. */
export function modeForStream(mode: string | undefined): string {
  return mode === undefined ? 'default' : (NAMES[mode] ?? mode)
}

/** One of ours as it is. */
export function modeFromStream(mode: string): string {
  return ASKED[mode] ?? mode
}
