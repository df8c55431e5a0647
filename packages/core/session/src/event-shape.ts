/**
 * What the data of the log's own events must have, so that nobody who folds
 * them trips over a record that is valid JSON and yet no such event. Events of
 * other types, and further fields, are kept whatever they hold. Pure.
 */

import type { SessionEventMap } from './types.ts'

type Fields = Record<string, unknown>

/**
 * The first field without which the log cannot be folded and that is missing or
 * of another kind. Written out for each type, and not as a table of fields:
 * every event of a log comes through here when it is resumed.
 */
type FindFault = (data: Fields) => string | undefined

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isKinded(value: unknown): boolean {
  return isObject(value) && isText(value['kind'])
}

function isContent(value: unknown): boolean {
  return isListOf(value, isBlock)
}

function isListOf(value: unknown, check: (each: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false
  for (let i = 0; i < value.length; i++) if (!check(value[i])) return false
  return true
}

const ofTurn: FindFault = ({ turn }) => (isCount(turn) ? undefined : 'turn')
const ofStep: FindFault = ({ turn, step }) => (isCount(turn) ? (isCount(step) ? undefined : 'step') : 'turn')
const ofMessage: FindFault = ({ content }) => (isContent(content) ? undefined : 'content')

const FIND_FAULT: ReadonlyMap<string, FindFault> = new Map<keyof SessionEventMap, FindFault>([
  ['inbox/queued', data => (isText(data['id']) ? ofMessage(data) : 'id')],
  ['inbox/claimed', data => ofTurn(data) ?? (isListOf(data['ids'], isText) ? undefined : 'ids')],
  ['inbox/dropped', ({ ids }) => (isListOf(ids, isText) ? undefined : 'ids')],
  ['turn/start', ofTurn],
  ['turn/end', data => ofTurn(data) ?? (isKinded(data['reason']) ? undefined : 'reason')],
  ['step/start', ofStep],
  ['step/end', ofStep],
  ['user/message', ofMessage],
  ['prompt/blocked', ofMessage],
  ['context/message', ofMessage],
  ['steering/message', ofMessage],
  ['request/header', data => ofStep(data) ?? (isText(data['system']) ? (isListOf(data['tools'], isObject) ? undefined : 'tools') : 'system')],
  ['assistant/chunk', data => ofStep(data) ?? (isChunk(data['chunk']) ? undefined : 'chunk')],
  ['assistant/message', data => ofStep(data) ?? ofMessage(data) ?? (isKinded(data['finish']) ? (isText(data['model']) ? undefined : 'model') : 'finish')],
  ['llm/attempt', data => ofStep(data) ?? (isObject(data['error']) ? undefined : 'error')],
  ['tool/call', data => ofStep(data) ?? (isText(data['callId']) ? (isText(data['name']) ? (isText(data['arguments']) ? undefined : 'arguments') : 'name') : 'callId')],
  ['tool/result', data => ofStep(data) ?? (isText(data['callId']) ? ofMessage(data) : 'callId')],
  ['derivation/repaired', data => ofStep(data) ?? (isListOf(data['repairs'], isObject) ? undefined : 'repairs')],
  ['session/title', ({ title }) => (isText(title) ? undefined : 'title')],
])

/** The field of `data` that is missing or of another kind; undefined when all is well, and for types that are not the log's own. */
export function misshapenField(type: string, data: object): string | undefined {
  return FIND_FAULT.get(type)?.(data as Fields)
}

function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type } = value
  if (type === 'text' || type === 'reasoning') return isText(value['text'])
  if (type === 'tool-call') return isText(value['id']) && isText(value['name']) && isText(value['arguments'])
  return isText(type) && (type !== 'tool-result' || isContent(value['content']))
}

/** The end of a block may hold a mark in place of the block, and chunks of other types anything. */
function isChunk(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, index } = value
  switch (type) {
    case 'text-delta':
    case 'reasoning-delta':
      return isCount(index) && isText(value['text'])
    case 'tool-call-delta':
      return isCount(index) && isText(value['argumentsDelta'])
    case 'block-end':
      return isCount(index) && (value['echo'] === true || isBlock(value['block']))
    default:
      return isText(type)
  }
}
