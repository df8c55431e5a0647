import type { Context } from 'cordis'
import { eventsOf, harness, type Harness } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { ApprovalService, type PermissionMode, type PermissionPolicy } from '../src/index.ts'

const POLICY: PermissionPolicy = { defaultMode: 'ask', judge: async () => ({ verdict: 'ask', reason: '', remember: [] }), rules: async () => [] }
const ASK: PermissionMode = { name: 'ask', description: 'asks' }
const AUTO: PermissionMode = { name: 'auto', description: 'runs' }
const PLAN: PermissionMode = { name: 'plan', description: 'plans', base: 'ask' }

/** A plugin with modes and perhaps a policy. */
function mount({ ctx }: Harness, modes: readonly PermissionMode[], policy?: PermissionPolicy) {
  return ctx.plugin({
    name: 'modes',
    inject: ['approval'],
    apply: (inner: Context) => {
      for (const mode of modes) inner.approval.registerMode(mode)
      if (policy) inner.approval.setPolicy(policy)
    },
  })
}

const start = (): Promise<Harness> => harness({ plugins: [ApprovalService] })

describe('the modes', () => {
  it('come with their plugin and go with it', async () => {
    await using h = await start()
    await mount(h, [ASK, AUTO])
    const fiber = mount(h, [PLAN])
    await fiber
    expect(h.ctx.approval.modes()).toEqual([ASK, AUTO, PLAN])
    await fiber.dispose()

    expect(h.ctx.approval.modes()).toEqual([ASK, AUTO])
  })

  it('have each a name of their own', async () => {
    await using h = await start()
    await mount(h, [ASK])
    expect(() => h.ctx.approval.registerMode({ name: 'ask', description: 'another' })).toThrow(expect.objectContaining({ code: 'DUPLICATE_MODE', message: 'there is a permission mode "ask" already' }))
    expect(h.ctx.approval.modes()).toEqual([ASK])
  })

  it.each<[string, PermissionMode[], string | undefined]>([
    ['its own', [AUTO], 'auto'],
    ['that of its base', [AUTO, { name: 'x', description: '', base: 'auto' }], 'auto'],
    ['that at the end of a chain', [AUTO, { name: 'y', description: '', base: 'auto' }, { name: 'x', description: '', base: 'y' }], 'auto'],
    ['none where the chain is broken', [{ name: 'x', description: '', base: 'auto' }], undefined],
    ['none where the chain is a ring', [{ name: 'x', description: '', base: 'y' }, { name: 'y', description: '', base: 'x' }], undefined],
  ])('come down to a mode of the policy: %s', async (_which, modes, base) => {
    await using h = await start()
    await mount(h, modes)
    expect(h.ctx.approval.baseMode(modes.at(-1)?.name ?? '')).toBe(base)
  })
})

describe('the mode of a session', () => {
  it('is the default of the policy until one is set, which is logged once', async () => {
    await using h = await start()
    expect(h.ctx.approval.modeOf(h.session)).toBe(undefined)
    await mount(h, [ASK, AUTO, PLAN], POLICY)
    expect(h.ctx.approval.modeOf(h.session)).toBe('ask')

    for (const mode of ['ask', 'auto', 'auto', 'plan']) h.ctx.approval.setMode(h.session, mode)

    expect(h.ctx.approval.modeOf(h.session)).toBe('plan')
    expect(eventsOf(h, 'approval/mode').map(({ data }) => data)).toEqual([{ mode: 'auto' }, { mode: 'plan', base: 'ask' }])
  })

  it.each([
    ['atuo', 'there is no permission mode "atuo"; did you mean auto?'],
    ['everything', 'there is no permission mode "everything"; there are ask, auto, plan'],
  ])('cannot be %s, which is not known', async (name, message) => {
    await using h = await start()
    await mount(h, [ASK, AUTO, PLAN], POLICY)
    expect(() => h.ctx.approval.setMode(h.session, name)).toThrow(expect.objectContaining({ code: 'UNKNOWN_MODE', message }))
    expect(eventsOf(h, 'approval/mode')).toEqual([])
  })

  it('cannot be set where there are none', async () => {
    await using h = await start()
    expect(() => h.ctx.approval.setMode(h.session, 'ask')).toThrow('there is no permission mode "ask"; there are none')
  })

  it('falls to its logged base while the plugin that brought it is gone', async () => {
    await using h = await start()
    await mount(h, [ASK, AUTO], { ...POLICY, defaultMode: 'auto' })
    const fiber = mount(h, [PLAN])
    await fiber
    h.ctx.approval.setMode(h.session, 'plan')
    await fiber.dispose()
    expect(h.ctx.approval.modeOf(h.session)).toBe('ask')

    await mount(h, [PLAN])
    expect(h.ctx.approval.modeOf(h.session)).toBe('plan')
  })

  it('that nobody knows any more, with no base, stays what the log says, and comes down to nothing', async () => {
    await using h = await start()
    const fiber = mount(h, [AUTO])
    await fiber
    h.ctx.approval.setMode(h.session, 'auto')
    await fiber.dispose()
    await mount(h, [ASK], POLICY)

    expect(h.ctx.approval.modeOf(h.session)).toBe('auto')
    expect(h.ctx.approval.baseMode('auto')).toBe(undefined)
  })

  it('is there again when the session is resumed; a copy begins with the default', async () => {
    await using h = await start()
    await mount(h, [ASK, AUTO], POLICY)
    h.ctx.approval.setMode(h.session, 'auto')
    const seed = [...h.session.events]
    const resumed = h.create({ seed })
    const copy = h.create({ seed, meta: { cwd: process.cwd(), parentSession: h.session.id, seedLength: seed.length } })

    expect([resumed, copy].map(({ agent }) => h.ctx.approval.modeOf(agent.session))).toEqual(['auto', 'ask'])
  })
})

describe('the policy', () => {
  it('is one at a time, and goes with its plugin', async () => {
    await using h = await start()
    const fiber = mount(h, [], POLICY)
    await fiber
    expect(h.ctx.approval.policy).toBe(POLICY)
    expect(() => h.ctx.approval.setPolicy(POLICY)).toThrow(expect.objectContaining({ code: 'DUPLICATE_POLICY' }))
    await fiber.dispose()
    expect(h.ctx.approval.policy).toBe(undefined)

    await mount(h, [], POLICY)
    expect(h.ctx.approval.policy).toBe(POLICY)
  })
})
