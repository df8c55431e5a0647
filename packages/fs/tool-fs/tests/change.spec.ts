import { chmod, stat, symlink, utimes } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import { setUp } from './set-up.ts'

const TEXT = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join('')

describe('write', () => {
  it('creates, replaces what was read, and says how much', async () => {
    await using tools = await setUp()
    expect(await tools.use('write', { file_path: 'deep/a.txt', content: 'one\ntwo\n' })).toBe('Created deep/a.txt (2 lines).')
    expect(await tools.use('write', { file_path: 'deep/a.txt', content: 'one\n' })).toBe('Updated deep/a.txt (1 line, before 2).')
    expect(await tools.use('write', { file_path: 'deep/a.txt', content: 'one\n' })).toBe('deep/a.txt has exactly this content already (1 line); it was not touched.')
    expect(await tools.workspace.read('deep/a.txt')).toBe('one\n')
  })

  it('refuses a file that was never read, whatever the content, and takes it afterwards', async () => {
    await using tools = await setUp({ files: { 'notes.md': 'x\n'.repeat(400) } })
    const refusal = '!FS_NOT_OBSERVED Error: notes.md exists already (400 lines) and was not read; read it before you overwrite it'
    expect(await tools.use('write', { file_path: 'notes.md', content: 'short\n' })).toBe(refusal)
    expect(await tools.use('write', { file_path: './notes.md', content: '' })).toContain('!FS_NOT_OBSERVED')
    expect(await tools.workspace.read('notes.md')).toBe('x\n'.repeat(400))
    await tools.use('read', { file_path: 'notes.md' })
    expect(await tools.use('write', { file_path: 'notes.md', content: '' })).toBe('Updated notes.md (0 lines, before 400).')
  })

  it('refuses after a part was read, until the rest was', async () => {
    await using tools = await setUp({ files: { 'n.txt': TEXT } })
    await tools.use('read', { file_path: 'n.txt', limit: 4 })
    expect(await tools.use('write', { file_path: 'n.txt', content: 'x' })).toMatch(/^!FS_PARTLY_OBSERVED .*only lines 1-4 of 10 were read/)
    await tools.use('read', { file_path: 'n.txt', offset: 5 })
    expect(await tools.use('write', { file_path: 'n.txt', content: 'x' })).toBe('Updated n.txt (1 line, before 10).')
  })

  it('does not loop when the file was deleted meanwhile', async () => {
    await using tools = await setUp({ files: { 'a.txt': 'a' } })
    const { rm } = await import('node:fs/promises')
    await tools.use('read', { file_path: 'a.txt' })
    await rm(tools.workspace.resolve('a.txt'))
    expect(await tools.use('write', { file_path: 'a.txt', content: 'b' })).toMatch(/^!FS_STALE_VERSION .*was deleted since/)
    expect(await tools.use('write', { file_path: 'a.txt', content: 'b' })).toBe('Created a.txt (1 line).')
    await rm(tools.workspace.resolve('a.txt'))
    expect(await tools.use('read', { file_path: 'a.txt' })).toContain('!FS_NOT_FOUND')
    expect(await tools.use('write', { file_path: 'a.txt', content: 'c' })).toBe('Created a.txt (1 line).')
  })

  it('tells when it changes all line ends, and keeps a byte order mark', async () => {
    await using tools = await setUp({ files: { 'a.txt': '\ufeffone\r\ntwo\r\n' } })
    await tools.use('read', { file_path: 'a.txt' })
    expect(await tools.use('write', { file_path: 'a.txt', content: 'one\n' })).toBe('Updated a.txt (1 line, before 2). Its encoding was kept: utf-8 with a byte order mark. Its line ends were CRLF and are LF now.')
    expect(await tools.workspace.read('a.txt')).toBe('\ufeffone\n')
  })

  it('refuses the whole read view with its line numbers', async () => {
    await using tools = await setUp({ files: { 'a.txt': 'one\ntwo\n', 'data.txt': '1: one\n2: two\n' } })
    await tools.use('read', { file_path: 'a.txt' })
    await tools.use('read', { file_path: 'data.txt' })
    expect(await tools.use('write', { file_path: 'a.txt', content: '1: one\n2: 2\n' })).toContain('!FS_LINE_NUMBERS')
    expect(await tools.use('write', { file_path: 'data.txt', content: '1: one\n2: 2\n' })).toBe('Updated data.txt (2 lines, before 2).')
  })

  it('refuses a path that names a directory', async () => {
    await using tools = await setUp()
    expect(await tools.use('write', { file_path: 'new/', content: '' })).toBe('!FS_INVALID_PATH Error: "new/" names a directory; directories are made when a file is written into them')
  })

  it('leaves mode and an unchanged file alone', async () => {
    await using tools = await setUp({ files: { 'run.sh': 'old' } })
    const path = tools.workspace.resolve('run.sh')
    await chmod(path, 0o755)
    await utimes(path, 1_000, 1_000)
    await tools.use('read', { file_path: 'run.sh' })
    await tools.use('write', { file_path: 'run.sh', content: 'old' })
    expect((await stat(path)).mtimeMs).toBe(1_000_000)
    await tools.use('write', { file_path: 'run.sh', content: 'new' })
    expect((await stat(path)).mode & 0o777).toBe(0o755)
  })
})

describe('edit', () => {
  it('replaces one, all, or several at once', async () => {
    await using tools = await setUp({ files: { 'n.txt': TEXT } })
    await tools.use('read', { file_path: 'n.txt' })
    const edit = (args: JsonObject): Promise<string> => tools.use('edit', { file_path: 'n.txt', ...args })
    expect(await edit({ old_string: 'line 3', new_string: 'LINE 3' })).toBe('Edited n.txt: 1 replacement at line 3.')
    expect(await edit({ old_string: 'line', new_string: 'row', replace_all: true })).toBe('Edited n.txt: 9 replacements, first at line 1.')
    expect(await edit({ edits: [{ old_string: 'row 1\n', new_string: '' }, { old_string: 'row', new_string: 'r', replace_all: true }] })).toBe('Edited n.txt: 2 edits, 9 replacements, first at lines 1, 1.')
    expect(await tools.workspace.read('n.txt')).toBe('r 2\nLINE 3\nr 4\nr 5\nr 6\nr 7\nr 8\nr 9\nr 10\n')
  })

  it('takes exactly one of its two forms', async () => {
    await using tools = await setUp({ files: { 'a.txt': 'a' } })
    await tools.use('read', { file_path: 'a.txt' })
    const edits = [{ old_string: 'a', new_string: 'b' }]
    expect(await tools.use('edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b', edits })).toContain('!FS_INVALID_EDIT')
    expect(await tools.use('edit', { file_path: 'a.txt' })).toContain('!FS_INVALID_EDIT')
    expect(await tools.use('edit', { file_path: 'a.txt', old_string: '', new_string: 'b' })).toContain('!FS_INVALID_EDIT Error: the old text is empty')
    expect(await tools.use('edit', { file_path: 'a.txt', old_string: '', new_string: '', edits })).toBe('Edited a.txt: 1 replacement at line 1.')
  })

  it('applies all or nothing, and again without harm', async () => {
    await using tools = await setUp({ files: { 'n.txt': TEXT } })
    await tools.use('read', { file_path: 'n.txt' })
    const edits = [{ old_string: 'line 1\n', new_string: 'X\nline 1\n' }, { old_string: 'missing', new_string: '' }]
    for (let i = 0; i < 2; i++) expect(await tools.use('edit', { file_path: 'n.txt', edits })).toMatch(/^!FS_EDIT_NOT_FOUND Error: edits\[1\] of 2 failed, so none was applied/)
    expect(await tools.workspace.read('n.txt')).toBe(TEXT)
  })

  it('needs a file that was read, a part is enough', async () => {
    await using tools = await setUp({ files: { 'n.txt': TEXT } })
    const edit = { file_path: 'n.txt', old_string: 'line 9', new_string: 'nine' }
    expect(await tools.use('edit', edit)).toBe('!FS_NOT_OBSERVED Error: n.txt was not read yet; read it before you edit it')
    await tools.use('read', { file_path: 'n.txt', limit: 1 })
    expect(await tools.use('edit', edit)).toBe('Edited n.txt: 1 replacement at line 9.')
  })

  it('notices a change by someone else, but not its own', async () => {
    await using tools = await setUp({ files: { 'n.txt': TEXT } })
    const edit = (n: number): Promise<string> => tools.use('edit', { file_path: 'n.txt', old_string: `line ${n}\n`, new_string: `${n}\n` })
    await tools.use('read', { file_path: 'n.txt' })
    expect([await edit(2), await edit(3)]).toEqual(['Edited n.txt: 1 replacement at line 2.', 'Edited n.txt: 1 replacement at line 3.'])
    await tools.workspace.write('n.txt', TEXT)
    expect(await edit(4)).toBe('!FS_STALE_VERSION Error: n.txt has changed since it was last read; read it again before changing it')
    await tools.use('read', { file_path: 'n.txt' })
    await utimes(tools.workspace.resolve('n.txt'), 1_000, 1_000)
    expect(await edit(4)).toBe('Edited n.txt: 1 replacement at line 4.')
  })

  it('lets all parallel edits land, through any spelling', async () => {
    await using tools = await setUp({ files: { 'n.txt': TEXT } })
    await symlink('n.txt', tools.workspace.resolve('link'))
    await tools.use('read', { file_path: 'n.txt' })
    const results = await Promise.all([2, 3, 4, 5, 6, 7].map(n => tools.use('edit', { file_path: ['n.txt', './n.txt', 'link'][n % 3] ?? '', old_string: `line ${n}\n`, new_string: `word ${n}\n` })))
    expect(results.filter(result => result.startsWith('!'))).toEqual([])
    expect((await tools.workspace.read('n.txt')).match(/word/g)).toHaveLength(6)
  })

  it('takes text as the read view shows it, with or without the numbers', async () => {
    await using tools = await setUp({ files: { Makefile: 'all:\n\techo hi\n\techo bye\n' } })
    const view = (await tools.use('read', { file_path: 'Makefile' })).split('\n')
    const line = view.find(each => each.includes('hi')) ?? ''
    expect(await tools.use('edit', { file_path: 'Makefile', old_string: line.replace(/^\d+: /, ''), new_string: '\techo HI' })).toContain('Edited')
    const next = view.find(each => each.includes('bye')) ?? ''
    expect(await tools.use('edit', { file_path: 'Makefile', old_string: next, new_string: '3: \techo BYE' })).toContain('Edited')
    expect(await tools.use('edit', { file_path: 'Makefile', old_string: '\techo BYE', new_string: '3: \techo bye' })).toContain('!FS_LINE_NUMBERS')
    expect(await tools.workspace.read('Makefile')).toBe('all:\n\techo HI\n\techo BYE\n')
  })
})

describe('the picture of a change', () => {
  it('is kept beside the result, with the observation', async () => {
    await using tools = await setUp({ files: { 'n.txt': TEXT } })
    await tools.use('read', { file_path: 'n.txt' })
    const args = { file_path: 'n.txt', old_string: 'line 5', new_string: 'five\nand a half' }
    const meta = await tools.meta('edit', args)
    const path = tools.workspace.resolve('n.txt')
    const hunk = { line: 2, oldText: 'line 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\n', newText: 'line 2\nline 3\nline 4\nfive\nand a half\nline 6\nline 7\nline 8\n' }
    expect(meta).toEqual({ fs: { key: path, by: 'edit', version: expect.any(String) }, path, operation: 'update', added: 2, removed: 1, hunks: [hunk] })
    const tool = tools.h.ctx.tools.get('edit')
    expect(tool?.presentResult?.(args, { content: [], isError: false, ...(meta !== undefined && { meta }) })).toEqual({ card: 'diff', diffs: [{ path, oldText: hunk.oldText, newText: hunk.newText }] })
    expect(tool?.presentCall?.(args)).toEqual({ card: 'diff', title: 'Edit n.txt', diffs: [{ path: 'n.txt', oldText: 'line 5', newText: 'five\nand a half' }], locations: [{ path: 'n.txt' }] })
  })

  it('is bounded in time and size', async () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `  "key${i}": "some value to make it long ${i}",`)
    await using tools = await setUp({ files: { 'big.json': lines.join('\n'), 'same.txt': 'same line\n'.repeat(10_000) } })
    for (let offset = 1; offset <= 50_000; offset += 700) await tools.use('read', { file_path: 'big.json', offset })
    for (let offset = 1; offset <= 10_000; offset += 2_000) await tools.use('read', { file_path: 'same.txt', offset })
    const begun = performance.now()
    const reversed = await tools.meta('write', { file_path: 'big.json', content: lines.toReversed().join('\n') })
    const replaced = await tools.meta('edit', { file_path: 'same.txt', old_string: 'same', new_string: 'other', replace_all: true })
    const created = await tools.meta('write', { file_path: 'new.txt', content: 'x\n'.repeat(20_000) })
    expect(performance.now() - begun).toBeLessThan(2_000)
    expect([reversed, replaced]).toMatchObject([{ added: 50_000, removed: 50_000 }, { added: 10_000, removed: 10_000 }])
    expect(JSON.stringify([reversed, replaced, created]).length).toBeLessThan(2_000)
    expect(tools.h.ctx.tools.get('write')?.presentResult?.({ file_path: 'big.json', content: '' }, { content: [], isError: false, ...(reversed !== undefined && { meta: reversed }) })).toEqual({ card: 'generic', title: 'too large to show: 50000 lines changed', content: [] })
    expect((await tools.workspace.read('same.txt')).startsWith('other line\nother line')).toBe(true)
  })
})
