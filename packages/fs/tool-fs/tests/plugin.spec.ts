import { describe, expect, it } from 'vitest'
import { LocalFileSystem } from '@deepseek-ai/dsh-fs-local'
import { call, calls, eventsOf, harness, reply, runPluginContract } from '@deepseek-ai/dsh-testkit'
import * as toolFs from '../src/index.ts'
import { setUp } from './set-up.ts'

it('comes and goes without a trace', async () => {
  expect(await runPluginContract(toolFs as never, { config: {}, harness: { plugins: [LocalFileSystem as never] } })).toEqual({ added: ['tool edit', 'tool read', 'tool write'] })
})

it('tells the model little, and the loop what may overlap', async () => {
  await using tools = await setUp()
  const schemas = tools.h.ctx.tools.schemas()
  expect(JSON.stringify(schemas).length).toBeLessThan(3_000)
  const kinds = schemas.map(({ name }) => [name, tools.h.ctx.tools.get(name)?.kind, tools.h.ctx.tools.concurrencyOf({ name, arguments: {} })])
  expect(kinds).toEqual([['edit', 'edit', 'exclusive'], ['read', 'read', 'parallel'], ['write', 'edit', 'exclusive']])
})

it('works without policies, and without an agent', async () => {
  await using tools = await setUp({ files: { 'a.txt': 'a' }, unguarded: true })
  expect(await tools.use('edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' })).toBe('Edited a.txt: 1 replacement at line 1.')
  expect(await tools.use('write', { file_path: 'a.txt', content: 'c' })).toBe('Updated a.txt (1 line, before 1).')
})

describe('in a conversation', () => {
  it('lands every edit of one message, and needs no second read in the next turn', async () => {
    const edits = [10, 20, 30, 40, 50, 60].map(n => ({ name: 'edit', arguments: { file_path: n % 20 ? './n.txt' : 'n.txt', old_string: `\n${n}\n`, new_string: `\nword ${n}\n` } }))
    await using tools = await setUp({
      files: { 'n.txt': Array.from({ length: 100 }, (_, i) => `${i + 1}\n`).join('') },
      model: [call('read', { file_path: 'n.txt' }), calls(edits), reply('done'), call('edit', { file_path: 'n.txt', old_string: '\n70\n', new_string: '\nword 70\n' }), reply('done')],
    })
    await tools.h.run('go')
    await tools.h.run('and one more')
    expect(eventsOf(tools.h, 'tool/result').map(({ data }) => data.isError)).toEqual(Array.from({ length: 8 }, () => false))
    expect((await tools.workspace.read('n.txt')).match(/word/g)).toHaveLength(7)
  })

  it('knows after a resume what it had read', async () => {
    await using tools = await setUp({ files: { 'n.txt': 'one\ntwo\n', 'm.txt': 'm\n' }, model: [call('read', { file_path: 'n.txt' }), call('edit', { file_path: 'n.txt', old_string: 'one', new_string: '1' }), reply('done')] })
    await tools.h.run('go')
    const seed = tools.h.session.events.map(event => structuredClone(event))
    const { agent, dispose } = tools.h.create({ sessionId: 'resumed', seed, meta: { cwd: tools.workspace.path } })
    const use = (file_path: string) => tools.h.ctx.tools.execute({ callId: 'x', name: 'write', arguments: { file_path, content: 'new\n' }, cwd: tools.workspace.path, signal: new AbortController().signal, agent })
    expect([(await use('n.txt')).isError, (await use('m.txt')).error?.code]).toEqual([false, 'FS_NOT_OBSERVED'])
    await dispose()
  })

  it('keeps its results within what the log can hold', async () => {
    await using h = await harness({ plugins: [LocalFileSystem as never, [toolFs as never, {}]], model: [call('read', { file_path: import.meta.filename }), reply('done')] })
    expect(await h.run('go')).toContain('keeps its results within what the log can hold')
  })
})
