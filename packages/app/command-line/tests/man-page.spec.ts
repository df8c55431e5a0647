import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { COMMANDS } from '../src/commands.ts'
import { renderManPage } from '../src/man-page.ts'
import { optionSpecs } from '../src/options.ts'

const page = renderManPage('1.2.3')

const hasGroff = spawnSync('groff', ['--version']).status === 0

describe('the manual page', () => {
  it('has the sections of a manual, in their order', () => {
    expect([...page.matchAll(/^\.SH (.*)$/gm)].map(match => match[1])).toEqual(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'OPTIONS', 'EXIT STATUS', 'ENVIRONMENT', 'FILES', 'EXAMPLES'])
  })

  it('is ASCII, knows only the requests it uses, and takes no text for one', () => {
    expect(page).toMatch(/^[\n\x20-\x7e]*$/)
    const requests = new Set([...page.matchAll(/^[.'](\S*)/gm)].map(([, request = '']) => request))
    expect([...requests].toSorted()).toEqual(['B', 'I', 'IP', 'PP', 'RE', 'RS', 'SH', 'SS', 'TH', 'TP', '\\"', 'br'])
  })

  it('names every command and every option', () => {
    for (const { name } of COMMANDS) if (name !== 'run') expect(page).toMatch(new RegExp(`^\\.B dsh ${name}\\b`, 'm'))
    for (const [name] of optionSpecs) expect(page).toContain(`\\-\\-${name.replaceAll('-', '\\-')}`)
  })

  // There is no groff.
  it.skipIf(!hasGroff)('is set without a warning', async () => {
    await using folder = await tempWorkspace({ 'dsh.1': page })
    const { status, stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-c', folder.resolve('dsh.1')], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('dsh - an AI coding agent made of plugins')
  })

  it('is committed as the tables have it', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/gen-man.ts', '--check'], { cwd: join(import.meta.dirname, '../../../..'), encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
