/** `dsh explain permission` from outside: the verdict on a line, its parts, and the rule behind each. */

import { expect, it } from 'vitest'
import { sandbox } from './program.ts'

const SETTINGS = `rows:
  permission-rules:
    allow:
      - bash(npm test)
    deny:
      - bash(curl *)
      - bahs
`

it('names the verdict of every part and the place of the rule behind it', async () => {
  await using box = await sandbox()
  const settings = await box.home.write('.config/dsh/settings.yml', SETTINGS)

  expect(await box.run(['explain', 'permission', 'git status && npm test; rm -rf x | curl y'])).toEqual({
    code: 0,
    stderr: '',
    stdout: `deny   git status && npm test; rm -rf x | curl y  (mode ask)
  allow  git status: it only reads with these options
  allow  npm test: the rule bash(npm test) (${settings}:4) allows it
  ask    rm -rf x: it deletes or empties files; only a rule that names it, such as bash(rm -rf x), allows it
  deny   curl y: the rule bash(curl *) (${settings}:6) denies it
`,
  })
})

it('lists the rules in force, and those that never hold with what was meant', async () => {
  await using box = await sandbox()
  const settings = await box.home.write('.config/dsh/settings.yml', SETTINGS)

  const { stdout } = await box.run(['explain', 'permission', '--permission', 'auto'])
  expect(stdout).toBe(`mode auto
deny   bash(curl *)  (${settings}:6)
deny   bahs  (${settings}:7)  never holds: there is no tool bahs; did you mean bash?
allow  bash(npm test)  (${settings}:4)
`)
})

it('judges other calls and other modes, for machines too', async () => {
  await using box = await sandbox()
  const explained = JSON.parse((await box.run(['explain', 'permission', 'write', '{"file_path":"../x","content":""}', '--permission', 'auto', '--json'])).stdout)

  expect(explained).toEqual({
    mode: 'auto',
    call: { tool: 'write', arguments: { file_path: '../x', content: '' } },
    judgement: { verdict: 'ask', reason: 'it writes ../x, and it is outside the workspace', remember: [] },
  })
})

it('refuses a rule that is none, with its place', async () => {
  await using box = await sandbox()
  const settings = await box.home.write('.config/dsh/settings.yml', 'rows:\n  permission-rules:\n    deny:\n      - read(./secrets/**)\n      - raed(./more/**)\n')

  const { code, stderr } = await box.run(['-p', '-m', 'offline', 'hello'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: `${settings}:5:9: row "permission-rules": deny: "raed(./more/**)" is no rule: raed takes no pattern; did you mean read(./more/**)?\n` })
})
