/** What exists only in a bundle, for the type checker. `scripts/bundle.ts` says what it is. */

declare module 'dsh:host-modules' {
  export const hostModules: Readonly<Record<string, () => Promise<object>>>
}

/** `true` in a bundle, undefined when the sources run. Read it as `globalThis.DSH_BUNDLED`. */
declare var DSH_BUNDLED: boolean | undefined
