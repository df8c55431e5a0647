/** What a project brings takes effect when it is trusted, as it was when it was trusted, and not otherwise. */

import { statSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type Sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

/** A plugin that leaves a mark when it runs. */
const marking = (mark: string): string => `import { appendFileSync } from 'node:fs'\nexport function apply() { appendFileSync('marks', '${mark}\\n') }\n`

const PROJECT = {
  '.dsh/settings.yml': 'plugins:\n  - id: marker\n    name: ./marker.ts\nrows:\n  tool-fs:\n    maxLines: 10\n  permission-rules:\n    mode: read-only\n',
  '.dsh/marker.ts': marking('one'),
}

const HELD_BACK = 'dsh: 2 settings of this project not applied, because the project is not trusted: plugins.marker, rows.permission-rules.mode (dsh trust shows them and asks)\n'

const record = (box: Sandbox): string => box.home.resolve('.local/share/dsh/trust.json')

async function marks({ workspace }: Sandbox): Promise<string> {
  return await workspace.read('marks').catch((error: NodeJS.ErrnoException) => `${error.code}`)
}

async function modeIn(box: Sandbox, cwd?: string): Promise<unknown> {
  const { stdout } = await box.run(['explain', '--json'], cwd === undefined ? {} : { cwd })
  return (JSON.parse(stdout) as { rows: { id: string; config: { path: string; value: unknown }[] }[] }).rows.find(({ id }) => id === 'permission-rules')?.config.find(({ path }) => path === 'mode')?.value
}

it('runs a plugin of the project after it was trusted, and not before, and not when it was edited since', async () => {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox(PROJECT, server)

  expect(await box.run(['-p', 'go'])).toEqual({ code: 0, stdout: 'ok\n', stderr: HELD_BACK })
  expect(await marks(box)).toBe('ENOENT')

  const trust = await box.run(['trust', '--yes'])
  expect({ code: trust.code, stderr: trust.stderr }).toEqual({ code: 0, stderr: `dsh: trusted as it is now: ${box.workspace.path}\n` })
  expect(await box.run(['-p', 'go'])).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
  expect(await marks(box)).toBe('one\n')

  await box.workspace.write('.dsh/marker.ts', marking('two'))
  expect(await box.run(['-p', 'go'])).toEqual({ code: 0, stdout: 'ok\n', stderr: HELD_BACK.replace('is not trusted', 'changed since you trusted it (.dsh/marker.ts changed)') })
  expect(await marks(box)).toBe('one\n')
  expect((await box.run(['trust', '--list'])).stdout).toMatch(/^\S+ {2}changed, 2 files, since \S+: \.dsh\/marker\.ts changed\n$/)

  expect((await box.run(['trust', '--yes'])).stdout).toContain('changed since you trusted it: .dsh/marker.ts changed')
  await box.run(['-p', 'go'])
  expect(await marks(box)).toBe('one\ntwo\n')
  server.assertStrict()
})

it('shows what it asks about, and takes nothing for a yes without a terminal', async () => {
  await using box = await sandbox({ ...PROJECT, '.dsh/evil\u001b[2J.md': '', 'lib/help.ts': '' })
  await box.workspace.write('.dsh/marker.ts', `import '../lib/help.ts'\n${marking('one')}`)

  expect(await box.run(['trust'])).toEqual({
    code: 2,
    stdout: `${box.workspace.path}
settings that run, reach or permit something:
  plugins.marker  (.dsh/settings.yml:2)
      - id: marker
  rows.permission-rules.mode  (.dsh/settings.yml:8)
      mode: read-only
plugins, which run with all your rights:
  marker  ./marker.ts
trusted with their content of now, 4 files:
  .dsh/evil.md
  .dsh/marker.ts
  .dsh/settings.yml
  lib/help.ts
`,
    stderr: 'dsh: not trusted: there is no terminal to ask on; dsh trust --yes trusts it as it is now\n',
  })
  expect(await box.run(['trust', '--list'])).toEqual({ code: 0, stdout: '', stderr: 'dsh: no project is trusted\n' })
  expect((await box.run(['trust', 'nowhere'])).code).toBe(2)
})

it('asks in a terminal, where only y is a yes', async () => {
  await using box = await sandbox(PROJECT)
  const answer = async (keys: string): Promise<number> => {
    const tty = await terminal(box, '$DSH trust')
    await tty.saw('Trust this project? [y/N]')
    tty.type(keys)
    return (await tty.ended).code
  }

  expect(await answer('\r')).toBe(1)
  expect(await answer(CTRL_D)).toBe(1)
  expect(await modeIn(box)).toBe('ask')
  expect(await answer('y\r')).toBe(0)
  expect(await modeIn(box)).toBe('read-only')
})

it('keeps the record to the user, by the real path, and forgets it again', async () => {
  await using box = await sandbox({ 'one/.dsh/settings.yml': PROJECT['.dsh/settings.yml'], 'one/.dsh/marker.ts': marking('x'), 'one/inner/.dsh/settings.yml': 'rows: { permission-rules: { mode: auto } }\n' })
  await symlink('one', box.workspace.resolve('link'))

  expect((await box.run(['trust', '--yes', 'link'])).code).toBe(0)

  expect(statSync(record(box)).mode & 0o777).toBe(0o600)
  expect(JSON.parse((await box.run(['trust', '--list', '--json'])).stdout)).toEqual([{ path: box.workspace.resolve('one'), trustedAt: expect.any(String), files: 2, state: 'trusted', changes: [] }])
  expect(await modeIn(box, box.workspace.resolve('one'))).toBe('read-only')
  expect(await modeIn(box, box.workspace.resolve('link'))).toBe('read-only')
  expect(await modeIn(box, box.workspace.resolve('one/inner'))).toBe('ask')
  expect((await box.run(['trust', '--revoke', 'one'])).code).toBe(0)
  expect(await modeIn(box, box.workspace.resolve('link'))).toBe('ask')
  expect((await box.run(['trust', '--revoke', 'one'])).code).toBe(2)
})

it('never honours !!js of a project, trusted or not', async () => {
  await using box = await sandbox({ '.dsh/settings.yml': 'rows:\n  tool-fs:\n    maxLines: !!js 1 + 1\n' })

  expect((await box.run(['trust', '--yes'])).stderr).toContain('!!js is not honoured in the settings of a project')
  expect(await box.run(['trust', '--list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
})

it('trusts nothing by a record that is broken or cannot be read, and says so', async () => {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox(PROJECT, server)
  await box.run(['trust', '--yes'])

  for (const broken of ['{', '[]', '{"version":2,"projects":{}}', '{"version":1,"projects":{"/x":1}}']) {
    await box.home.write('.local/share/dsh/trust.json', broken)
    const { code, stderr } = await box.run(['-p', 'go'])
    expect(code).toBe(0)
    expect(stderr).toContain(`2 settings of this project not applied, because ${record(box)} cannot be read (`)
    expect((await box.run(['trust', '--yes'])).code).toBe(2)
    expect(await box.home.read('.local/share/dsh/trust.json')).toBe(broken)
  }
  expect(await marks(box)).toBe('ENOENT')
})

it.each([
  ['a file of the folder is added', (box: Sandbox) => box.workspace.write('.dsh/more.md', ''), '.dsh/more.md added'],
  ['a file that a plugin imports is edited, outside of the folder', (box: Sandbox) => box.workspace.write('lib/deep.js', 'export const mark = "evil"\n'), 'lib/deep.js changed'],
  ['a file is replaced by a link', async (box: Sandbox) => void (await box.shell('mv .dsh/marker.ts real.ts; echo >> real.ts; ln -s ../real.ts .dsh/marker.ts')), '.dsh/marker.ts changed'],
])('trusts no longer when %s', async (_, change, what) => {
  await using box = await sandbox({ ...PROJECT, '.dsh/marker.ts': "import { mark } from '../lib/help.js'\nexport function apply() { mark() }\n", 'lib/help.js': "export { mark } from './deep.js'\n", 'lib/deep.js': 'export const mark = () => {}\n' })
  expect((await box.run(['trust', '--yes'])).code).toBe(0)
  expect(await modeIn(box)).toBe('read-only')

  await change(box)

  expect(await modeIn(box)).toBe('ask')
  expect((await box.run(['explain'])).stdout).toContain(`the project changed since you trusted it (${what})`)
})

it('runs no file that was not among those that were shown', async () => {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox({ ...PROJECT, '.dsh/marker.ts': "const name = '../hidden' + '.ts'\nexport async function apply() { await import(name) }\n", 'hidden.ts': "import { appendFileSync } from 'node:fs'\nappendFileSync('marks', 'hidden')\n" }, server)
  await box.run(['trust', '--yes'])

  const { stderr } = await box.run(['-p', 'go'])

  expect(stderr).toContain('hidden.ts is not among the files of the project that you trusted')
  expect(await marks(box)).toBe('ENOENT')
})

it('shows in explain and doctor what is held back and what is trusted', async () => {
  await using box = await sandbox(PROJECT)

  expect((await box.run(['explain'])).stdout).toContain('held back: not applied until this project is trusted (dsh trust)\n  plugins.marker  (')
  expect((await box.run(['doctor'])).stdout).toMatch(/^warn {2}project +the project is not trusted; settings held back: 2\n +→ look at them with dsh trust$/m)
  await box.run(['trust', '--yes'])
  expect((await box.run(['explain'])).stdout).toContain('trusted: applied because you trust this project\n  plugins.marker  (')
  expect((await box.run(['doctor'])).stdout).toMatch(/^ok {4}project +the project is trusted$/m)
})

it('tells settings that appear in a conversation, applies them when they are trusted, and keeps to what was loaded when they are edited', async () => {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain')
  await tty.saw('> ')

  await box.workspace.write('.dsh/marker.ts', marking('one'))
  await box.workspace.write('.dsh/settings.yml', PROJECT['.dsh/settings.yml'])
  await tty.saw('2 settings of this project not applied, because the project is not trusted')
  expect(await marks(box)).toBe('ENOENT')

  await box.run(['trust', '--yes'])
  await expect.poll(() => marks(box), { timeout: 10_000 }).toBe('one\n')

  await box.workspace.write('.dsh/marker.ts', marking('two'))
  await tty.saw('marker.ts changed since you trusted the project')
  await box.workspace.write('.dsh/settings.yml', `${PROJECT['.dsh/settings.yml']}model: other\n`)
  await tty.saw('what was loaded before goes on, and dsh trust lets the change take effect')
  expect(await marks(box)).toBe('one\n')

  await box.run(['trust', '--yes'])
  await expect.poll(() => marks(box), { timeout: 10_000 }).toBe('one\ntwo\n')
  tty.type(CTRL_D)
  expect((await tty.ended).code).toBe(0)
})
