import { describe, expect, it } from 'vitest'
import { compileGlob } from '../src/name-filter.ts'

const paths = ['a.ts', 'a.js', '.hidden.ts', 'src/b.ts', 'src/deep/c.ts', '.github/w.yml', 'src/[id].ts']

describe('compileGlob', () => {
  it.each([
    ['*.ts', ['a.ts', '.hidden.ts', 'src/b.ts', 'src/deep/c.ts', 'src/[id].ts']],
    ['/*.ts', ['a.ts', '.hidden.ts', 'src/b.ts', 'src/deep/c.ts', 'src/[id].ts']],
    ['src/*.ts', ['src/b.ts', 'src/[id].ts']],
    ['./src/**', ['src/b.ts', 'src/deep/c.ts', 'src/[id].ts']],
    ['src/', ['src/b.ts', 'src/deep/c.ts', 'src/[id].ts']],
    ['**/*.yml', ['.github/w.yml']],
    ['**', paths],
    ['*.{js,yml}', ['a.js', '.github/w.yml']],
    ['[ab].ts', ['a.ts', 'src/b.ts']],
    ['!*.ts', ['a.js', '.github/w.yml']],
    ['src/\\[id\\].ts', ['src/[id].ts']],
  ])('takes %s as %j', async (glob, expected) => {
    expect(paths.filter((await compileGlob(glob)).matches)).toEqual(expected)
  })

  it('tells ripgrep the names where both read the glob alike', async () => {
    expect((await compileGlob('src/**/*.ts')).args).toEqual(['--type-add', 'wanted:*.ts', '--type', 'wanted'])
    const filters = await Promise.all(['*.{js,ts}', '!*.ts', '**', 'src/**', '[ab].ts', 'a:b'].map(compileGlob))
    expect(filters.map(({ args }) => args)).toEqual([[], [], [], [], [], []])
  })

  it('refuses a glob that says nothing', async () => {
    await expect(compileGlob('./')).rejects.toThrow(expect.objectContaining({ code: 'INVALID_PATTERN' }))
    await expect(compileGlob('x'.repeat(1_001))).rejects.toThrow(expect.objectContaining({ code: 'INVALID_PATTERN' }))
  })
})
