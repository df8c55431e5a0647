import { describe, expect, it } from 'vitest'
import { checkFences, fillFences } from '../../scripts/check-docs/fences.ts'
import { checkLinks } from '../../scripts/check-docs/links.ts'
import { checkRegionUse, readRegions } from '../../scripts/check-docs/regions.ts'

const SPEC = 'tests/cookbook/tool.spec.ts'

function regionsOf(...lines: string[]): ReturnType<typeof readRegions> {
  return readRegions(new Map([[SPEC, lines.join('\n')]]))
}

describe('readRegions', () => {
  it('cuts regions out, moved to the left edge', () => {
    const { regions, problems } = regionsOf('import x', '  // #region a', '', '  const a = 1', '    b()', '', '  // #endregion', 'rest')
    expect([[...regions], problems]).toEqual([[[`${SPEC}#a`, 'const a = 1\n  b()']], []])
  })

  it('lets regions hold others, without their markers', () => {
    expect([...regionsOf('// #region outer', 'a', '// #region inner', 'b', '// #endregion inner', 'c', '// #endregion').regions]).toEqual([
      [`${SPEC}#inner`, 'b'],
      [`${SPEC}#outer`, 'a\nb\nc'],
    ])
  })

  it('says which markers do not pair', () => {
    expect(regionsOf('// #endregion', '// #region a', '// #endregion', '// #region a').problems).toEqual([
      `${SPEC}:1: #endregion without #region; remove it`,
      `${SPEC}:4: the region a is there twice; rename one`,
      `${SPEC}:4: the region a has no end; add // #endregion`,
    ])
  })

  it('finds regions that no page shows', () => {
    const { regions } = regionsOf('// #region a', '// #endregion', '// #region ab', '// #endregion')
    expect(checkRegionUse(regions, new Map([['docs/x.md', `\`\`\`ts region=${SPEC}#ab\n\`\`\`\n`]]))).toEqual([`${SPEC}:1: no page shows the region a; show it or remove its markers`])
  })
})

describe('fences', () => {
  const regions = new Map([[`${SPEC}#a`, 'const a = `$1 $&`\n\nb()']])
  const page = (body: string): string => `# Title\n\n\`\`\`ts region=${SPEC}#a\n${body}\`\`\`\n\nText.\n`

  it('accepts a page that shows the region, and finds one that differs', () => {
    expect(checkFences('docs/cookbook/tool.md', page('const a = `$1 $&`\n\nb()\n'), regions)).toEqual([])
    expect(checkFences('docs/cookbook/tool.md', page('const a = 2\n'), regions)).toEqual([`docs/cookbook/tool.md:3: differs from ${SPEC}#a; run \`node scripts/check-docs.ts --fix\``])
  })

  it('finds regions that do not exist, and code in the cookbook that no test runs', () => {
    const text = '```ts region=tests/cookbook/tool.spec.ts#b\n```\n\n```ts\nx()\n```\n\n```sh\nls\n```\n'
    expect(checkFences('docs/cookbook/tool.md', text, regions)).toEqual([
      'docs/cookbook/tool.md:1: there is no region tests/cookbook/tool.spec.ts#b; correct the name or add it to the test',
      'docs/cookbook/tool.md:4: code that no test runs; cut it from tests/cookbook and name the region',
    ])
    expect(checkFences('README.md', '```ts\nx()\n```\n', regions)).toEqual([])
  })

  it('fills a page so that it passes, and nothing else of it changes', () => {
    const before = `${page('old\n')}\`\`\`ts\nkept()\n\`\`\`\n${page('')}`
    const after = fillFences(before, regions)
    expect(after).toBe(`${page('const a = `$1 $&`\n\nb()\n')}\`\`\`ts\nkept()\n\`\`\`\n${page('const a = `$1 $&`\n\nb()\n')}`)
    expect([checkFences('docs/x.md', after, regions), fillFences(after, regions)]).toEqual([[], after])
  })
})

describe('checkLinks', () => {
  const check = (pages: Record<string, string>, ...files: string[]): string[] => checkLinks(new Map(Object.entries(pages)), new Set([...Object.keys(pages), ...files]))

  it('accepts files, directories, headings, and what is elsewhere', () => {
    const text = '[a](b.md) [b](../packages/fs/) ![c](pic.png "title") [d](#the-title) [e](b.md#it-s-1) [f](https://e.x/y) [g](mailto:a@e.x)\n\n# The `title`\n\n[h]: ../LICENSE\n'
    expect(check({ 'docs/a.md': text, 'docs/b.md': '# It-s 1\n' }, 'docs/pic.png', 'packages/fs/fs/README.md', 'LICENSE')).toEqual([])
  })

  it('finds what leads nowhere', () => {
    expect(check({ 'docs/a.md': '[a](c.md)\n[b](b.md#nope) [c](#none)\n\n[d]: ../x/y.md\n[e](/docs/b.md)\n', 'docs/b.md': '# Here\n' })).toEqual([
      'docs/a.md:1: the link c.md is dead: there is no docs/c.md',
      'docs/a.md:2: the link b.md#nope is dead: docs/b.md has no heading #nope',
      'docs/a.md:2: the link #none is dead: docs/a.md has no heading #none',
      'docs/a.md:4: the link ../x/y.md is dead: there is no x/y.md',
      'docs/a.md:5: the link /docs/b.md is absolute; write it relative to the page',
    ])
  })

  it('counts headings of the same text', () => {
    expect(check({ 'a.md': '# Use\n# Use\n[a](#use-1) [b](#use-2)' })).toEqual(['a.md:3: the link #use-2 is dead: a.md has no heading #use-2'])
  })

  it('does not look into code', () => {
    expect(check({ 'a.md': '`[a](x.md)`\n\n```\n[b](y.md)\n```\n' })).toEqual([])
  })
})
