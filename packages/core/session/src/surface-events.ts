/** Which events stand on the surface that the model sees. */

import type { SessionEvent, SurfaceEventType } from './types.ts'

const SURFACE: ReadonlySet<string> = new Set<SurfaceEventType>(['user/message', 'assistant/message', 'tool/result', 'context/message', 'steering/message'])

export function isSurfaceEventType(type: string): type is SurfaceEventType {
  return SURFACE.has(type)
}

export function isSurfaceEvent(event: SessionEvent): event is SessionEvent<SurfaceEventType> {
  return SURFACE.has(event.type)
}
