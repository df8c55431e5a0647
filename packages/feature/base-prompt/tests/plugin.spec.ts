import { platform } from 'node:os'
import { harness, reply, runPluginContract, type Harness } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { IDENTITY } from '../src/identity.ts'
import * as basePrompt from '../src/index.ts'
import { renderEnvironment } from '../src/render-environment.ts'

const CREATED = Date.UTC(2026, 10, 30, 23, 59, 59)

function open(config: Partial<basePrompt.BasePromptConfig>, model = [reply('ok')]): Promise<Harness> {
  return harness({ model, plugins: [[basePrompt, config]], create: { meta: { cwd: '/the/space', createdAt: CREATED } } })
}

async function systemOf(h: Harness): Promise<string | undefined> {
  await h.run('go')
  return h.script.requests.at(-1)?.system
}

const ENVIRONMENT = `Working directory: /the/space\nPlatform: ${platform()}\nDate when this session began: 2026-11-30`

describe('the base prompt', () => {
  it('tells who the model is, and at the end where it works and on which day the session began', async () => {
    await using h = await open({})
    expect(await systemOf(h)).toBe(`${IDENTITY}\n\n${ENVIRONMENT}`)
  })

  it.each([
    [{ identity: 'You are a test.' }, `You are a test.\n\n${ENVIRONMENT}`],
    [{ environment: false }, IDENTITY],
    [{ identity: '' }, ENVIRONMENT],
    [{ identity: '', environment: false }, undefined],
  ])('with %j is %j', async (config, system) => {
    await using h = await open(config)
    expect(await systemOf(h)).toBe(system)
  })

  it('names the directory of each agent, also of those that were there before it', async () => {
    await using h = await harness({ model: [reply('ok'), reply('ok')], create: { meta: { cwd: '/one', createdAt: CREATED } } })
    const fiber = h.ctx.plugin(basePrompt, { identity: 'I.', environment: true })
    await fiber
    const other = h.create({ meta: { cwd: '/two' } }).agent
    await h.run('go')
    other.send('go')
    await other.whenIdle()

    expect(h.script.requests.map(({ system }) => system?.match(/Working directory: (.*)/)?.[1])).toEqual(['/one', '/two'])
  })

  it('goes while an agent lives, and comes back', async () => {
    await using h = await harness({ model: [reply('1'), reply('2'), reply('3')], create: { meta: { cwd: '/the/space', createdAt: CREATED } } })
    const systems: (string | undefined)[] = []
    for (const loaded of [true, false, true]) {
      const fiber = loaded ? h.ctx.plugin(basePrompt, { identity: IDENTITY, environment: true }) : undefined
      await fiber
      systems.push(await systemOf(h))
      await fiber?.dispose()
      expect(h.ctx.systemPrompt.sections(h.agent.scope)).toEqual([])
    }

    expect(systems).toEqual([`${IDENTITY}\n\n${ENVIRONMENT}`, undefined, `${IDENTITY}\n\n${ENVIRONMENT}`])
  })

  it('keeps its bytes from request to request, and after a resumption on another day', async () => {
    await using h = await open({}, [reply('1'), reply('2'), reply('3')])
    await h.run('one')
    await h.run('two')
    const { agent } = h.create({ seed: h.session.events, meta: { cwd: '/the/space', createdAt: CREATED } })
    agent.send('three')
    await agent.whenIdle()

    expect(new Set(h.script.requests.map(({ system }) => system)).size).toBe(1)
  })

  it('comes and goes without a trace', async () => {
    expect(await runPluginContract(basePrompt, {})).toEqual({ added: ['listener agent/created', 'listener agent/disposed', 'section identity'] })
  })
})

it.each([[Date.UTC(2026, 0, 1), '2026-01-01'], [Date.UTC(2024, 1, 29, 23, 59, 59, 999), '2024-02-29']])('writes the day of %d as %s, whatever the time zone', (createdAt, day) => {
  expect(renderEnvironment({ cwd: '/x', platform: 'linux', createdAt })).toBe(`Working directory: /x\nPlatform: linux\nDate when this session began: ${day}`)
})
