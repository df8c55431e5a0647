/** Says where two plain values differ, in a few lines. Pure. */

/** More places than this do not help to find the first. */
const MOST_PLACES = 5
const MOST_SHOWN = 200

/** One line a place: `messages[2].content[0].text: "a" became "b"`. Empty when the values are equal. */
export function describeDifference(expected: unknown, actual: unknown): string {
  const places: string[] = []
  compare('', expected, actual, places)
  const shown = places.slice(0, MOST_PLACES)
  if (places.length > shown.length) shown.push(`… and ${places.length - shown.length} more places`)
  return shown.map(line => `  ${line}`).join('\n')
}

function compare(path: string, expected: unknown, actual: unknown, places: string[]): void {
  if (Object.is(expected, actual)) return
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    places.push(`${path || 'value'}: ${show(expected)} became ${show(actual)}`)
    return
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const at = Array.isArray(expected) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(expected, key)) places.push(`${at}: added ${show(actual[key])}`)
    else if (!Object.hasOwn(actual, key)) places.push(`${at}: missing ${show(expected[key])}`)
    else compare(at, expected[key], actual[key], places)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
