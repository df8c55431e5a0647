/** Gives a file a second name, and where the file system knows no second names a copy under it. */

import { constants, copyFileSync, linkSync } from 'node:fs'

/** File systems without hard links say one of these. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Never replaces a file: throws `EEXIST`, or as the file system does. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  }
}
