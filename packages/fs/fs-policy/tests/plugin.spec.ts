import { mkdir, symlink } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { LocalFileSystem } from '@deepseek-ai/dsh-fs-local'
import { harness, runPluginContract, tempWorkspace, type Harness, type Workspace } from '@deepseek-ai/dsh-testkit'
import { outside } from '@deepseek-ai/dsh-scope'
import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { ABSENT, toObservationMeta, type FsTarget } from '@deepseek-ai/dsh-fs'
import * as fsPolicy from '../src/index.ts'

const signal = new AbortController().signal
const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

const changer: ToolDefinition = defineTool({
  name: 'changer',
  description: 'Changes a file.',
  kind: 'edit',
  parameters: { file_path: { type: 'string', required: true } },
  execute: () => Promise.resolve([{ type: 'text', text: 'changed' }]),
})

async function setUp(config: object = {}): Promise<{ h: Harness; workspace: Workspace; target(path: string): Promise<FsTarget> }> {
  const workspace = await tempWorkspace({ 'a.txt': 'one\ntwo\n' })
  open.push(workspace)
  const h = await harness({ tools: [changer], plugins: [LocalFileSystem as never, [fsPolicy as never, config]], create: { meta: { cwd: workspace.path } } })
  open.push(h)
  return { h, workspace, target: path => h.ctx.fs.resolve(path, { cwd: workspace.path, signal }) }
}

const writeIntent = ({ ctx, session }: Harness, target: FsTarget) => ctx.root.waterfall(outside, 'fs/write-intent', target, { session }, () => Promise.resolve(undefined))
const editIntent = ({ ctx, session }: Harness, target: FsTarget) => ctx.root.waterfall(outside, 'fs/edit-intent', target, { session }, () => Promise.resolve(undefined))

describe('what was seen', () => {
  it('decides what a write and an edit depend on', async () => {
    const { h, target } = await setUp()
    const file = await target('a.txt')
    expect(await writeIntent(h, file)).toEqual({ kind: 'createIfAbsent' })
    await expect(editIntent(h, file)).rejects.toMatchObject({ code: 'FS_NOT_OBSERVED' })

    h.ctx.emit('fs/observed', file, { by: 'read', version: 'v1', range: { from: 1, to: 1, total: 2 } }, { session: h.session })
    await expect(writeIntent(h, file)).rejects.toMatchObject({ code: 'FS_PARTLY_OBSERVED', message: 'a.txt would be replaced as a whole, but only lines 1 of 2 were read; read the rest first, or change the part with edit' })
    expect(await editIntent(h, file)).toEqual({ version: 'v1' })

    h.ctx.emit('fs/observed', file, { by: 'read', version: 'v1', range: { from: 2, to: 2, total: 2 } }, { session: h.session })
    expect(await writeIntent(h, file)).toEqual({ kind: 'replaceIfVersion', version: 'v1' })

    h.ctx.emit('fs/observed', file, { by: 'read', version: ABSENT }, { session: h.session })
    expect(await writeIntent(h, file)).toEqual({ kind: 'createIfAbsent' })
    await expect(editIntent(h, file)).rejects.toMatchObject({ code: 'FS_NOT_OBSERVED' })
  })

  it('belongs to one session', async () => {
    const { h, target } = await setUp()
    const file = await target('a.txt')
    h.ctx.emit('fs/observed', file, { by: 'read', version: 'v1' }, { session: h.session })
    const other = h.create()
    await expect(editIntent({ ...h, session: other.agent.session } as Harness, file)).rejects.toMatchObject({ code: 'FS_NOT_OBSERVED' })
    await other.dispose()
  })

  it('is found again in the log of a resumed session', async () => {
    const { h, target } = await setUp()
    const file = await target('a.txt')
    const result = (callId: string, meta: object) => ({ turn: 1, step: 1, callId, content: [], isError: false, meta: meta as never })
    const seed = h.ctx.sessions.prepare('old')
    seed.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
    seed.append('tool/result', result('1', toObservationMeta(file, { by: 'read', version: 'v1' })), { surfaceOp: 'append' })
    seed.append('tool/result', result('2', { fs: { key: file.targetKey, by: 'nonsense' } }), { surfaceOp: 'append' })
    seed.append('tool/result', result('3', toObservationMeta(file, { by: 'edit', version: 'v2' })), { surfaceOp: 'append' })
    seed.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    const resumed = h.ctx.sessions.prepare('new', { seed: seed.events })
    expect(await writeIntent({ ...h, session: resumed } as Harness, file)).toEqual({ kind: 'replaceIfVersion', version: 'v2' })
  })
})

describe('a question', () => {
  async function run({ h, workspace }: { h: Harness; workspace: Workspace }, file_path: string): Promise<string> {
    const result = await h.ctx.tools.execute({ callId: 'c', name: 'changer', arguments: { file_path }, cwd: workspace.path, signal, agent: h.agent })
    return result.error?.code ?? 'done'
  }

  it('comes before writes outside the workspace, through links too, and before files that make things run', async () => {
    const parts = await setUp()
    const { workspace } = parts
    await symlink('/etc', workspace.resolve('etc'))
    await symlink('/etc/new\u00a0dir', workspace.resolve('x\u00a0y'))
    await mkdir(workspace.resolve('.git/hooks'), { recursive: true })
    await symlink('.git', workspace.resolve('innocent'))
    for (const path of ['/etc/x', '../x', 'etc/x', 'etc/../../x', '.git/hooks/pre-commit', 'innocent/config', '.dsh/settings.yml', '~/.bashrc', 'sub/.zshrc']) {
      expect([path, await run(parts, path)]).toEqual([path, 'PERMISSION_REQUIRED'])
    }
    for (const path of ['a.txt', 'new/b.txt', workspace.resolve('a.txt')]) expect([path, await run(parts, path)]).toEqual([path, 'done'])
  })

  it('comes for a name that only looks like one inside', async () => {
    const parts = await setUp()
    const outside = await tempWorkspace({ 'f.txt': '' })
    open.push(outside)
    await symlink(outside.path, parts.workspace.resolve('x\u00a0y'))
    expect(await run(parts, 'x y/f.txt')).toBe('PERMISSION_REQUIRED')
  })

  it('comes before files that another part protects, under any name that leads there', async () => {
    const parts = await setUp()
    const own = parts.workspace.resolve('a.txt')
    await symlink('a.txt', parts.workspace.resolve('alias'))
    parts.h.ctx.root.on('fs-policy/why-protected', path => (path === own ? 'it runs' : undefined))
    expect([await run(parts, 'a.txt'), await run(parts, 'alias'), await run(parts, 'b.txt')]).toEqual(['PERMISSION_REQUIRED', 'PERMISSION_REQUIRED', 'done'])
  })

  it('does not come for directories that the user opened', async () => {
    const outside = await tempWorkspace()
    open.push(outside)
    const parts = await setUp({ writable: [outside.path] })
    expect(await run(parts, outside.resolve('x'))).toBe('done')
    expect(await run(parts, outside.resolve('.dsh/x'))).toBe('PERMISSION_REQUIRED')
  })

  it('does not come for directories that the agent was given', async () => {
    const beside = await tempWorkspace()
    open.push(beside)
    const parts = await setUp()
    const ran = [await run(parts, beside.resolve('x'))]
    parts.h.agent.configure({ directories: [beside.path] })
    ran.push(await run(parts, beside.resolve('x')), await run(parts, beside.resolve('.git/hooks/x')))
    expect(ran).toEqual(['PERMISSION_REQUIRED', 'done', 'PERMISSION_REQUIRED'])
  })

  it('leaves the refusal of another listener as it is', async () => {
    const parts = await setUp()
    parts.h.ctx.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'no' }))
    expect(await run(parts, '/etc/x')).toBe('DENIED')
  })
})

it('says of any path why a change of it needs a permission', async () => {
  await using workspace = await tempWorkspace({ 'src/a.ts': '' })
  await using h = await harness({ plugins: [LocalFileSystem as never, [fsPolicy as never, { writable: ['../beside'] }]] })
  const place = { cwd: workspace.resolve('src'), workspace: workspace.path, signal: AbortSignal.timeout(5000) }
  const ask = (path: string) => h.ctx.serial('fs/why-protected', path, place)

  expect(await ask('a.ts')).toEqual({})
  expect(await ask('../../beside/a')).toEqual({})
  expect(await ask('../../elsewhere')).toEqual({ why: 'it is outside the workspace' })
  expect(await ask('../.GIT/hooks/pre-commit')).toEqual({ why: 'git runs the programs in its hooks directory' })
  expect(await h.ctx.serial('fs/why-protected', '/elsewhere/a', { ...place, directories: ['/elsewhere'] })).toEqual({})
})

it('comes and goes without a trace', async () => {
  expect(await runPluginContract(fsPolicy as never, { config: {}, harness: { plugins: [LocalFileSystem as never] } })).toEqual({
    added: ['listener fs/edit-intent', 'listener fs/observed', 'listener fs/why-protected', 'listener fs/write-intent', 'listener tools/pre-execute'],
  })
})
