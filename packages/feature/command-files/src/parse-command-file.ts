/** Reads a Markdown command file: what it is for, and the message that it makes of its arguments. Pure. */

/** The part between the two lines of dashes, and what follows it. */
const FRONT_MATTER = /^---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/

export interface CommandFile {
  description: string
  argumentHint?: string
  template: string
}

const LONGEST_DESCRIPTION = 100

/** `parseYaml` reads the front matter. Without a description the first line of the text is one. Throws when the front matter is no YAML map, and when no text follows it. */
export function parseCommandFile(text: string, parseYaml: (text: string) => unknown): CommandFile {
  const [whole = '', head] = FRONT_MATTER.exec(text) ?? []
  const fields = head === undefined ? {} : asMap(parseYaml(head))
  const template = text.slice(whole.length).trim()
  if (template === '') throw new Error('it has no text that could be sent')
  const first = template.split('\n')[0]?.replace(/^#+\s*/, '') ?? ''
  const hint = fields['argument-hint']
  return {
    description: (typeof fields['description'] === 'string' ? fields['description'] : first).replace(/\s+/g, ' ').slice(0, LONGEST_DESCRIPTION),
    ...(Array.isArray(hint) ? { argumentHint: `[${hint.join(', ')}]` } : (typeof hint === 'string' || typeof hint === 'number') && { argumentHint: String(hint) }),
    template,
  }
}

/** Puts arguments in: `$ARGUMENTS` is all of them, `$1` to `$9` single ones; quotes keep blanks together. Without any place for them they follow the text. */
export function fillTemplate(template: string, args: string): string {
  const words = [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const hasPlace = /\$ARGUMENTS\b|\$[1-9](?!\d)/.test(template)
  const filled = template.replace(/\$ARGUMENTS\b|\$([1-9])(?!\d)/g, (_place, digit?: string) => (digit === undefined ? args : (words[Number(digit) - 1] ?? '')))
  return hasPlace || args.trim() === '' ? filled : `${filled}\n\n${args}`
}

function asMap(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error('what stands between the dashes is no map of keys and values')
  return value as Record<string, unknown>
}
