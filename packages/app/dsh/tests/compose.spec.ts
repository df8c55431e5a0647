import { join } from 'node:path'
import { tempWorkspace, type Workspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '@deepseek-ai/dsh-command-line'
import { compose, type Composed } from '../src/compose.ts'

const UI = { id: 'ui-text', name: '@deepseek-ai/dsh-ui-text', config: { mode: 'print' } }

function composed(home: Workspace, args: readonly string[]): Promise<Composed> {
  return compose(parseCommandLine(args), UI, { DSH_HOME: home.path })
}

function configOf({ plan }: Pick<Composed, 'plan'>, id: string): unknown {
  return plan.rows.find(row => row.id === id)?.config
}

describe('the plan of a command line', () => {
  it('is the built-in composition with the front door at its end', async () => {
    await using home = await tempWorkspace()
    const { plan, cwd } = await composed(home, ['-p', 'go'])

    expect(cwd).toBe(process.cwd())
    expect(plan.rows.at(0)?.id).toBe('agent-core')
    expect(plan.rows.at(-1)).toMatchObject({ id: 'ui-text', origin: 'command line', config: { mode: 'print' } })
    expect(plan.files[0]).toBe(join(import.meta.dirname, '../../../../cordis.yml'))
  })

  it('takes settings of the user and of the project in --cwd, and --permission before --set', async () => {
    await using home = await tempWorkspace({ 'settings.yml': 'model: mine\ndisable: [tool-todo]\n' })
    await using project = await tempWorkspace({ '.dsh/settings.yml': 'model: ours\nrows:\n  permission-rules: { mode: auto }\n' })

    const result = await composed(home, ['--cwd', project.path, '--set', 'permission-rules.mode=auto', '--permission', 'read-only'])

    expect(result.cwd).toBe(project.path)
    expect(result.plan.model?.value).toBe('ours')
    expect(result.plan.rows.find(({ id }) => id === 'tool-todo')?.disabled).toBe(true)
    expect(configOf(result, 'permission-rules')).toEqual({ mode: 'read-only' })
    expect(result.plan.untrusted.map(({ setting }) => setting)).toEqual(['rows.permission-rules.mode'])
  })

  it('is read anew by reread', async () => {
    await using home = await tempWorkspace({ 'settings.yml': 'model: one\n' })
    const { plan, reread } = await composed(home, ['-p', 'go'])
    await home.write('settings.yml', 'model: two\n')

    expect([plan.model?.value, (await reread()).model?.value]).toEqual(['one', 'two'])
  })

  it('lets settings name a front door that is not mounted', async () => {
    await using home = await tempWorkspace({ 'settings.yml': 'rows:\n  ui-text: { mode: conversation }\n' })

    const { plan } = await compose(parseCommandLine(['explain']), undefined, { DSH_HOME: home.path })

    expect(plan.rows.some(({ id }) => id === 'ui-text')).toBe(false)
  })

  it.each([
    [['--cwd', 'nowhere'], /^--cwd: .*\/nowhere does not exist$/],
    [['--cwd', import.meta.filename], /^--cwd: .*compose\.spec\.ts is not a directory$/],
    [['--config', 'nowhere.yml'], /^--config: .*\/nowhere\.yml does not exist$/],
    [['--config', import.meta.dirname], /^--config: .*tests is not a file$/],
    [['--cwd', join(import.meta.filename, 'below')], /^--cwd: .* cannot be used \(ENOTDIR\)$/],
  ])('is refused for %j', async (args, message) => {
    await using home = await tempWorkspace()
    await expect(composed(home, args)).rejects.toThrow(expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) }))
  })
})
