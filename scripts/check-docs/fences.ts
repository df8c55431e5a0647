/** Compares the code on pages with the regions of tests that it is cut from. Pure. */

/** A fence with its info string and what it holds. Longer fences may hold shorter ones. */
const FENCE = /^(?<indent> *)(?<mark>`{3,}|~{3,})(?<info>[^\n]*)\n(?<body>[\s\S]*?)^ *\k<mark>[`~]* *$/gm

/** Pages whose TypeScript must all be cut from tests. */
const COOKBOOK = /^docs\/cookbook\//

interface Fence {
  /** From 1. */
  line: number
  info: string
  body: string
  region: string | undefined
}

function readFences(text: string): Fence[] {
  return [...text.matchAll(FENCE)].map(({ index, groups }) => ({
    line: text.slice(0, index).split('\n').length,
    info: groups?.['info']?.trim() ?? '',
    body: groups?.['body'] ?? '',
    region: regionOf(groups?.['info']),
  }))
}

function regionOf(info: string | undefined): string | undefined {
  return /\bregion=(\S+)/.exec(info ?? '')?.[1]
}

export function checkFences(path: string, text: string, regions: ReadonlyMap<string, string>): string[] {
  return readFences(text).flatMap(({ line, info, body, region }) => {
    const place = `${path}:${line}`
    if (region === undefined) return COOKBOOK.test(path) && /^(ts|typescript)\b/.test(info) ? [`${place}: code that no test runs; cut it from tests/cookbook and name the region`] : []
    const code = regions.get(region)
    if (code === undefined) return [`${place}: there is no region ${region}; correct the name or add it to the test`]
    return body === withBreak(code) ? [] : [`${place}: differs from ${region}; run \`node scripts/check-docs.ts --fix\``]
  })
}

/** The page with every fence that names a known region holding exactly that. */
export function fillFences(text: string, regions: ReadonlyMap<string, string>): string {
  return text.replace(FENCE, (fence: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { info: string; body: string }
    const code = regions.get(regionOf(groups.info) ?? '')
    if (code === undefined) return fence
    const start = fence.indexOf('\n') + 1
    return fence.slice(0, start) + withBreak(code) + fence.slice(start + groups.body.length)
  })
}

function withBreak(code: string): string {
  return code === '' ? '' : `${code}\n`
}

/** The page with everything that is code blanked out, line for line. */
export function withoutCode(text: string): string {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ')
  return text.replace(FENCE, blank).replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, blank)
}
