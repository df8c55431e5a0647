/** Settings that are written when asked for, and only then. */

import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sandbox } from './program.ts'

it('writes settings that change nothing, once, and says where they are', async () => {
  await using box = await sandbox()
  const before = JSON.parse((await box.run(['explain', '--json'])).stdout) as { rows: unknown }
  const file = box.workspace.resolve('.dsh/settings.yml')

  expect(await box.run(['init'])).toEqual({ code: 0, stdout: '', stderr: `dsh: wrote ${file}, in which everything is commented out; dsh explain shows what is in force\n` })
  expect(await box.run(['init', '--user'])).toMatchObject({ code: 0 })
  const after = JSON.parse((await box.run(['explain', '--json'])).stdout) as { rows: unknown }
  const text = await box.workspace.read('.dsh/settings.yml')

  expect(after.rows).toEqual(before.rows)
  expect([statSync(file).mode & 0o777, statSync(box.home.resolve('.config/dsh/settings.yml')).mode & 0o777]).toEqual([0o644, 0o600])
  expect(await box.run(['init'])).toEqual({ code: 2, stdout: '', stderr: `dsh: ${file} is there already, and is left as it is\n` })
  expect((await box.run(['init', '--force'])).code).toBe(2)
  expect(await box.workspace.read('.dsh/settings.yml')).toBe(text)
})

it('writes keys that the parts take, and values that are their defaults', async () => {
  await using box = await sandbox()
  await box.run(['init', '--user'])
  const before = JSON.parse((await box.run(['explain', '--json'])).stdout) as { rows: { id: string; state: string; config: { path: string; value: unknown }[] }[] }
  const settings = '.config/dsh/settings.yml'
  const whole = (await box.home.read(settings)).replace(/^#(?=\S| {2})(?! {3}(?:dsh|--set))/gm, '').replace(/\n# Parts that are not to run[^]*$/, '')
  await box.home.write(settings, whole)

  const after = JSON.parse((await box.run(['explain', '--json'])).stdout) as typeof before

  expect(after.rows.map(({ id, state }) => `${id} ${state}`)).toEqual(before.rows.map(({ id, state }) => `${id} ${state}`))
  const values = ({ rows }: typeof before): string[] => rows.flatMap(({ id, config }) => config.filter(({ path }) => path !== 'baseURL' && path !== 'apiKey').map(({ path, value }) => `${id}.${path}=${JSON.stringify(value)}`)).toSorted()
  expect(values(after)).toEqual(values(before))
})
