import z from 'schemastery'
import { findUnknownKeys } from 'schemastery/strict'
import { describe, expect, it } from 'vitest'

describe('findUnknownKeys', () => {
  it('names unknown keys at every depth, with what they were meant to be', () => {
    const schema = z.object({ timeoutMs: z.number(), proxy: z.object({ host: z.string() }), list: z.array(z.object({ name: z.string() })) })

    expect(findUnknownKeys(schema, { timeotMs: 1, proxy: { hots: 'x' }, list: [{ name: 'a' }, { xyzzy: 1 }] })).toEqual([
      { path: ['timeotMs'], suggestion: 'timeoutMs' },
      { path: ['proxy', 'hots'], suggestion: 'host' },
      { path: ['list', '1', 'xyzzy'] },
    ])
  })

  it('knows the keys of all members of an intersection', () => {
    const schema = z.intersect([z.object({ a: z.string() }), z.object({ b: z.string() })])

    expect(findUnknownKeys(schema, { a: '', b: '' })).toEqual([])
    expect(findUnknownKeys(schema, { a: '', cc: '' }).map(found => found.path)).toEqual([['cc']])
  })

  it('judges a union by the member that the value fits', () => {
    const schema = z.union([z.object({ kind: z.const('a').required(), one: z.number() }), z.object({ kind: z.const('b').required(), two: z.number() })])

    expect(findUnknownKeys(schema, { kind: 'b', two: 2 })).toEqual([])
    expect(findUnknownKeys(schema, { kind: 'b', tow: 2 })).toEqual([{ path: ['tow'], suggestion: 'two' }])
    expect(findUnknownKeys(schema, { kind: 'c', tow: 2 })).toEqual([])
  })

  it('leaves open shapes and recursive ones alone', () => {
    interface Tree { name?: string; child?: Tree }
    const tree: z<Tree> = z.object({ name: z.string(), child: z.lazy(() => tree) }) as z<Tree>

    expect(findUnknownKeys(z.object({ free: z.any(), env: z.dict(z.string()) }), { free: { x: 1 }, env: { A: 'b' } })).toEqual([])
    expect(findUnknownKeys(tree, { child: { child: { nam: 'x' } } })).toEqual([{ path: ['child', 'child', 'nam'], suggestion: 'name' }])
    expect(findUnknownKeys({ '~standard': {} }, { anything: 1 })).toEqual([])
  })
})
