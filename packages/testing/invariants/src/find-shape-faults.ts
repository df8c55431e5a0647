/** What every event must look like: numbered, plain frozen data, a surface marker exactly where one belongs. Pure. */

import { findNonJson } from '@deepseek-ai/dsh-json'
import { isSurfaceEventType, type SessionEvent } from '@deepseek-ai/dsh-session'

export function findShapeFaults(event: SessionEvent, expectedSeq: number): string[] {
  const faults: string[] = []
  const { type, seq, time, surfaceOp, sourceEventSeqs } = event
  if (seq !== expectedSeq) faults.push(`numbered ${seq} where ${expectedSeq} was due`)
  if (!Number.isInteger(time) || time < 0) faults.push(`the time ${time} is not in milliseconds since the epoch`)
  const fault = findNonJson(event, type)
  if (fault !== undefined) faults.push(fault)
  const open = findUnfrozen(event, 'event')
  if (open !== undefined) faults.push(`${open} is not frozen`)
  if (isSurfaceEventType(type) && surfaceOp === undefined) faults.push('on the surface without a surface marker')
  if (!isSurfaceEventType(type) && (surfaceOp !== undefined || sourceEventSeqs !== undefined)) faults.push('carries surface metadata although it is not on the surface')
  if (sourceEventSeqs?.some(source => source < 0 || source >= seq)) faults.push(`names sources that are not before it: ${sourceEventSeqs.join(', ')}`)
  return faults
}

function findUnfrozen(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Object.isFrozen(value)) return path
  for (const [key, inner] of Object.entries(value)) {
    const found = findUnfrozen(inner, `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
