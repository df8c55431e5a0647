/**
 * What the data of the log's own events must have, so that nobody who folds
 * them trips over a record that is valid JSON and yet no such event. Events of
 * other types, and further fields, are kept whatever they hold. Pure.
 */

import type { SessionEventMap } from './types.ts'

type Check = (value: unknown) => boolean

/** The fields without which the log cannot be folded, by the type of the event. */
type Shape = readonly (readonly [field: string, check: Check])[]

const isText: Check = value => typeof value === 'string'
const isCount: Check = value => Number.isSafeInteger(value)
const isObject: Check = value => typeof value === 'object' && value !== null && !Array.isArray(value)
const isKinded: Check = value => isObject(value) && isText((value as { kind?: unknown }).kind)
const isTexts: Check = value => Array.isArray(value) && value.every(isText)
const isObjects: Check = value => Array.isArray(value) && value.every(isObject)
const isContent: Check = value => Array.isArray(value) && value.every(isBlock)

const TURN: Shape = [['turn', isCount]]
const STEP: Shape = [...TURN, ['step', isCount]]
const MESSAGE: Shape = [['content', isContent]]

const SHAPES: { readonly [T in keyof SessionEventMap]?: Shape } = {
  'inbox/queued': [['id', isText], ...MESSAGE],
  'inbox/claimed': [...TURN, ['ids', isTexts]],
  'inbox/dropped': [['ids', isTexts]],
  'turn/start': TURN,
  'turn/end': [...TURN, ['reason', isKinded]],
  'step/start': STEP,
  'step/end': STEP,
  'user/message': MESSAGE,
  'prompt/blocked': MESSAGE,
  'context/message': MESSAGE,
  'steering/message': MESSAGE,
  'request/header': [...STEP, ['system', isText], ['tools', isObjects]],
  'assistant/chunk': [...STEP, ['chunk', isChunk]],
  'assistant/message': [...STEP, ['content', isContent], ['finish', isKinded], ['model', isText]],
  'llm/attempt': [...STEP, ['error', isObject]],
  'tool/call': [...STEP, ['callId', isText], ['name', isText], ['arguments', isText]],
  'tool/result': [...STEP, ['callId', isText], ['content', isContent]],
  'derivation/repaired': [...STEP, ['repairs', isObjects]],
  'session/title': [['title', isText]],
}

/** The field of `data` that is missing or of another kind; undefined when all is well, and for types that are not the log's own. */
export function misshapenField(type: string, data: object): string | undefined {
  if (!Object.hasOwn(SHAPES, type)) return undefined
  const fields = data as Record<string, unknown>
  return SHAPES[type as keyof SessionEventMap]?.find(([field, check]) => !check(fields[field]))?.[0]
}

function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, text, id, name, arguments: args, content } = value as Record<string, unknown>
  if (type === 'text' || type === 'reasoning') return isText(text)
  if (type === 'tool-call') return isText(id) && isText(name) && isText(args)
  return isText(type) && (type !== 'tool-result' || isContent(content))
}

/** The end of a block may hold a mark in place of the block, and chunks of other types anything. */
function isChunk(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, index, text, argumentsDelta, block, echo } = value as Record<string, unknown>
  switch (type) {
    case 'text-delta':
    case 'reasoning-delta':
      return isCount(index) && isText(text)
    case 'tool-call-delta':
      return isCount(index) && isText(argumentsDelta)
    case 'block-end':
      return isCount(index) && (echo === true || isBlock(block))
    default:
      return isText(type)
  }
}
