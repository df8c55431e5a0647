import { describe, expect, it } from 'vitest'
import { exactPattern, PathPattern } from '../src/index.ts'

const PLACE = { workspace: '/home/me/work', home: '/home/me', searches: false }

function allowed(pattern: string, path: string, searches = false): Promise<boolean> {
  return new PathPattern(pattern, false).matches({ ...PLACE, path, searches })
}

function denied(pattern: string, path: string, searches = false): Promise<boolean> {
  return new PathPattern(pattern, true).matches({ ...PLACE, path, searches })
}

describe('a pattern of paths', () => {
  it.each<[string, string, boolean]>([
    ['./src/**', '/home/me/work/src/a/b.ts', true],
    ['./src/**', '/home/me/work/lib/src/a.ts', false],
    ['./src', '/home/me/work/src/a.ts', true],
    ['src/*.ts', '/home/me/work/src/a.ts', true],
    ['src/*.ts', '/home/me/work/src/a/b.ts', false],
    ['*.pem', '/home/me/work/a/b.pem', true],
    ['build/', '/home/me/work/a/build/x', true],
    ['./**', '/home/me/work/.hidden/x', true],
    ['./**', '/home/me/other/x', false],
    ['./**', '/home/me/workshop/x', false],
    ['../other/**', '/home/me/other/x', true],
    ['/srv/**', '/srv/a', true],
    ['//srv/**', '/srv/a', true],
    ['/src/**', '/home/me/work/src/a', false],
    ['~/notes/**', '/home/me/notes/a', true],
    ['~', '/home/me/notes/a', true],
    ['#notes', '/home/me/work/#notes', true],
    ['./a?.ts', '/home/me/work/ab.ts', true],
    ['./SRC/**', '/home/me/work/src/a.ts', false],
  ])('that allows %s, of %s: %s', async (pattern, path, expected) => {
    expect(await allowed(pattern, path)).toBe(expected)
  })

  it.each<[string, string, boolean]>([
    ['./SRC/**', '/home/me/work/src/a.ts', true],
    ['.ENV', '/home/me/work/a/.env', true],
    ['.env', '/etc/app/.env', true],
    ['*.pem', '/etc/ssl/a.pem', true],
    ['./secrets/**', '/HOME/me/WORK/Secrets/x', true],
    ['./caf\u00e9', '/home/me/work/cafe\u0301', true],
    ['secrets/*.txt', '/etc/secrets/a.txt', false],
  ])('that denies %s, of %s: %s', async (pattern, path, expected) => {
    expect(await denied(pattern, path)).toBe(expected)
  })

  it('holds for a directory that is searched when it holds for everything below it', async () => {
    expect(await denied('./secrets/**', '/home/me/work/secrets', true)).toBe(true)
    expect(await denied('./secrets/**', '/home/me/work/secrets', false)).toBe(false)
    expect(await allowed('./**', '/home/me/work', true)).toBe(true)
    expect(await denied('./secrets/*.key', '/home/me/work/secrets', true)).toBe(false)
  })

  it('made for a file matches that file alone', async () => {
    for (const name of ['a.ts', 'a[1].ts', 'a*b', '#x', '!x', 'a\\b', 'x ', 'sp ace']) {
      const path = `/home/me/work/${name}`
      const pattern = exactPattern(path, PLACE.workspace)
      expect([name, await allowed(pattern, path), await allowed(pattern, `${path}x`), await allowed(pattern, '/home/me/work/a1.ts')]).toEqual([name, true, false, false])
    }
    expect(exactPattern('/etc/hosts', PLACE.workspace)).toBe('/etc/hosts')
  })
})
