/** What plugins may ask of whoever composed the program. */

import type { Context } from '@deepseek-ai/cordis'

declare module '@deepseek-ai/cordis' {
  interface Events {
    /** Asked (bail) with the context of a plugin and the dotted path of a value in its config: where that was written, as `file:line` or in words. */
    'loader/where'(plugin: Context, path: string): string | undefined
  }
}
