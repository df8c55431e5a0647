import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { tempWorkspace, type Workspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { digestOf, fingerprint } from '../src/fingerprint.ts'
import { followImports } from '../src/follow-imports.ts'
import { describeChanges, judgeProject, judgeRecord } from '../src/judge-project.ts'
import { ProjectTrust } from '../src/project-trust.ts'
import { changeTrust } from '../src/trust-store.ts'

const of = (text: string): string => digestOf(Buffer.from(text))

async function trust(project: Workspace, file: string, named: string[] = []): Promise<void> {
  await changeTrust(file, records => ({ ...records, [project.path]: { trustedAt: 'now', files: fingerprint(project.path, named) } }))
}

describe('the fingerprint of a project', () => {
  it('has every file of .dsh, through links and around circles, and the files that are named', async () => {
    await using project = await tempWorkspace({ '.dsh/a/b.md': 'b', '.dsh/node_modules/x/index.js': 'x', 'linked/c.md': 'c', 'd.ts': 'd', 'not.ts': '' })
    await symlink('../linked', project.resolve('.dsh/link'))
    await symlink('..', project.resolve('.dsh/a/circle'))
    await symlink('nowhere', project.resolve('.dsh/dead'))
    execFileSync('mkfifo', [project.resolve('.dsh/pipe')])

    expect(fingerprint(project.path, [project.resolve('d.ts'), project.resolve('e.ts'), project.resolve('.dsh/a/b.md')])).toEqual({
      '.dsh/a/b.md': of('b'), '.dsh/dead': null, '.dsh/link/c.md': of('c'), '.dsh/node_modules/x/index.js': of('x'), 'd.ts': of('d'), 'e.ts': null,
    })
  })

  it('follows imports of every kind, and no others', async () => {
    await using project = await tempWorkspace({
      'a.ts': "import './b.js'\nexport { c } from './c/c.mjs'\nimport d from \"./d.json\" with { type: 'json' }\nconst e = await import('./e.js')\nimport x from 'package'\n",
      'b.js': "require('./f')\n", 'c/c.mjs': "import '../a.ts'\nimport './gone.js'\n", 'd.json': '', 'e.js': '', 'f/index.js': '', 'other.js': '',
    })

    expect([...followImports([project.resolve('a.ts')])].map(file => file.slice(project.path.length + 1)).toSorted()).toEqual(['a.ts', 'b.js', 'c/c.mjs', 'd.json', 'e.js', 'f/index.js'])
  })
})

describe('the state of a project', () => {
  it('is what the record and the files say', async () => {
    await using home = await tempWorkspace()
    await using project = await tempWorkspace({ '.dsh/settings.yml': 'a', '.dsh/x.ts': 'x', 'y.ts': 'y' })
    const file = home.resolve('trust.json')

    expect(judgeProject(project.path, file)).toEqual({ kind: 'untrusted' })
    await trust(project, file, [project.resolve('y.ts'), project.resolve('z.ts')])
    expect(judgeProject(project.path, file)).toEqual({ kind: 'trusted', digests: new Map([[project.resolve('.dsh/settings.yml'), of('a')], [project.resolve('.dsh/x.ts'), of('x')], [project.resolve('y.ts'), of('y')]]) })

    await project.write('.dsh/settings.yml', 'b')
    await rm(project.resolve('y.ts'))
    await project.write('z.ts', '')
    expect(judgeProject(project.path, file)).toEqual({ kind: 'changed', changes: [{ file: '.dsh/settings.yml', what: 'changed' }, { file: 'y.ts', what: 'removed' }, { file: 'z.ts', what: 'added' }] })
    await home.write('trust.json', '{')
    expect(judgeProject(project.path, file)).toEqual({ kind: 'unknown', problem: expect.stringContaining('mend or remove it') })
  })

  it('is not read out of the properties that every object has', async () => {
    await using home = await tempWorkspace()
    expect(judgeProject('constructor', home.resolve('trust.json'))).toEqual({ kind: 'untrusted' })
  })

  it('names a few changes and counts the rest', () => {
    const changes = Array.from({ length: 7 }, (_, i) => ({ file: `f${i}`, what: 'added' as const }))
    expect(describeChanges(changes, 2)).toBe('f0 added, f1 added and 5 more')
  })

  it('refuses a folder with more files than can be read at every start', async () => {
    await using project = await tempWorkspace({ '.dsh/0': '' })
    for (let i = 1; i <= 5000; i++) writeFileSync(project.resolve(`.dsh/${i}`), '')
    expect(() => judgeRecord(project.path, { trustedAt: '', files: {} })).toThrow(expect.objectContaining({ code: 'TOO_MUCH' }))
  })
})

describe('trust while a composition runs', () => {
  it('goes by the bytes that are used, not by those on disk', async () => {
    await using home = await tempWorkspace()
    await using project = await tempWorkspace({ '.dsh/settings.yml': 'a', '.dsh/x.ts': 'x' })
    const file = home.resolve('trust.json')
    await trust(project, file)
    const live = new ProjectTrust(project.path, file)
    const settings = project.resolve('.dsh/settings.yml')

    expect(live.isTrusted(settings, Buffer.from('a'))).toBe(true)
    expect(live.isTrusted(settings, Buffer.from('b'))).toBe(false)
    expect(live.approve(project.resolve('elsewhere.yml'))).toBeUndefined()
    const judge = live.approve(settings)
    expect(judge?.(project.resolve('.dsh/x.ts'), Buffer.from('x'))).toBeUndefined()
    expect(() => judge?.(project.resolve('.dsh/x.ts'), Buffer.from('y'))).toThrow('changed since you trusted the project')
    expect(() => judge?.(project.resolve('other.ts'), Buffer.from('y'))).toThrow('is not among the files of the project that you trusted')
    expect(judge?.(project.resolve('node_modules/p/index.js'), Buffer.from('y'))).toBeUndefined()
    expect(() => judge?.(project.resolve('.dsh/node_modules/p/index.js'), Buffer.from('y'))).toThrow('is not among the files')
  })

  it('stays as it was when a trusted project is changed, and ends when it is revoked', async () => {
    await using home = await tempWorkspace()
    await using project = await tempWorkspace({ '.dsh/settings.yml': 'a' })
    const file = home.resolve('trust.json')
    await trust(project, file)
    const live = new ProjectTrust(project.path, file)

    await project.write('.dsh/settings.yml', 'b')
    expect(() => live.refresh()).toThrow(expect.objectContaining({ code: 'NOT_AS_TRUSTED', message: expect.stringContaining('.dsh/settings.yml changed') }))
    expect(live.state.kind).toBe('trusted')
    await changeTrust(file, () => ({}))
    live.refresh()
    expect(live.state).toEqual({ kind: 'untrusted' })
  })
})
