/** Reads the pieces of tests that pages show. Pure. */

export interface Regions {
  /** `tests/cookbook/x.spec.ts#name` → its lines, moved to the left edge. */
  regions: ReadonlyMap<string, string>
  problems: string[]
}

const START = /^\s*\/\/ #region (\S+)\s*$/
const END = /^\s*\/\/ #endregion\b/

/** Regions may hold others; the comments that mark them are not part of them. */
export function readRegions(specs: ReadonlyMap<string, string>): Regions {
  const regions = new Map<string, string>()
  const problems: string[] = []
  for (const [path, text] of specs) {
    const open: { key: string; line: number; lines: string[] }[] = []
    for (const [index, line] of text.split('\n').entries()) {
      const name = START.exec(line)?.[1]
      const place = `${path}:${index + 1}`
      if (name !== undefined) {
        const key = `${path}#${name}`
        if (regions.has(key) || open.some(each => each.key === key)) problems.push(`${place}: the region ${name} is there twice; rename one`)
        open.push({ key, line: index + 1, lines: [] })
      } else if (END.test(line)) {
        const ended = open.pop()
        if (ended) regions.set(ended.key, dedent(ended.lines))
        else problems.push(`${place}: #endregion without #region; remove it`)
      } else {
        for (const each of open) each.lines.push(line)
      }
    }
    problems.push(...open.map(({ key, line }) => `${path}:${line}: the region ${key.split('#')[1]} has no end; add // #endregion`))
  }
  return { regions, problems }
}

/** Without the indentation that all lines share, and without blank lines around. */
function dedent(lines: readonly string[]): string {
  const indents = lines.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const least = indents.length === 0 ? 0 : Math.min(...indents)
  return lines.map(line => line.slice(least).trimEnd()).join('\n').replace(/^\n+|\n+$/g, '')
}

/** A region that no page shows is a marker that somebody forgot. */
export function checkRegionUse(regions: ReadonlyMap<string, string>, pages: ReadonlyMap<string, string>): string[] {
  const shown = [...pages.values()].join('\n')
  const isShown = (key: string): boolean => new RegExp(`region=${RegExp.escape(key)}\\s`).test(`${shown}\n`)
  return [...regions.keys()].filter(key => !isShown(key)).map(key => `${key.split('#')[0]}:1: no page shows the region ${key.split('#')[1]}; show it or remove its markers`)
}
