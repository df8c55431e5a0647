/** The ordered list of events that the model may see, folded from the log. */

import { SessionError } from './errors.ts'
import { isSurfaceEvent } from './surface-events.ts'
import type { SessionEvent, SurfaceEventType } from './types.ts'

export type SurfaceEvent = SessionEvent<SurfaceEventType>

/**
 * After a `replace`, order is by position and no longer by sequence number.
 * `advance` costs the new events only, a `replace` one search of the list.
 */
export class Surface {
  readonly nodes: SurfaceEvent[] = []

  /** Takes one event; returns the first position that changed, or undefined when the surface did not. */
  advance(event: SessionEvent): number | undefined {
    if (!isSurfaceEvent(event)) return undefined
    const { surfaceOp } = event
    if (surfaceOp === undefined || surfaceOp === 'append') {
      this.nodes.push(event)
      return this.nodes.length - 1
    }
    const { from, to } = this.locate(surfaceOp)
    this.nodes.splice(from, to - from + 1, event)
    return from
  }

  /** Positions of both ends; throws `INVALID_EVENT` if one is not there or they are the wrong way round. */
  locate({ start, end }: { start: number; end: number }): { from: number; to: number } {
    const from = this.nodes.findIndex(node => node.seq === start)
    const to = this.nodes.findIndex(node => node.seq === end)
    if (from < 0 || to < 0) throw new SessionError('INVALID_EVENT', `cannot replace ${start}..${end}: event ${from < 0 ? start : end} is not on the surface`)
    if (to < from) throw new SessionError('INVALID_EVENT', `cannot replace ${start}..${end}: ${end} stands before ${start}`)
    return { from, to }
  }
}
