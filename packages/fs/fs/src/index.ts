export { ABSENT, FileSystem, type ResolveOptions } from './file-system.ts'
export { FsError, type FsErrorCode, type FsErrorDetails } from './errors.ts'
export { applyEdits, type EditedText } from './apply-edits.ts'
export { numberLine, stripGutter, type Ungutted } from './gutter.ts'
export { KeyedLock } from './keyed-lock.ts'
export { fromObservationMeta, toObservationMeta } from './observation-meta.ts'
export type {} from './events.ts'
export type {
  AppliedEdit,
  FileTextLine,
  FsActor,
  FsDirEntry,
  FsEditOptions,
  FsEditOutcome,
  FsEditRequest,
  FsInfo,
  FsLines,
  FsListing,
  FsObservation,
  FsPlace,
  FsRange,
  FsTarget,
  FsTargetKey,
  FsText,
  FsType,
  FsVersion,
  FsWriteIntent,
  FsWriteOptions,
  FsWriteOutcome,
  ReadWindow,
  TextFormat,
} from './types.ts'
