import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readPlan } from '@deepseek-ai/dsh-composition-yaml'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { initCommand } from '../src/init-command.ts'
import { settingsTemplate } from '../src/settings-template.ts'

const COMPOSITION = join(import.meta.dirname, '../../../../cordis.yml')

const terminal = { stdin: process.stdin, stdout: process.stdout, stderr: { write: () => true } as unknown as NodeJS.WritableStream }

describe('the settings that dsh init writes', () => {
  it.each(['user', 'project'] as const)('change nothing of the plan (%s)', async of => {
    await using folder = await tempWorkspace({ 'settings.yml': settingsTemplate(of) })
    const settings = { [of === 'user' ? 'userSettings' : 'projectSettings']: folder.resolve('settings.yml') }
    const [plain, { files, ...withSettings }] = [await readPlan({ composition: COMPOSITION, env: {} }), await readPlan({ composition: COMPOSITION, env: {}, ...settings })]

    expect(withSettings).toEqual({ rows: plain.rows, untrusted: [], trusted: [] })
    expect(files).toContain(folder.resolve('settings.yml'))
  })

  it('are good settings with every # taken away, and name rows that there are', async () => {
    const whole = settingsTemplate('user').replace(/^#(?=\S| {2})(?! {3}(?:dsh|--set))/gm, '')
    await using folder = await tempWorkspace({ 'settings.yml': whole })

    const plan = await readPlan({ composition: COMPOSITION, userSettings: folder.resolve('settings.yml'), env: {} })

    expect(plan.model?.value).toBe('deepseek-flash')
    expect(plan.rows.find(({ id }) => id === 'my-plugin')).toMatchObject({ name: './my-plugin.ts' })
    expect(plan.rows.filter(({ provenance }) => Object.values(provenance).some(({ position }) => position.file.endsWith('settings.yml'))).map(({ id }) => id).toSorted()).toEqual(['approval', 'base-prompt', 'bash-local', 'fs-policy', 'llm-deepseek', 'llm-retry', 'permission-rules', 'repeat-guard', 'tool-fs'])
  })

  it('are written once, for everybody or for the user alone', async () => {
    await using folder = await tempWorkspace()
    initCommand({ file: folder.resolve('.dsh/settings.yml'), of: 'project', terminal })
    initCommand({ file: folder.resolve('home/dsh/settings.yml'), of: 'user', terminal })

    expect([statSync(folder.resolve('.dsh/settings.yml')).mode & 0o777, statSync(folder.resolve('home/dsh/settings.yml')).mode & 0o777]).toEqual([0o644, 0o600])
    await folder.write('.dsh/settings.yml', 'model: mine\n')
    expect(() => initCommand({ file: folder.resolve('.dsh/settings.yml'), of: 'project', terminal })).toThrow(expect.objectContaining({ code: 'USAGE', message: `${folder.resolve('.dsh/settings.yml')} is there already, and is left as it is` }))
    expect(await folder.read('.dsh/settings.yml')).toBe('model: mine\n')
  })
})
