/** What can be found out about the program from outside: models, help, completion, what it refuses. */

import { spawnSync } from 'node:child_process'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'

it('lists the models that the endpoint offers, whatever it is, and marks the one that answers', async () => {
  await using server = await provider(() => textAnswer('ok'), { models: ['house-model', 'deepseek-flash'] })
  await using box = await sandbox({}, server)

  const { code, stdout, stderr } = await box.run(['models', '--json'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect((JSON.parse(stdout) as { name: string; source: string; isDefault: boolean }[]).map(({ name, source, isDefault }) => `${name} ${source} ${isDefault}`).toSorted()).toEqual([
    'deepseek-flash provider true', 'deepseek-v4-flash built in false', 'deepseek-v4-pro built in false', 'house-model provider false', 'offline provider false',
  ])
  expect((await box.run(['models'])).stdout).toMatch(/^\* deepseek-flash +listed by its provider/m)
})

it('falls back to the models that it knows, and says so, without a key or without an endpoint', async () => {
  await using box = await sandbox()

  for (const env of [{}, { DEEPSEEK_API_KEY: 'sk-test-0123456789', DEEPSEEK_BASE_URL: 'http://127.0.0.1:9' }]) {
    const { code, stdout, stderr } = await box.run(['models'], { env })
    expect(code).toBe(0)
    expect(stderr).toContain('cannot list models')
    expect(stderr).not.toContain('sk-test')
    expect(stdout).toMatch(/deepseek-flash +from the built-in list/)
  }
})

it('prints the completion of a shell, which the shell accepts, and nothing else', async () => {
  await using box = await sandbox()

  const { code, stdout, stderr } = await box.run(['completion', 'bash'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(spawnSync('bash', ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  expect((await box.shell('source <($DSH completion bash); complete -p dsh')).stdout).toBe('complete -o default -F _dsh dsh\n')
  expect(await box.run(['completion'])).toMatchObject({ code: 2, stdout: '', stderr: 'dsh: dsh completion takes one of bash, zsh, fish\nTry dsh --help.\n' })
})

it('completes the ids of sessions that there are', async () => {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox({}, server)
  await box.run(['-p', '--session-id', 'first', 'go'])

  const { stdout } = await box.shell('source <($DSH completion bash); dsh() { $DSH "$@"; }; COMP_WORDS=(dsh sessions show ""); COMP_CWORD=3; _dsh; echo "${COMPREPLY[*]}"')

  expect(stdout).toBe('first\n')
})

it('answers help without starting anything, on the whole and on each command', async () => {
  await using box = await sandbox({ '.dsh/settings.yml': 'broken: [' })

  const help = await box.run(['--help'])
  expect({ ...help, stdout: help.stdout.split('\n')[0] }).toEqual({ code: 0, stdout: 'dsh, an AI coding agent made of plugins', stderr: '' })
  expect(await box.run(['help'])).toEqual(help)
  expect((await box.run(['trust', '--help'])).stdout).toBe((await box.run(['help', 'trust'])).stdout)
  expect(await box.run(['help', 'trsut'])).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean trust?') as string })
})

it('refuses what only one shot can do in a conversation, and files that cannot be what they are named for', async () => {
  await using box = await sandbox({ 's.json': '{}' })

  expect(await box.run(['-p', '--json-schema', 'none.json', 'go'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/--json-schema: .*none\.json does not exist/) as string })
  expect(await box.run(['-p', '-o', 'nowhere/x', 'go'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/--output: .*nowhere does not exist/) as string })
  expect(await box.run(['-p', '-o', '.', 'go'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/--output: .* is not a file/) as string })
  expect(await box.shell('ln -s loop loop; $DSH -p -o loop go')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/--output: .*loop cannot be used \(ELOOP\)/) as string })
  expect(await box.run(['-p', '--json-schema', '/dev/zero', 'go'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--json-schema: /dev/zero cannot be read as JSON: it is larger than') as string })
  expect(await box.run(['-p', '--input-format', 'jsonl', 'go'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--input-format jsonl goes with --output-format jsonl') as string })
})

it('ends a run that has cost what it may', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'true' } }), textAnswer('never asked for')])
  await using box = await sandbox({}, server)

  const { code, stdout } = await box.run(['-p', '--permission', 'auto', '--max-cost', '0.000001', 'go'])

  expect({ code, stdout, requests: server.requests.length }).toEqual({ code: 6, stdout: '', requests: 1 })
})
