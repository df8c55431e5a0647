/** The live events of file access. Tools fire them; policies listen. `this` is the agent's scope where there is one, else `outside`. */

import type {} from 'cordis'
import type { FsActor, FsObservation, FsPlace, FsTarget, FsVersion, FsWriteIntent } from './types.ts'

declare module 'cordis' {
  interface Events {
    /** Waterfall with a single slot: the first that answers decides. What must hold for a write of the whole file; undefined: nothing. A rejection refuses it. */
    'fs/write-intent'(this: object, target: FsTarget, actor: FsActor, next: () => Promise<FsWriteIntent | undefined>): Promise<FsWriteIntent | undefined>
    /** The same for an edit. */
    'fs/edit-intent'(this: object, target: FsTarget, actor: FsActor, next: () => Promise<{ version: FsVersion } | undefined>): Promise<{ version: FsVersion } | undefined>
    /** Asked (serial) for a text file that is read: what somebody, such as an editor, holds of it and has not saved. It counts in place of what is on disk. The first answer that is not undefined counts. */
    'fs/buffer'(target: FsTarget, signal: AbortSignal): Promise<string | undefined>
    /** Asked (serial) before a text file is written: whoever writes it in our place answers true when it has. */
    'fs/save'(target: FsTarget, content: string, signal: AbortSignal): Promise<true | undefined>
    /** Asked (serial) for a file that something other than a file tool is about to change: why that needs a permission. The first answer counts; no answer at all means that nobody judges it. */
    'fs/why-protected'(path: string, place: FsPlace): Promise<{ why?: string } | undefined>
    /** After a successful read, write or edit, and when a file was found absent. Listeners are synchronous. */
    'fs/observed'(this: object, target: FsTarget, observation: FsObservation, actor: FsActor): void
  }
}
