import { describe, expect, it } from 'vitest'
import { readPlan } from '../src/index.ts'
import { folder } from './folder.ts'

async function configOf(config: string, env: Record<string, string>) {
  const path = await folder({ 'cordis.yml': `- id: a\n  name: x\n  config:\n${config.replace(/^/gm, '    ')}\n` })
  const plan = await readPlan({ composition: path('cordis.yml'), env }).catch(error => String(error.message).replaceAll(path(''), ''))
  return typeof plan === 'string' ? plan : plan.rows[0]?.config
}

describe('!env', () => {
  it('reads a variable once and never expands what it read', async () => {
    const value = 'a: b #c "q" ${OTHER}\n$$ !env OTHER'

    expect(await configOf('key: !env KEY', { KEY: value, OTHER: 'no' })).toEqual({ key: value })
  })

  it('takes a default in both forms, for an unset and for an empty variable', async () => {
    expect(await configOf('a: !env A one two\nb: !env { name: B, default: 7 }\nc: !env { name: C, default: null }', { B: '' })).toEqual({ a: 'one two', b: 7, c: null })
  })

  it('names an unset variable and its place, never a value', async () => {
    expect(await configOf('a: !env MISSING\nb: !env EMPTY', { EMPTY: '' })).toBe([
      'cordis.yml:4:8: the environment variable MISSING is not set and has no default here',
      'cordis.yml:5:8: the environment variable EMPTY is empty and has no default here',
    ].join('\n'))
  })

  it('refuses a value that is a shell variable, and takes it literally under !!str', async () => {
    expect(await configOf('a: ${KEY:-x}', {})).toBe('cordis.yml:4:8: ${…} is not expanded; write !env KEY x, or !!str before it to mean the text itself')
    expect(await configOf('a: !!str ${KEY}\nb: a text about ${HOME} and $$', {})).toEqual({ a: '${KEY}', b: 'a text about ${HOME} and $$' })
  })

  it('refuses a malformed !env', async () => {
    expect(await configOf('a: !env 1x\nb: !env { nme: A }\nc: !env { name: A, default: [1] }', {})).toBe([
      'cordis.yml:4:8: !env takes the name of a variable and, after a space, a default',
      'cordis.yml:5:8: !env takes a name, or a map with "name" and "default"',
      'cordis.yml:6:33: the default of !env must be a single value',
    ].join('\n'))
  })

  it('switches a row off by a variable', async () => {
    const path = await folder({ 'cordis.yml': '- id: a\n  name: x\n  disabled: !env { name: NO_A, default: false }\n' })
    const disabled = async (env: Record<string, string>) => (await readPlan({ composition: path('cordis.yml'), env })).rows[0]?.disabled

    expect([await disabled({}), await disabled({ NO_A: '1' }), await disabled({ NO_A: 'no' })]).toEqual([false, true, false])
    await expect(disabled({ NO_A: 'perhaps' })).rejects.toThrow(`${path('cordis.yml')}:3:13: "disabled" reads the environment variable NO_A, which is neither true nor false`)
  })
})

describe('!!js', () => {
  it('is kept for the loader in a composition and refused in the settings of a project', async () => {
    const path = await folder({ 'cordis.yml': '- id: a\n  name: x\n  config: { home: !!js process.env.HOME }\n', 'project.yml': 'rows:\n  a: { retries: !!js 1+1 }\n' })

    expect((await readPlan({ composition: path('cordis.yml') })).rows[0]?.config).toEqual({ home: { __jsExpr: 'process.env.HOME' } })
    await expect(readPlan({ composition: path('cordis.yml'), projectSettings: path('project.yml'), trusted: true }))
      .rejects.toThrow(`${path('project.yml')}:2:17: !!js is not honoured in the settings of a project; use !env, or put it into your own settings`)
  })

  it('is not smuggled in as the map that the loader makes of it, by a flag, a list or a file', async () => {
    const evil = '{ __jsExpr: process.exit(1) }'
    const path = await folder({ 'cordis.yml': '- id: a\n  name: "@deepseek-ai/dsh-x"\n', 'project.yml': `rows:\n  a: { retries: ${evil}, more: { list: [${evil}] } }\n` })
    const read = (options: object) => readPlan({ composition: path('cordis.yml'), ...options }).catch(error => String(error.message).replaceAll(path(''), ''))

    expect(await read({ projectSettings: path('project.yml'), trusted: true })).toBe([
      'project.yml:2:19: the key "__jsExpr" is reserved; write !!js before an expression',
      'project.yml:2:65: the key "__jsExpr" is reserved; write !!js before an expression',
    ].join('\n'))
    expect(await read({ projectSettings: path('project.yml') })).toContain('the key "__jsExpr" is reserved')
    expect(await read({ set: ['a.x={"__jsExpr":"1"}'] })).toBe('--set a.x: the key "__jsExpr" is reserved; write !!js before an expression')
  })
})
