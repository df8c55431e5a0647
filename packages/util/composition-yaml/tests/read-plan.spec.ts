import { describe, expect, it } from 'vitest'
import { precompile, readPlan } from '../src/index.ts'
import { folder } from './folder.ts'

const COMPOSITION = `
- id: llm
  name: "@deepseek-ai/dsh-llm"
  required: true
- id: web
  name: "@deepseek-ai/dsh-web"
  config:
    timeoutMs: 10
    proxy: { host: a, port: 1 }
    tags: [x, y]
- id: off
  name: "@deepseek-ai/dsh-off"
  disabled: true
  config: { key: !env NEVER_SET }
`

const LAYERS = {
  'cordis.yml': COMPOSITION,
  'user.yml': 'model: big\nrows:\n  web:\n    timeoutMs: 20\n    proxy: { port: 2 }\ndisable: [llm]\n',
  'project.yml': 'model: small\nrows:\n  web:\n    retries: 3\n    proxy: { port: 9 }\n    baseUrl: "https://example.org"\nplugins:\n  - id: evil\n    name: ./evil.js\n    config: { !!str x: 1 }\n',
}

async function layered(set: string[] = [], trusted = false) {
  const path = await folder(LAYERS)
  const plan = await readPlan({ composition: path('cordis.yml'), userSettings: path('user.yml'), projectSettings: path('project.yml'), set, trusted, env: {} })
  return { path, plan }
}

describe('readPlan', () => {
  it('lays settings over the composition and remembers who set what', async () => {
    const { path, plan } = await layered(['web.tags=["z"]', 'web.proxy.host=b=c'])
    const [llm, web, off] = plan.rows

    expect(plan.rows.map(row => [row.id, row.disabled, row.required, row.origin])).toEqual([
      ['llm', true, true, 'composition'],
      ['web', false, false, 'composition'],
      ['off', true, false, 'composition'],
    ])
    expect(web?.config).toEqual({ timeoutMs: 20, proxy: { host: 'b=c', port: 2 }, tags: ['z'], retries: 3 })
    expect(Object.fromEntries(Object.entries(web?.provenance ?? {}).map(([key, { position }]) => [key, `${position.file.replace(path(''), '')}:${position.line}`]))).toEqual({
      timeoutMs: 'user.yml:4',
      proxy: 'cordis.yml:9',
      'proxy.host': '--set web.proxy.host:0',
      'proxy.port': 'user.yml:5',
      tags: '--set web.tags:0',
      'tags.0': '--set web.tags:0',
      retries: 'project.yml:4',
    })
    expect(llm?.config).toBeUndefined()
    expect(off?.config).toEqual({ key: null })
    expect(plan.model).toEqual({ value: 'small', position: { file: path('project.yml'), line: 1, column: 1 } })
    expect(plan.files).toEqual([path('cordis.yml'), path('user.yml'), path('project.yml')])
  })

  it('lists what an untrusted project wants and does not apply it', async () => {
    const { plan } = await layered()

    expect(plan.untrusted.map(({ setting, position }) => `${setting} ${position.line}`)).toEqual(['plugins.evil 8', 'rows.web.proxy.port 5', 'rows.web.baseUrl 6'])
    expect(plan.rows.some(row => row.id === 'evil')).toBe(false)
  })

  it('takes settings for a row of an untrusted project as waiting, not as unknown', async () => {
    const path = await folder({ 'cordis.yml': COMPOSITION, 'project.yml': 'plugins:\n  - { id: mine, name: ./mine.js }\nrows:\n  mine: { size: 1 }\n' })

    const plan = await readPlan({ composition: path('cordis.yml'), projectSettings: path('project.yml'), env: {} })

    expect(plan.untrusted.map(({ setting }) => setting)).toEqual(['plugins.mine'])
  })

  it('applies everything of a trusted project', async () => {
    const { path, plan } = await layered([], true)

    expect(plan.untrusted).toEqual([])
    expect(plan.rows.at(-1)).toMatchObject({ id: 'evil', name: './evil.js', origin: 'project settings', position: { file: path('project.yml'), line: 8 } })
    expect(plan.rows[1]?.config).toMatchObject({ baseUrl: 'https://example.org', proxy: { port: 9 } })
  })

  it('replaces a map whole on !replace', async () => {
    const path = await folder({ 'cordis.yml': COMPOSITION, 'user.yml': 'rows:\n  web:\n    proxy: !replace { socks: 1 }\n' })

    const plan = await readPlan({ composition: path('cordis.yml'), userSettings: path('user.yml'), env: {} })

    expect(plan.rows[1]?.config).toEqual({ timeoutMs: 10, proxy: { socks: 1 }, tags: ['x', 'y'] })
  })

  it('adds up the lists of rules of all layers, each with its place, and sets one anew on !replace', async () => {
    const rules = (text: string): string => `rows:\n  web:\n    deny: ${text}\n`
    const path = await folder({ 'cordis.yml': COMPOSITION, 'user.yml': rules('[rm]'), 'project.yml': `${rules('[curl, wget]')}    tags: [z]\n`, 'anew.yml': rules('!replace [curl]') })
    const layers = { composition: path('cordis.yml'), userSettings: path('user.yml'), trusted: true, env: {} }

    const plan = await readPlan({ ...layers, projectSettings: path('project.yml') })
    expect(plan.rows[1]?.config).toMatchObject({ deny: ['rm', 'curl', 'wget'], tags: ['z'] })
    expect(Object.entries(plan.rows[1]?.provenance ?? {}).filter(([key]) => key.startsWith('deny.')).map(([, { position }]) => position.file)).toEqual([path('user.yml'), path('project.yml'), path('project.yml')])
    expect((await readPlan({ ...layers, projectSettings: path('anew.yml') })).rows[1]?.config).toMatchObject({ deny: ['curl'] })
  })

  it('refuses unknown rows and settings with a suggestion', async () => {
    const path = await folder({ 'cordis.yml': COMPOSITION, 'user.yml': 'modle: x\nrows:\n  wbe: { a: 1 }\n  ui-acp: { a: 1 }\ndisable: [lmm]\n' })

    await expect(readPlan({ composition: path('cordis.yml'), userSettings: path('user.yml'), knownRows: ['ui-acp'], set: ['offf.x=secret', 'nonsense'], env: {} })).rejects.toThrow(expect.objectContaining({ message: [
      `${path('user.yml')}:1:1: unknown setting "modle" (did you mean "model"?)`,
      '--set nonsense: expected row.path=value',
      `${path('user.yml')}:3:3: unknown row "wbe" (did you mean "web"?)`,
      `${path('user.yml')}:5:11: unknown row "lmm" (did you mean "llm"?)`,
      '--set offf.x: unknown row "offf" (did you mean "off"?)',
    ].join('\n') }))
  })

  it('appends the front door, or switches on the row of that id', async () => {
    const path = await folder({ 'cordis.yml': COMPOSITION, 'user.yml': 'rows:\n  ui-repl: { colour: red }\n' })

    const plan = await readPlan({ composition: path('cordis.yml'), userSettings: path('user.yml'), env: { NEVER_SET: 'k' }, extraRows: [{ id: 'ui-repl', name: 'ui-repl', config: { a: 1 }, required: true }, { id: 'off', name: 'off' }] })

    expect(plan.rows.map(row => [row.id, row.disabled, row.origin])).toEqual([['llm', false, 'composition'], ['web', false, 'composition'], ['off', false, 'composition'], ['ui-repl', false, 'command line']])
    expect(plan.rows[3]).toMatchObject({ config: { a: 1, colour: 'red' }, required: true })
  })

  it('puts the rows of groups and included files in their place', async () => {
    const path = await folder({
      'cordis.yml': '- id: a\n  name: a\n- id: more\n  name: "@cordisjs/plugin-include"\n  config: { path: sub/more.yml }\n- id: g\n  name: "@cordisjs/plugin-group"\n  disabled: true\n  config:\n    - id: c\n      name: c\n',
      'sub/more.yml': '- id: b\n  name: ./b.js\n',
    })

    const plan = await readPlan({ composition: path('cordis.yml'), env: {} })

    expect(plan.rows.map(row => [row.id, row.disabled, row.position.file.replace(path(''), '')])).toEqual([['a', false, 'cordis.yml'], ['b', false, 'sub/more.yml'], ['c', true, 'cordis.yml']])
    expect(plan.files).toEqual([path('cordis.yml'), path('sub/more.yml')])
  })

  it('refuses an include that includes itself', async () => {
    const path = await folder({ 'cordis.yml': '- id: a\n  name: "@cordisjs/plugin-include"\n  config:\n    path: ./cordis.yml\n' })

    await expect(readPlan({ composition: path('cordis.yml') })).rejects.toThrow(`${path('cordis.yml')}:4:11: the file includes itself: ${path('cordis.yml')} → ${path('cordis.yml')}`)
  })

  it('gives the same plan from a precompiled composition', async () => {
    const path = await folder(LAYERS)
    const options = { composition: path('cordis.yml'), userSettings: path('user.yml'), env: {} }
    const compiled = JSON.parse(JSON.stringify(await precompile(COMPOSITION)))

    expect(await readPlan({ ...options, precompiled: { [path('cordis.yml')]: compiled } })).toEqual(await readPlan(options))
  })
})
