import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { belongsTo, optionSpecs } from '../src/options.ts'
import { renderHelp } from '../src/render-help.ts'

describe('the help text', () => {
  it('names every command and every option that is not of one command alone, within 100 columns', () => {
    const help = renderHelp()
    for (const { name } of COMMANDS) if (name !== 'run') expect(help).toContain(`\n  dsh ${name}`)
    for (const [name, { group }] of optionSpecs) if (group !== 'command') expect(help).toMatch(new RegExp(`--${name}\\b`))
    expect(help.split('\n').filter(line => line.length > 100)).toEqual([])
  })

  it('says on each command which options it takes, and no others', () => {
    for (const { name } of COMMANDS) {
      if (name === 'run' || name === 'help') continue
      const help = renderHelp(name)
      expect(help).toMatch(new RegExp(`^  dsh ${name}`))
      const named = [...help.matchAll(/^ {2}(?: {4}|-\w, )--([\w-]+)/gm)].map(([, option = '']) => option)
      expect(named.toSorted()).toEqual(optionSpecs.filter(([, spec]) => belongsTo(spec, name)).map(([option]) => option).toSorted())
      expect(help.split('\n').filter(line => line.length > 100)).toEqual([])
    }
  })

  it('lists the verbs of sessions', () => {
    expect(renderHelp('sessions')).toContain('  dsh sessions rename ID TITLE  give a session another title\n')
  })
})
