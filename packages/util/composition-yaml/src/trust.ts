/** Decides which settings of a project may apply before its owner is trusted: a cloned repository must not run anything. */

import { stripControls } from '@deepseek-ai/dsh-text'
import type { Position } from './position.ts'
import type { YamlEntry, YamlMap, YamlNode } from './yaml-node.ts'

/** A setting of the project that applies only after `dsh trust`. */
export interface Untrusted {
  /** As it is written in settings: `plugins.<id>`, `disable.<id>`, `rows.<id>.<path>`. */
  setting: string
  position: Position
}

/** Rows that decide what may run, that run something, or that say what the model is told to be. */
const SENSITIVE_ROWS = /permission|approval|policy|guard|sandbox|bash|shell|hook|mcp|subagent|trust|prompt/i

/** Keys that name something to run, to reach, to read or to permit, that hold a secret, or that switch a part of the harness off. */
const SENSITIVE_KEYS =
  /url|uri|host|endpoint|proxy|origin|key|token|secret|passw|credential|auth|cookie|header|command|cmd|program|exec|binary|script|shell|arg|env|path|dir|file|root|cwd|hook|plugin|server|allow|deny|ask|mode|permission|trust|tls|cert|insecure|verify|module|import|require|identity|prompt|instruction|^loop$/i

/** Whether a row mounts a plugin of the harness: of any other nobody knows which of its settings run something. */
export function isOwnPlugin(name: string): boolean {
  return name.startsWith('@deepseek-ai/dsh-')
}

/** Where a setting is, on one line and printable whatever its keys hold. */
export function nameSetting(...path: readonly string[]): string {
  return path.map(key => stripControls(key).replace(/\s+/g, ' ')).join('.')
}

/**
 * Whether a project may set this value without being trusted.
 *
 * Only single values and lists of them are harmless, in rows that run and permit
 * nothing, under keys that name nothing to run or to reach; never `!env`, which
 * would let a project move secrets about.
 */
export function isHarmlessSetting(row: string, path: readonly string[], value: YamlNode): boolean {
  if (SENSITIVE_ROWS.test(row) || path.some(key => SENSITIVE_KEYS.test(key))) return false
  const parts = value.kind === 'list' ? value.items : [value]
  return parts.every(part => part.kind === 'scalar')
}

/** Splits the settings of one row: what applies, and what waits. */
export function splitByTrust(row: string, config: YamlMap, untrusted: Untrusted[]): YamlMap {
  return keepHarmless(row, [], config, untrusted)
}

function keepHarmless(row: string, path: readonly string[], map: YamlMap, untrusted: Untrusted[]): YamlMap {
  const entries = map.entries.flatMap((entry): YamlEntry[] => {
    const inner = [...path, entry.key]
    if (entry.value.kind === 'map') {
      const value = keepHarmless(row, inner, entry.value, untrusted)
      return value.entries.length > 0 || entry.value.entries.length === 0 ? [{ ...entry, value }] : []
    }
    if (isHarmlessSetting(row, inner, entry.value)) return [entry]
    untrusted.push({ setting: nameSetting('rows', row, ...inner), position: entry.at })
    return []
  })
  return { ...map, entries }
}
