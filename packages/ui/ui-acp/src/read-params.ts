/** Parameters of methods that the SDK's stable part does not know. Pure. */

import type { ContentBlock, McpServer } from '@agentclientprotocol/sdk'
import { invalidParams } from './errors.ts'
import type { SessionParams } from './session-table.ts'

export interface ForkParams extends SessionParams {
  sessionId: string
}

export interface SteeringParams {
  sessionId: string
  prompt: ContentBlock[]
  /** Where no turn runs, begin one. */
  startsTurn: boolean
}

/** Throws -32602, naming what is wrong. */
export function readForkParams(value: unknown): ForkParams {
  const { sessionId, cwd, additionalDirectories, mcpServers } = asObject(value)
  return { sessionId: asText('sessionId', sessionId), cwd: asText('cwd', cwd), additionalDirectories: asList('additionalDirectories', additionalDirectories).map(each => asText('additionalDirectories', each)), mcpServers: asList('mcpServers', mcpServers) as McpServer[] }
}

/** Throws -32602, naming what is wrong. */
export function readSteeringParams(value: unknown): SteeringParams {
  const { sessionId, prompt, idleBehavior } = asObject(value)
  const blocks = asList('prompt', prompt)
  if (blocks.length === 0) throw invalidParams('prompt holds nothing')
  for (const block of blocks) asText('prompt: type', asObject(block).type)
  return { sessionId: asText('sessionId', sessionId), prompt: blocks as ContentBlock[], startsTurn: idleBehavior !== 'promptRequired' }
}

/** Whether a prompt is to join the turn that runs instead of waiting for its end. */
export function steersTurn(meta: Readonly<Record<string, unknown>> | null | undefined): boolean {
  const asked = meta?.['steering']
  return asked === true || (typeof asked === 'object' && asked !== null)
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidParams('an object is expected')
  return value as Record<string, unknown>
}

function asText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidParams(`${name} must be a string`)
  return value
}

function asList(name: string, value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalidParams(`${name} must be a list`)
  return value
}
