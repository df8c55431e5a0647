import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { setUp } from './set-up.ts'

describe('read', () => {
  it('shows numbered lines in an envelope', async () => {
    await using tools = await setUp({ files: { 'src/a.ts': 'one\n\tt\t\r\n\nlast' } })
    expect(await tools.use('read', { file_path: 'src/a.ts' })).toBe(
      ['<path>src/a.ts</path>', '<type>file</type>', '<content>', '1: one', '2: \tt\t', '3: ', '4: last', '', '(End of file: 4 lines, without a line break after the last.)', '</content>'].join('\n'),
    )
  })

  it('shows a window and says how to go on', async () => {
    await using tools = await setUp({ files: { 'n.txt': Array.from({ length: 9 }, (_, i) => `l${i + 1}\n`).join('') } })
    const foot = async (args: object): Promise<string | undefined> => (await tools.use('read', { file_path: 'n.txt', ...args })).split('\n').at(-2)
    expect(await foot({ limit: 3 })).toBe('(Lines 1-3 of 9. To read on, use offset 4.)')
    expect(await foot({ offset: 4, limit: 2 })).toBe('(Lines 4-5 of 9. To read on, use offset 6.)')
    expect(await foot({ offset: 8 })).toBe('(Lines 8-9 of 9, to the end of the file.)')
    expect(await tools.use('read', { file_path: 'n.txt', offset: 10 })).toBe('!FS_BEYOND_END Error: n.txt has 9 lines; line 10 is after its end')
  })

  it('is bounded by lines, bytes and the length of a line', async () => {
    await using tools = await setUp({ files: { 'n.txt': 'aaaa\n'.repeat(9), 'long.txt': `${'a'.repeat(9)}😀tail\n` }, config: { maxLines: 5, maxBytes: 12, maxLineLength: 10 } })
    expect(await tools.use('read', { file_path: 'n.txt', limit: 100 })).toContain('(Lines 1-2 of 9, cut at the size limit. To read on, use offset 3.)')
    expect(await tools.use('read', { file_path: 'long.txt' })).toContain('1: aaaaaaaaa… (6 more characters of this line not shown)\n')
  })

  it('says what an empty file and an image are', async () => {
    await using tools = await setUp({ files: { 'x.png': '', 'y.png': 'a text, whatever its name\n' } })
    expect(await tools.use('read', { file_path: 'x.png' })).toBe('<path>x.png</path>\n<type>file</type>\n<content>\n(The file is empty.)\n</content>')
    expect(await tools.use('read', { file_path: 'y.png' })).toContain('1: a text, whatever its name')
    await tools.workspace.write('real.dat', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5_000)]))
    expect(await tools.use('read', { file_path: 'real.dat' })).toBe('<path>real.dat</path>\n<type>image</type>\n<content>\n(An image: image/png, 5008 bytes. Its pixels cannot be shown here.)\n</content>')
    await tools.workspace.write('huge.jpg', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(30 << 20)]))
    expect(await tools.use('read', { file_path: 'huge.jpg' })).toContain('(An image: image/jpeg, 31457284 bytes.')
    await tools.workspace.write('x.bin', Buffer.alloc(10))
    expect(await tools.use('read', { file_path: 'x.bin' })).toBe('!FS_NOT_TEXT Error: x.bin is not text: a binary file of 10 bytes')
  })

  it('names an encoding that is not plain UTF-8', async () => {
    await using tools = await setUp()
    await tools.workspace.write('bom', '\ufeffa\n')
    await tools.workspace.write('le', Buffer.from('\ufeffa\n', 'utf16le'))
    await tools.workspace.write('old', Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x0a]))
    const foot = async (file_path: string): Promise<string | undefined> => (await tools.use('read', { file_path })).split('\n').at(-2)
    expect(await foot('bom')).toBe('(Encoding: UTF-8 with a byte order mark, not shown. edit and write keep it.)')
    expect(await foot('le')).toBe('(Encoding: utf-16le with a byte order mark. edit and write keep it.)')
    expect(await foot('old')).toMatch(/^\(This file is not UTF-8\. It is shown as [a-z0-9-]+, which is a guess/)
  })

  it('says which file it took for a name that is not exact', async () => {
    await using tools = await setUp({ files: { 'a\u00a0b.txt': 'x\n' } })
    expect(await tools.use('read', { file_path: 'a b.txt' })).toContain('(No file is named exactly "a b.txt". This is a\u00a0b.txt, whose name looks like it.)')
  })

  it('fails fast on what is no file', async () => {
    await using tools = await setUp()
    execFileSync('mkfifo', [tools.workspace.resolve('pipe')])
    expect(await tools.use('read', { file_path: 'pipe' })).toBe('!FS_NOT_REGULAR_FILE Error: pipe is a named pipe (FIFO), not a regular file')
    expect(await tools.use('read', { file_path: '.' })).toBe('!FS_NOT_REGULAR_FILE Error: . is a directory, not a regular file')
    expect(await tools.use('read', { file_path: 'none' })).toBe('!FS_NOT_FOUND Error: none does not exist')
  })

  it('takes well under 5 ms', async () => {
    await using tools = await setUp({ files: { 'a.ts': 'const x = 1\n'.repeat(1_000) } })
    await tools.use('read', { file_path: 'a.ts' })
    const times: number[] = []
    for (let i = 0; i < 50; i++) {
      const begun = performance.now()
      await tools.use('read', { file_path: 'a.ts' })
      times.push(performance.now() - begun)
    }
    // The median: the machine may be busy with something else now and then.
    expect(times.sort((a, b) => a - b)[25]).toBeLessThan(5)
  })
})
