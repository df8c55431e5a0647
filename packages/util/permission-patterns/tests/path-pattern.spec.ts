import { describe, expect, it } from 'vitest'
import { exactPattern, PathPattern } from '../src/index.ts'

const PLACE = { workspace: '/of/me/work', home: '/of/me', searches: false }

function allowed(pattern: string, path: string, searches = false): Promise<boolean> {
  return new PathPattern(pattern, false).matches({ ...PLACE, path, searches })
}

function denied(pattern: string, path: string, searches = false): Promise<boolean> {
  return new PathPattern(pattern, true).matches({ ...PLACE, path, searches })
}

describe('a pattern of paths', () => {
  it.each<[string, string, boolean]>([
    ['./src/**', '/of/me/work/src/a/b.ts', true],
    ['./src/**', '/of/me/work/lib/src/a.ts', false],
    ['./src', '/of/me/work/src/a.ts', true],
    ['src/*.ts', '/of/me/work/src/a.ts', true],
    ['src/*.ts', '/of/me/work/src/a/b.ts', false],
    ['*.pem', '/of/me/work/a/b.pem', true],
    ['build/', '/of/me/work/a/build/x', true],
    ['./**', '/of/me/work/.hidden/x', true],
    ['./**', '/of/me/other/x', false],
    ['./**', '/of/me/workshop/x', false],
    ['../other/**', '/of/me/other/x', true],
    ['/srv/**', '/srv/a', true],
    ['//srv/**', '/srv/a', true],
    ['/src/**', '/of/me/work/src/a', false],
    ['~/notes/**', '/of/me/notes/a', true],
    ['~', '/of/me/notes/a', true],
    ['#notes', '/of/me/work/#notes', true],
    ['./a?.ts', '/of/me/work/ab.ts', true],
    ['./SRC/**', '/of/me/work/src/a.ts', false],
  ])('that allows %s, of %s: %s', async (pattern, path, expected) => {
    expect(await allowed(pattern, path)).toBe(expected)
  })

  it.each<[string, string, boolean]>([
    ['./SRC/**', '/of/me/work/src/a.ts', true],
    ['.ENV', '/of/me/work/a/.env', true],
    ['.env', '/etc/app/.env', true],
    ['*.pem', '/etc/ssl/a.pem', true],
    ['./secrets/**', '/OF/me/WORK/Secrets/x', true],
    ['./caf\u00e9', '/of/me/work/cafe\u0301', true],
    ['secrets/*.txt', '/etc/secrets/a.txt', false],
  ])('that denies %s, of %s: %s', async (pattern, path, expected) => {
    expect(await denied(pattern, path)).toBe(expected)
  })

  it('holds for a directory that is searched when it holds for everything below it', async () => {
    expect(await denied('./secrets/**', '/of/me/work/secrets', true)).toBe(true)
    expect(await denied('./secrets/**', '/of/me/work/secrets', false)).toBe(false)
    expect(await allowed('./**', '/of/me/work', true)).toBe(true)
    expect(await denied('./secrets/*.key', '/of/me/work/secrets', true)).toBe(false)
  })

  it('made for a file matches that file alone', async () => {
    for (const name of ['a.ts', 'a[1].ts', 'a*b', '#x', '!x', 'a\\b', 'x ', 'sp ace']) {
      const path = `/of/me/work/${name}`
      const pattern = exactPattern(path, PLACE.workspace)
      expect([name, await allowed(pattern, path), await allowed(pattern, `${path}x`), await allowed(pattern, '/of/me/work/a1.ts')]).toEqual([name, true, false, false])
    }
    expect(exactPattern('/etc/hosts', PLACE.workspace)).toBe('/etc/hosts')
  })
})
