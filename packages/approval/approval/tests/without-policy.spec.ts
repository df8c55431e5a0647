import type { Context } from 'cordis'
import { call, eventsOf, harness, reply, textTool } from '@deepseek-ai/dsh-testkit'
import type { PreToolDecision, ToolKind } from '@deepseek-ai/dsh-tools'
import { expect, it } from 'vitest'
import { ApprovalService, type PermissionPolicy } from '../src/index.ts'

const POLICY: PermissionPolicy = { defaultMode: 'any', judge: async () => ({ verdict: 'allow', reason: '', remember: [] }), rules: async () => [] }

const policyPlugin = { name: 'policy', inject: ['approval'], apply: (ctx: Context) => void ctx.approval.setPolicy(POLICY) }

async function ranAfter(hadPolicy: boolean, kind: ToolKind): Promise<{ ran: number; code: string | undefined }> {
  let ran = 0
  await using h = await harness({ model: [call('act'), reply('ok')], tools: [{ ...textTool('act', () => `${++ran}`), kind }], plugins: [ApprovalService] })
  if (hadPolicy) await h.ctx.plugin(policyPlugin).then(fiber => fiber.dispose())
  await h.run('go')
  return { ran, code: eventsOf(h, 'tool/result')[0]?.data.error?.code }
}

it('lets nothing that may change something run once its policy is gone', async () => {
  expect(await ranAfter(true, 'edit')).toEqual({ ran: 0, code: 'NO_POLICY' })
  expect(await ranAfter(true, 'execute')).toEqual({ ran: 0, code: 'NO_POLICY' })
  expect(await ranAfter(true, 'read')).toEqual({ ran: 1, code: undefined })
})

it('lets everything run where there never was a policy', async () => {
  expect(await ranAfter(false, 'execute')).toEqual({ ran: 1, code: undefined })
})

it('has no moment without a policy while one takes the place of another', async () => {
  let ran = 0
  await using h = await harness({ model: Array.from({ length: 20 }, () => call('act')).concat(reply('ok') as never), tools: [{ ...textTool('act', () => `${++ran}`), kind: 'edit' }], plugins: [ApprovalService] })
  const deny = { name: 'gate', inject: ['approval'], apply(ctx: Context) {
    ctx.approval.setPolicy(POLICY)
    ctx.on('tools/pre-execute', async (): Promise<PreToolDecision> => ({ kind: 'deny', reason: 'no' }), { prepend: true })
  } }
  let fiber = h.ctx.plugin(deny)
  await fiber
  const running = h.run('go')
  let isOver = false
  void running.then(() => (isOver = true))
  while (!isOver) {
    await fiber.dispose()
    await new Promise(resolve => setImmediate(resolve))
    fiber = h.ctx.plugin(deny)
    await fiber
  }
  expect(ran).toBe(0)
})
