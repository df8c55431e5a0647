/** The invariants as a plugin: mounted in every test composition, read as `ctx.get('invariants')`. */

import type { Context } from 'cordis'
import { createInvariants, type Invariants } from './invariants.ts'

declare module 'cordis' {
  interface Context {
    invariants: Invariants
  }
}

export const name = 'invariants'
export const inject = ['sessions']

export function apply(ctx: Context): void {
  ctx.provide('invariants', createInvariants(ctx))
}
