import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { createChecks, type DoctorFacts } from '../src/doctor-checks.ts'
import { renderChecks, runChecks, type CheckResult } from '../src/doctor.ts'

const FACTS: DoctorFacts = {
  env: { PATH: process.env['PATH'] },
  paths: { config: '/tmp/dsh-doctor/config', data: '/tmp/dsh-doctor/data' },
  compositionProblem: undefined,
  project: undefined,
  permissionMode: 'ask',
  endpoint: { baseURL: 'http://127.0.0.1:9', hasKey: false },
  terminal: { isTTY: false, columns: undefined, term: undefined },
}

/** The result of the check of that name. */
async function check(name: string, facts: Partial<DoctorFacts>): Promise<CheckResult | undefined> {
  const checks = createChecks({ ...FACTS, ...facts }).filter(each => each.name === name)
  return (await runChecks(checks))[0]
}

describe('the doctor', () => {
  it.each<[string, Partial<DoctorFacts>, Partial<CheckResult>]>([
    ['node', {}, { state: 'ok', detail: process.versions.node }],
    ['composition', {}, { state: 'ok' }],
    ['composition', { compositionProblem: 'x.yml:1:1: no' }, { state: 'fail', detail: 'x.yml:1:1: no', fix: 'mend the file at the position given' }],
    ['project', {}, { state: 'ok', detail: 'no settings of its own here' }],
    ['permissions', { permissionMode: undefined }, { state: 'warn', detail: 'no permission policy: everything runs', fix: expect.stringContaining('permission-rules') as string }],
    ['permissions', { permissionMode: undefined, compositionProblem: 'broken' }, { state: 'warn', detail: 'not known, the composition is not up' }],
    ['permissions', {}, { state: 'ok', detail: 'mode ask; dsh explain permission shows the rules' }],
    ['project', { project: { kind: 'trusted', described: 'the project is trusted', heldBack: 0 } }, { state: 'ok', detail: 'the project is trusted' }],
    ['project', { project: { kind: 'untrusted', described: 'the project is not trusted', heldBack: 0 } }, { state: 'ok', detail: 'the project is not trusted; none of its settings needs that' }],
    ['project', { project: { kind: 'untrusted', described: 'the project is not trusted', heldBack: 2 } }, { state: 'warn', detail: 'the project is not trusted; settings held back: 2', fix: 'look at them with dsh trust' }],
    ['project', { project: { kind: 'unknown', described: 'no record', heldBack: 0 } }, { state: 'warn', detail: 'no record' }],
    ['key', {}, { state: 'warn', fix: 'dsh auth, or /login in a conversation, or export DEEPSEEK_API_KEY=…' }],
    ['key', { endpoint: { baseURL: '', hasKey: true } }, { state: 'ok', detail: 'present' }],
    ['endpoint', {}, { state: 'warn', detail: 'http://127.0.0.1:9 not tried, there is no key' }],
    ['bash', { env: { PATH: '/nowhere::' } }, { state: 'warn', detail: 'not on PATH' }],
    ['bash', {}, { state: 'ok', detail: expect.stringMatching(/\/bash$/) }],
    ['git', { env: {} }, { state: 'warn', detail: 'not on PATH' }],
    ['ripgrep', {}, { state: 'ok' }],
    ['settings', {}, { state: 'ok', detail: '/tmp/dsh-doctor/config' }],
    ['terminal', {}, { state: 'ok', detail: 'none: output is piped' }],
    ['terminal', { terminal: { isTTY: true, columns: 80, term: 'xterm' } }, { state: 'ok', detail: 'xterm, 80 columns' }],
    ['terminal', { terminal: { isTTY: true, columns: 80, term: 'dumb' } }, { state: 'warn', detail: 'TERM is dumb' }],
    ['terminal', { terminal: { isTTY: true, columns: undefined, term: undefined } }, { state: 'warn', detail: 'TERM is not set' }],
  ])('checks %s with %j', async (name, facts, result) => {
    expect(await check(name, facts)).toMatchObject({ name, ...result })
  })

  it('takes any answer of the address for a sign that it is right, and shows neither user nor password nor a key in its query', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url, request.headers.authorization)
      response.writeHead(401).end('no')
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    try {
      expect(await check('endpoint', { endpoint: { baseURL: `http://me:pw@127.0.0.1:${port}/v1/?api_key=pw`, hasKey: true } })).toEqual({ name: 'endpoint', state: 'ok', detail: `http://********@127.0.0.1:${port}/v1/?api_key=******** answers` })
      expect(asked).toEqual(['/v1/models?api_key=pw', undefined])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it.each([['http://127.0.0.1:9', /127\.0\.0\.1:9: .*/], ['not an address', /not an address: .*/]])('says why %s cannot be reached', async (baseURL, detail) => {
    expect(await check('endpoint', { endpoint: { baseURL, hasKey: true } })).toMatchObject({ state: 'fail', detail: expect.stringMatching(detail), fix: expect.stringContaining('DEEPSEEK_BASE_URL') })
  })

  it('finds a settings folder that can never be made', async () => {
    await using folder = await tempWorkspace({ file: '' })
    const paths = { config: folder.resolve('file/below/dsh'), data: folder.resolve('new/dsh') }

    expect(await check('settings', { paths })).toEqual({ name: 'settings', state: 'warn', detail: `${paths.config} cannot be written`, fix: `make ${folder.resolve('file')} a folder that can be written, or set DSH_HOME to one` })
    expect(await check('data', { paths })).toEqual({ name: 'data', state: 'ok', detail: paths.data })
    await expect(folder.read('new')).rejects.toThrow('ENOENT')
  })

  it('counts a check that rejects as failed, and runs the others', async () => {
    const results = await runChecks([
      { name: 'bad', run: () => Promise.reject(new Error('no')) },
      { name: 'good', run: () => Promise.resolve({ state: 'ok', detail: 'yes' }) },
    ])

    expect(results).toEqual([{ name: 'bad', state: 'fail', detail: 'no', fix: 'see the message' }, { name: 'good', state: 'ok', detail: 'yes' }])
  })

  it('prints one line a check and what to do below it, without control sequences', async () => {
    await using folder = await tempWorkspace()
    expect(renderChecks([{ name: 'node', state: 'ok', detail: folder.path }, { name: 'composition', state: 'fail', detail: 'bad\u001b[2J', fix: 'mend it' }])).toBe(
      `ok    node         ${folder.path}\nfail  composition  bad\n                   → mend it\n`,
    )
  })
})
