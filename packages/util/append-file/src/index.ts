export { AppendFile, AppendFileError, type FileStamp } from './append-file.ts'
export { linkOrCopy } from './link-or-copy.ts'
export { newNonce } from './nonce.ts'
export { settled, syncFolder } from './sync-folder.ts'
