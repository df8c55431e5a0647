import { execFileSync } from 'node:child_process'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalBash } from '@deepseek-ai/dsh-bash-local'
import { CommandRegistry } from '@deepseek-ai/dsh-commands'
import { harness, runPluginContract, tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import * as diffCommand from '../src/index.ts'

async function open(repository: boolean) {
  const workspace = await tempWorkspace()
  const git = (...args: string[]): string => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: workspace.path, encoding: 'utf8' })
  if (repository) git('init', '-q')
  const h = await harness({ plugins: [LocalBash, CommandRegistry, diffCommand], create: { meta: { cwd: workspace.path } } })
  return {
    git,
    path: (name: string) => join(workspace.path, name),
    type: async () => await h.ctx.commands.run('/diff', { agent: h.agent, door: {}, signal: new AbortController().signal }),
    async [Symbol.asyncDispose]() {
      await h.dispose()
      await workspace[Symbol.asyncDispose]()
    },
  }
}

describe('/diff', () => {
  it('shows changed, staged and new files, and leaves ignored ones out', async () => {
    await using t = await open(true)
    await writeFile(t.path('a.txt'), 'one\n')
    await writeFile(t.path('.gitignore'), 'secret\n')
    t.git('add', '.')
    t.git('commit', '-qm', 'first')
    expect(await t.type()).toEqual({ kind: 'show', markdown: 'Nothing has changed since the last commit.' })
    await writeFile(t.path('a.txt'), 'two\n')
    await writeFile(t.path('b c.txt'), '```\nnew\n')
    await writeFile(t.path('secret'), 'x\n')
    t.git('add', 'a.txt')

    const result = await t.type()
    const markdown = result?.kind === 'show' ? result.markdown : ''
    expect(markdown).toMatch(/^````diff\n[^]*-one\n\+two\n[^]*\+```\n\+new\n````$/)
    expect(markdown).not.toContain('secret')
  })

  it('works before the first commit', async () => {
    await using t = await open(true)
    await writeFile(t.path('a.txt'), 'one\n')
    t.git('add', '.')
    expect(await t.type()).toEqual({ kind: 'show', markdown: expect.stringContaining('+one') as string })
  })

  it('runs nothing that the repository names', async () => {
    await using t = await open(true)
    await writeFile(t.path('a.txt'), 'one\n')
    t.git('add', '.')
    t.git('commit', '-qm', 'first')
    await writeFile(t.path('a.txt'), 'two\n')
    const program = t.path('.git/evil.sh')
    await writeFile(program, `#!/bin/sh\ntouch "${t.path('ran')}"\ncat "$2" 2>/dev/null\n`)
    await chmod(program, 0o755)
    for (const key of ['core.fsmonitor', 'core.pager', 'diff.external', 'diff.x.command', 'diff.x.textconv', 'pager.diff']) t.git('config', key, program)
    await writeFile(t.path('.git/info/attributes'), '* diff=x\n')

    expect(await t.type()).toEqual({ kind: 'show', markdown: expect.stringContaining('+two') as string })
    expect(await readdir(t.path('.'))).not.toContain('ran')
  })

  it('says so outside a repository', async () => {
    await using t = await open(false)
    await expect(t.type()).rejects.toThrow(expect.objectContaining({ code: 'NO_REPOSITORY' }))
  })
})

it('comes and goes without a trace', async () => {
  await expect(runPluginContract(diffCommand, { harness: { plugins: [LocalBash, CommandRegistry] } })).resolves.toEqual({ added: [] })
})
