import { access, readdir, symlink } from 'node:fs/promises'
import type { Context, Plugin } from 'cordis'
import { ApprovalService, type ApprovalAnswer, type ApprovalQuestion } from '@deepseek-ai/dsh-approval'
import { LocalBash } from '@deepseek-ai/dsh-bash-local'
import { LocalFileSystem } from '@deepseek-ai/dsh-fs-local'
import * as fsPolicy from '@deepseek-ai/dsh-fs-policy'
import { call, eventsOf, harness, reply, tempWorkspace, textTool, type Harness, type Workspace } from '@deepseek-ai/dsh-testkit'
import { projectName } from '@deepseek-ai/dsh-session-persistence'
import * as toolBash from '@deepseek-ai/dsh-tool-bash'
import * as toolFs from '@deepseek-ai/dsh-tool-fs'
import { COMMANDS } from '@deepseek-ai/dsh-shell-commands/commands'
import { describe, expect, it } from 'vitest'
import * as permissionRules from '../src/index.ts'
import type { PermissionRulesConfig } from '../src/index.ts'

type Call = readonly [tool: string, args: Record<string, unknown>]

interface Setting {
  config?: Partial<PermissionRulesConfig>
  /** Answers every question; without it nobody is there. */
  answer?: (question: ApprovalQuestion) => ApprovalAnswer
  files?: Record<string, string>
  /** Called before anything runs. */
  prepare?: (workspace: Workspace, kept: Workspace) => Promise<void>
}

/** Calls, one a turn, through real tools in a real workspace. */
async function runCalls(calls: readonly Call[], { config, answer, files, prepare }: Setting, look: (h: Harness, workspace: Workspace, kept: Workspace) => Promise<void>): Promise<ApprovalQuestion[]> {
  await using workspace = await tempWorkspace(files ?? { 'a.txt': 'x' })
  await using kept = await tempWorkspace()
  await prepare?.(workspace, kept)
  const asked: ApprovalQuestion[] = []
  await using h = await harness({
    model: calls.flatMap(([tool, args]) => [call(tool, args as never), reply('ok')]),
    create: { meta: { cwd: workspace.path } },
    plugins: [
      ApprovalService, LocalFileSystem as Plugin, [fsPolicy as Plugin, { writable: [] }], [LocalBash as Plugin, {}], toolBash, [toolFs as Plugin, {}],
      [permissionRules, { directory: kept.path, ...config }],
      { name: 'front-door', inject: ['approval'], apply: (ctx: Context) => void (answer && ctx.approval.setAnswerer({ approve: async question => {
        asked.push(question)
        return answer(question)
      } })) },
    ],
  })
  for (const _ of calls) await h.run('go')
  await look(h, workspace, kept)
  return asked
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false)
}

const NO = (): ApprovalAnswer => ({ kind: 'deny' })

function codes(h: Harness): (string | undefined)[] {
  return eventsOf(h, 'tool/result').map(({ data }) => data.error?.code)
}

describe('what changes something', () => {
  it('never runs when the user says no, whatever an allowed command it is tied to', async () => {
    const lines = COMMANDS.filter(({ changes, verdicts }) => changes && verdicts.ask === 'ask').map(({ line }) => line).filter((line, at) => /git status|\bP\b/.test(line) && at % 3 === 0)
    expect(lines.length).toBeGreaterThan(30)
    const asked = await runCalls(lines.map(command => ['bash', { command }] as const), { config: { allow: ['bash(git status)', 'bash(git status *)'], deny: ['bash(rm *)'] }, answer: NO }, async (h, workspace) => {
      expect(codes(h)).toEqual(lines.map(() => 'DENIED'))
      expect(await isThere(workspace.resolve('P'))).toBe(false)
    })
    expect(asked.length).toBeGreaterThan(25)
  }, 60_000)

  it('does not touch what binds it, in auto mode, by tool or by command', async () => {
    const files = ['.git/hooks/pre-commit', '.git/config', '.dsh/settings.yml', '.GIT/hooks/post-merge', '../outside', 'alias/pre-commit']
    const calls: Call[] = files.flatMap(path => [['write', { file_path: path, content: 'x' }], ['bash', { command: `echo x > ${path}` }], ['bash', { command: `echo x | tee -a ${path}` }], ['bash', { command: `cp a.txt ${path}` }]] as Call[])
    await runCalls([['bash', { command: 'mkdir hooks && ln -s .git/hooks alias' }], ...calls], { config: { mode: 'auto' }, answer: NO, files: { 'a.txt': 'x', '.git/config': 'old', '.git/hooks/a': '' } }, async (h, workspace) => {
      const [first, ...rest] = codes(h)
      expect([first, new Set(rest)]).toEqual([undefined, new Set(['DENIED'])])
      expect(await workspace.read('.git/config')).toBe('old')
      for (const path of files.filter(each => each !== '.git/config')) expect([path, await isThere(workspace.resolve(path))]).toEqual([path, false])
    })
  })

  it('needs somebody to ask, and says how it would have been allowed', async () => {
    await runCalls([['bash', { command: 'ls && touch P' }], ['bash', { command: 'touch P && rm a.txt' }]], {}, async (h, workspace) => {
      expect(await isThere(workspace.resolve('P'))).toBe(false)
      expect(codes(h)).toEqual(['PERMISSION_REQUIRED', 'PERMISSION_REQUIRED'])
      const texts = eventsOf(h, 'tool/result').map(({ data: { content: [block] } }) => (block?.type === 'text' ? block.text : ''))
      expect(texts[0]).toMatch(/touch P: .*; to allow it, run with --permission auto, or add bash\(touch P\) to rows\.permission-rules\.allow in your settings\.yml$/)
      expect(texts[1]).toMatch(/it needs somebody who is asked and agrees$/)
    })
  })
})

describe('an answer', () => {
  it('shows the parts, and is remembered for the session exactly as it was shown', async () => {
    const calls: Call[] = ['touch P', 'touch P', 'touch Q', 'ls; touch P'].map(command => ['bash', { command }] as const)
    const asked = await runCalls(calls, { answer: ({ arguments: { command } }) => (command === 'touch P' ? { kind: 'allow', scope: 'session' } : { kind: 'deny' }) }, async h => {
      expect(codes(h)).toEqual([undefined, undefined, 'DENIED', undefined])
      expect(h.ctx.approval.remembered(h.session)).toEqual(['bash(touch P)'])
    })
    expect(asked.map(({ arguments: { command }, remember, parts }) => [command, remember, parts?.map(part => `${part.verdict} ${part.text}`)])).toEqual([
      ['touch P', ['bash(touch P)'], ['ask touch P']], ['touch Q', ['bash(touch Q)'], ['ask touch Q']],
    ])
  })

  it('for the project is kept in a file of the user, and not in the project', async () => {
    await runCalls([['bash', { command: 'touch P' }]], { answer: () => ({ kind: 'allow', scope: 'project' }) }, async (h, workspace, kept) => {
      const rules = await h.ctx.approval.policy?.rules(workspace.path, undefined, AbortSignal.timeout(1000))
      expect(rules).toEqual([{ action: 'allow', text: 'bash(touch P)', source: expect.stringMatching(/\.yml:2$/) as string, allowed: { scope: 'project', time: expect.any(Number) as number, session: h.session.id } }])
      expect(rules?.[0]?.source.startsWith(kept.path)).toBe(true)
      expect(await isThere(workspace.resolve('.dsh'))).toBe(false)
    })
  })

  it.each(['session', 'project'] as const)('for the %s that is taken back is asked again by the next call, also when the session is resumed', async scope => {
    const touch = ['bash', { command: 'touch P' }] as const
    const asked = await runCalls([touch, touch], { answer: () => ({ kind: 'allow', scope }) }, async (h, workspace, kept) => {
      expect((await h.ctx.approval.policy?.judge({ tool: 'bash', arguments: touch[1], cwd: workspace.path, session: h.session }, AbortSignal.timeout(1000)))?.verdict).toBe('allow')
      expect(await h.ctx.approval.revoke(h.session, 'bash(touch P)', AbortSignal.timeout(1000))).toBe(true)
      const { agent: resumed } = h.create({ seed: h.session.events })
      for (const session of [h.session, resumed.session, undefined]) {
        expect(await h.ctx.approval.policy?.rules(workspace.path, session, AbortSignal.timeout(1000))).toEqual([])
        expect((await h.ctx.approval.policy?.judge({ tool: 'bash', arguments: touch[1], cwd: workspace.path, ...(session && { session }) }, AbortSignal.timeout(1000)))?.verdict).toBe('ask')
      }
      const [file] = await readdir(kept.path)
      if (file !== undefined) expect(await kept.read(file)).not.toContain('touch P')
    })
    expect(asked).toHaveLength(1)
  })

  it('for the project that cannot be kept holds for the session, and that is told', async () => {
    await runCalls([['bash', { command: 'touch P' }], ['bash', { command: 'touch P' }]], { prepare: (workspace, kept) => symlink('nowhere', kept.resolve(`${projectName(workspace.path)}.yml`)), answer: () => ({ kind: 'allow', scope: 'project' }) }, async h => {
      expect(codes(h)).toEqual([undefined, undefined])
      expect(h.log).toEqual([{ type: 'warn', text: expect.stringMatching(/^bash\(touch P\) was allowed for the project, but could only be kept for this session/) as string }])
    })
  })
})

describe('an agent below another', () => {
  async function childCode(parentMode: string, childMode: string): Promise<string | undefined> {
    let ran = 0
    await using h = await harness({ model: [call('act'), reply('ok')], tools: [{ ...textTool('act', () => `${++ran}`), kind: 'edit' }], plugins: [ApprovalService, [permissionRules, { mode: 'auto', directory: '/nowhere' }]] })
    const child = h.create({ parent: h.agent })
    h.ctx.approval.setMode(h.session, parentMode)
    h.ctx.approval.setMode(child.agent.session, childMode)
    child.agent.send('go')
    await child.agent.whenIdle()
    const code = child.agent.session.events.flatMap(event => (event.type === 'tool/result' ? [event.data.error?.code ?? 'RAN'] : []))[0]
    expect(ran).toBe(code === 'RAN' ? 1 : 0)
    await child.dispose()
    return code
  }

  it('may do no more than those above it', async () => {
    expect(await childCode('auto', 'auto')).toBe('RAN')
    expect(await childCode('read-only', 'auto')).toBe('READ_ONLY')
    expect(await childCode('ask', 'auto')).toBe('PERMISSION_REQUIRED')
    expect(await childCode('auto', 'read-only')).toBe('READ_ONLY')
  })
})

describe('a policy that fails', () => {
  it('lets nothing run, and says why', async () => {
    await using kept = await tempWorkspace()
    let ran = 0
    await using h = await harness({ model: [call('act'), reply('ok')], tools: [{ ...textTool('act', () => `${++ran}`), kind: 'read' }], plugins: [ApprovalService, [permissionRules, { mode: 'auto', directory: `${await kept.write('file', '')}` }]] })
    await h.run('go')

    expect([ran, codes(h)]).toEqual([0, ['POLICY_FAILED']])
    expect(h.log).toEqual([{ type: 'error', text: expect.stringMatching(/^the permission policy could not judge a call of act: ENOTDIR/) as string }])
  })

  it('warns of rules that never hold when the first agent comes', async () => {
    await using h = await harness({ plugins: [ApprovalService, [permissionRules, { deny: ['bahs'], directory: '/nowhere' }]], tools: [textTool('bash', () => '')] })
    h.create()
    h.create()
    expect(h.log).toEqual([{ type: 'warn', text: 'permission-rules.deny[0]: the rule bahs never holds: there is no tool bahs; did you mean bash?' }])
  })
})
