import { execFileSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { CompositionError, readPlan } from '../src/index.ts'
import { folder } from './folder.ts'

/** The whole message for one composition text, with the folder cut away. */
async function complaint(text: string): Promise<string> {
  const path = await folder({ 'cordis.yml': text })
  const failure = await readPlan({ composition: path('cordis.yml'), env: {} }).then(() => undefined, error => error)
  if (failure === undefined) return 'fine'
  expect(failure).toBeInstanceOf(CompositionError)
  expect(failure.code).toBe('invalid-composition')
  return String(failure.message).replaceAll(path(''), '')
}

describe('readPlan on broken YAML', () => {
  it.each([
    ['a list item below a flow list', '[]\n- name: x\n', 'cordis.yml:2:1: the value before this is complete, so that this does not fit below it'],
    ['the same key twice', '- id: a\n  name: x\n  id: b\n', 'cordis.yml:3:3: the same key is given twice in one map'],
    ['a tab as indentation', '- id: a\n  name: x\n  config:\n\tb: 1\n', 'cordis.yml:4:1: a tab cannot indent YAML; use spaces'],
    ['a stray colon', '- id: a: b\n', 'cordis.yml:1:7: nested mappings are not allowed in compact mappings'],
    ['an unclosed quote on the last line', '- id: "a', 'cordis.yml:1:9: a double quote is not closed'],
    ['two documents', '- id: a\n  name: x\n---\n- id: b\n  name: y\n', 'cordis.yml:3:1: the file holds several YAML documents; one is expected'],
    ['an unknown tag', '- id: a\n  name: x\n  config:\n    f: !!js/function 1\n', 'cordis.yml:4:8: unknown tag !!js/function'],
    ['a misspelt tag', '- id: a\n  name: x\n  config:\n    f: !evn HOME\n', 'cordis.yml:4:8: unknown tag !evn (did you mean "!env"?)'],
    ['a lone alias', '- id: a\n  name: x\n  config: { b: *c }\n', 'cordis.yml:3:16: the alias has no anchor before it'],
    ['a map at the top', 'id: a\n', 'cordis.yml:1:1: a list of rows was expected, not a map'],
  ])('says where: %s', async (_, text, message) => {
    expect(await complaint(text)).toBe(message)
  })

  it.each([
    ['an empty file', ''],
    ['a file of comments', '# nothing\n\n# here\n'],
    ['an empty list', '[]\n'],
    ['a byte order mark', '\ufeff- id: a\n  name: x\n'],
  ])('accepts %s', async (_, text) => {
    expect(await complaint(text)).toBe('fine')
  })

  it('bounds what aliases expand to', async () => {
    const levels = Array.from({ length: 10 }, (_, level) => `    l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(', ')}]`)
    const bomb = ['- id: a', '  name: x', '  config:', '    l0: &l0 [1, 2]', ...levels].join('\n')

    expect(await complaint(bomb)).toMatch(/^cordis\.yml:\d+:\d+: the file expands to more than 20000 values or 64 levels$/)
  })

  it.each([100, 20_000])('bounds how deep values nest: %d levels', async depth => {
    expect(await complaint(`- id: a\n  name: x\n  config: { v: ${'['.repeat(depth)}${']'.repeat(depth)} }\n`)).toMatch(/^cordis\.yml:\d+:\d+: (?:the file expands to more than 20000 values or 64 levels|values are nested deeper than 64 levels)$/)
  })

  it('names a file that is no text', async () => {
    const path = await folder({})
    await writeFile(path('cordis.yml'), Buffer.from([0xff, 0xfe, 0x61]))

    await expect(readPlan({ composition: path('cordis.yml') })).rejects.toThrow(`${path('cordis.yml')}: the file is not UTF-8 text`)
  })

  it('names a file that is not there', async () => {
    const path = await folder({})

    await expect(readPlan({ composition: path('cordis.yml') })).rejects.toThrow(`${path('cordis.yml')}: the file cannot be read: there is no such file`)
  })
})

describe('readPlan on settings that are no file', () => {
  // Windows has no named pipes among files and no /dev.
  it.skipIf(process.platform === 'win32')('waits for no pipe and reads no device to its end', { timeout: 5_000 }, async () => {
    const path = await folder({ 'cordis.yml': '[]\n' })
    execFileSync('mkfifo', [path('pipe.yml')])
    await symlink('/dev/zero', path('zero.yml'))
    await symlink('/dev/null', path('null.yml'))

    const readWith = (name: string) => readPlan({ composition: path('cordis.yml'), userSettings: path(name) })
    await expect(readWith('pipe.yml')).resolves.toMatchObject({ rows: [] })
    await expect(readWith('null.yml')).resolves.toMatchObject({ rows: [] })
    await expect(readWith('zero.yml')).rejects.toThrow(`${path('zero.yml')}: the file is larger than 1048576 bytes`)
  })
})

describe('readPlan on wrong rows', () => {
  it('tells every problem of every row at once', async () => {
    expect(await complaint([
      '- id: bash',
      '  name: x',
      '  confg: {}',
      '- name: y',
      '- id: a.b',
      '  name: z',
      '- id: bash',
      '  name: z',
      '  disabled: "yes"',
      '- just text',
      '- id: last',
      '  name: 3',
      '  config: [1]',
    ].join('\n'))).toBe([
      'cordis.yml:3:3: unknown key "confg" in a row (did you mean "config"?)',
      'cordis.yml:4:3: the row has no "id"',
      'cordis.yml:5:3: the row id "a.b" may hold letters, digits, "-" and "_" only',
      'cordis.yml:9:3: "disabled" must be true, false or !env, not the string "yes"',
      'cordis.yml:10:3: a row { id, name, config? } was expected, not the string "just text"',
      'cordis.yml:12:3: "name" must be text, not the number 3',
      'cordis.yml:7:3: the row id "bash" is already taken at cordis.yml:1',
    ].join('\n'))
  })

  it('refuses the same plugin twice with the same config, not with another', async () => {
    const rows = (second: string) => `- id: a\n  name: web\n  config: { n: 1 }\n- id: b\n  name: web\n  config: { n: ${second} }\n`

    expect(await complaint(rows('1'))).toBe('cordis.yml:4:3: row "b" mounts web with the same config as row "a"')
    expect(await complaint(rows('2'))).toBe('fine')
  })
})
