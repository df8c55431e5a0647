import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import type { PermissionRulesConfig } from '../src/index.ts'
import { policyBench, type PolicyBench } from './policy-bench.ts'

/** A workspace with links out of it and within it, and a directory outside. */
async function withLinks(config: Partial<PermissionRulesConfig>, work: (bench: PolicyBench, outside: string) => Promise<void>): Promise<void> {
  await using outside = await tempWorkspace({ v: 'x' })
  await using bench = await policyBench(config, { 'src/a.ts': 'x', 'secrets/key': 'x', '.env': 'x' })
  const link = (target: string, name: string): Promise<void> => symlink(target, bench.workspace.resolve(name))
  await link(outside.path, 'out')
  await link(join(outside.path, 'v'), 'note.md')
  await link(join(outside.path, 'not-yet'), 'new.md')
  await link('src', 'inside')
  await link('secrets/key', 'innocent.txt')
  await link('.env', 'settings.txt')
  await mkdir(bench.workspace.resolve('a'))
  await work(bench, outside.path)
}

async function verdicts(bench: PolicyBench, tool: string, paths: readonly string[]): Promise<Record<string, string>> {
  const argument = tool === 'grep' || tool === 'glob' ? 'path' : 'file_path'
  const found: Record<string, string> = {}
  for (const path of paths) found[path] = (await bench.judge(tool, { [argument]: path })).verdict
  return found
}

describe('a change of a file', () => {
  it('out of the workspace is asked in auto mode by whatever way, and within it is not', async () => {
    await withLinks({ mode: 'auto' }, async (bench, outside) => {
      const out = ['out/x', 'note.md', 'new.md', 'a/../../x', join(outside, 'v'), `/proc/self/cwd/../x`, `/proc/self/root${outside}/y`, '~/x', 'out/../x']
      const inside = ['src/a.ts', 'inside/a.ts', 'src/../b.ts', bench.workspace.resolve('c.ts'), 'a/b/c/d.ts']
      for (const tool of ['write', 'edit']) {
        expect(await verdicts(bench, tool, out)).toEqual(Object.fromEntries(out.map(path => [path, path === 'out/../x' ? 'allow' : 'ask'])))
        expect(await verdicts(bench, tool, inside)).toEqual(Object.fromEntries(inside.map(path => [path, 'allow'])))
      }
    })
  })

  it('that rules allow is asked when it would leave the workspace, or make something run', async () => {
    await withLinks({ allow: ['write(/**)', 'edit', 'write(./**)'] }, async bench => {
      expect(await verdicts(bench, 'write', ['src/a.ts', 'out/x', 'note.md', '.git/hooks/pre-commit', '.GIT/Hooks/x', '.dsh/settings.yml'])).toEqual({
        'src/a.ts': 'allow', 'out/x': 'ask', 'note.md': 'ask', '.git/hooks/pre-commit': 'ask', '.GIT/Hooks/x': 'ask', '.dsh/settings.yml': 'ask',
      })
    })
  })

  it('is allowed by the real path alone, and refused by every path', async () => {
    await withLinks({ allow: ['write(./inside/**)', 'write(./a/**)'], deny: ['edit(./src/a.ts)', 'write(./linked/**)'] }, async bench => {
      await symlink('a', bench.workspace.resolve('linked'))
      expect(await verdicts(bench, 'write', ['inside/b.ts', 'src/b.ts', 'a/x', 'linked/x', 'inside/a.ts', 'SRC/A.ts', './a/../src/a.ts'])).toEqual({
        'inside/b.ts': 'ask', 'src/b.ts': 'ask', 'a/x': 'allow', 'linked/x': 'deny', 'inside/a.ts': 'deny', 'SRC/A.ts': 'deny', './a/../src/a.ts': 'deny',
      })
    })
  })

  it('offers to remember changes in the workspace, and of others each time again', async () => {
    await withLinks({}, async bench => {
      expect((await bench.judge('edit', { file_path: 'src/a.ts' })).remember).toEqual(['edit(./**)', 'write(./**)'])
      expect((await bench.judge('write', { file_path: 'out/a.ts' })).remember).toEqual([])
    })
  })
})

describe('a look at a file', () => {
  it('that is locked away is refused to every tool, under every name', async () => {
    await withLinks({ mode: 'auto', deny: ['read(./secrets/**)'] }, async bench => {
      expect(await verdicts(bench, 'read', ['secrets/key', 'innocent.txt', './src/../secrets/key', 'Secrets/KEY', 'src/a.ts'])).toEqual({
        'secrets/key': 'deny', 'innocent.txt': 'deny', './src/../secrets/key': 'deny', 'Secrets/KEY': 'deny', 'src/a.ts': 'allow',
      })
      expect(await verdicts(bench, 'grep', ['secrets', 'secrets/key', 'src'])).toEqual({ secrets: 'deny', 'secrets/key': 'deny', src: 'allow' })
      expect(await verdicts(bench, 'glob', ['secrets', 'src'])).toEqual({ secrets: 'deny', src: 'allow' })
      expect((await bench.judge('glob', { pattern: `${bench.workspace.path}/secrets/*` })).verdict).toBe('deny')
    })
  })

  it('that holds secrets is asked in every mode, and a rule lets it through', async () => {
    for (const mode of ['ask', 'auto', 'read-only'] as const) {
      await withLinks({ mode }, async bench => {
        expect(await bench.judge('read', { file_path: 'settings.txt' })).toEqual({ verdict: 'ask', reason: '.env is known to hold secrets', remember: ['read(./.env)'] })
      })
    }
    await withLinks({ allow: ['read(./.env)'] }, async bench => {
      expect(await verdicts(bench, 'read', ['.env', 'settings.txt', 'secrets/id_rsa'])).toEqual({ '.env': 'allow', 'settings.txt': 'allow', 'secrets/id_rsa': 'ask' })
      expect((await bench.line('cat .env')).verdict).toBe('allow')
    })
  })
})

describe('other tools', () => {
  it('are allowed, asked and refused by name and by host', async () => {
    await using bench = await policyBench({ allow: ['mcp__git__*', 'web_fetch(domain:example.org)'], ask: ['todo_write'], deny: ['mcp__git__push', 'web_fetch(domain:*.evil.net)'] })
    const judge = async (tool: string, args = {}, kind?: 'fetch' | 'think'): Promise<string> => (await bench.judge(tool, args, kind ? { kind } : {})).verdict

    expect([await judge('mcp__git__log'), await judge('mcp__git__push'), await judge('mcp__other__x'), await judge('todo_write', {}, 'think')]).toEqual(['allow', 'deny', 'ask', 'ask'])
    expect([await judge('web_fetch', { url: 'https://example.org/a' }), await judge('web_fetch', { url: 'https://www.example.org/a' }), await judge('web_fetch', { url: 'http://a.evil.net' })]).toEqual(['allow', 'ask', 'deny'])
    expect((await bench.judge('web_fetch', { url: 'https://www.example.org/a' })).remember).toEqual(['web_fetch(domain:www.example.org)'])
    expect((await bench.judge('mcp__other__x', {})).remember).toEqual(['mcp__other__x'])
  })

  it('are refused in a session that only reads, whatever rules allow', async () => {
    await using bench = await policyBench({ mode: 'read-only', allow: ['mcp__git__log', 'edit', 'write'] })
    expect([(await bench.judge('mcp__git__log', {})).verdict, (await bench.judge('write', { file_path: 'a' })).verdict, (await bench.judge('mcp__git__log', {}, { kind: 'read' })).verdict]).toEqual(['deny', 'deny', 'allow'])
  })
})
