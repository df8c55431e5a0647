/** What an editor may answer to a permission request, and what an answer means. Pure. */

import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { ApprovalAnswer, ApprovalScope } from '@deepseek-ai/dsh-approval'

/** An answer, and whether it is to stand for the rest of the session although it refuses. */
export interface PermissionAnswer {
  answer: ApprovalAnswer
  refusesAlways: boolean
}

/** Where an allowance beyond the call is offered, so is a refusal beyond it. */
export function permissionOptions(scopes: readonly ApprovalScope[], remember: readonly string[]): PermissionOption[] {
  const what = remember.join(', ')
  const lasting = (scope: ApprovalScope): boolean => remember.length > 0 && scopes.includes(scope)
  return [
    { optionId: 'allow-once', kind: 'allow_once', name: 'Allow' },
    ...(lasting('session') ? [{ optionId: 'allow-session', kind: 'allow_always' as const, name: `Allow ${what} in this session` }] : []),
    ...(lasting('project') ? [{ optionId: 'allow-project', kind: 'allow_always' as const, name: `Always allow ${what} in this project` }] : []),
    { optionId: 'reject-once', kind: 'reject_once', name: 'Reject' },
    ...(lasting('session') ? [{ optionId: 'reject-always', kind: 'reject_always' as const, name: `Reject ${what} in this session` }] : []),
  ]
}

/** Only an option that was offered and allows is an allowance, whatever else a client answers. */
export function readOutcome(response: unknown, offered: readonly PermissionOption[]): PermissionAnswer {
  const outcome = fieldsOf(fieldsOf(response)['outcome'])
  if (outcome['outcome'] === 'cancelled') return refusal('the request was cancelled')
  const { optionId } = outcome
  if (outcome['outcome'] !== 'selected' || typeof optionId !== 'string') return refusal('the editor answered with nothing that can be read')
  if (!offered.some(option => option.optionId === optionId)) return refusal(`the editor answered with "${optionId}", which was not offered`)
  switch (optionId) {
    case 'allow-once':
      return { answer: { kind: 'allow', scope: 'once' }, refusesAlways: false }
    case 'allow-session':
      return { answer: { kind: 'allow', scope: 'session' }, refusesAlways: false }
    case 'allow-project':
      return { answer: { kind: 'allow', scope: 'project' }, refusesAlways: false }
    case 'reject-always':
      return { answer: { kind: 'deny', reason: 'the user refuses this for the rest of the session' }, refusesAlways: true }
    default:
      return { answer: { kind: 'deny' }, refusesAlways: false }
  }
}

function refusal(reason: string): PermissionAnswer {
  return { answer: { kind: 'deny', reason }, refusesAlways: false }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
