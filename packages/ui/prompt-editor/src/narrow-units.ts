/** What the cursor goes over as one, on a screen that is narrower than that. Pure. */

import { visibleWidth } from '@earendil-works/pi-tui'

interface Unit {
  segment: string
  index: number
}

/** How the library names what it has folded; it wraps these by itself. */
const LABEL = '[paste #'

/**
 * A letter with so many marks that it is wider than `widest` columns counts as its characters, none of
 * which is wider than two: the library would wrap it for ever. Everything else stays as it is.
 */
export function narrowUnits(units: Iterable<Unit>, widest: number): Unit[] {
  return [...units].flatMap(unit => (unit.segment.length === 1 || unit.segment.startsWith(LABEL) || visibleWidth(unit.segment) <= widest ? [unit] : charactersOf(unit)))
}

function charactersOf({ segment, index }: Unit): Unit[] {
  let at = index
  return Array.from(segment, character => {
    const unit = { segment: character, index: at }
    at += character.length
    return unit
  })
}
