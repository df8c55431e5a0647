/** What a program that hosts the framework needs beyond the framework itself; plugins have no use for it. */

export { createRoot } from './create-root.ts'
export { claimSingleCopy, findOwner, isForeignService } from './single-copy.ts'
export { FrameworkError, type FrameworkErrorCode } from './framework-error.ts'
