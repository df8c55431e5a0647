export { LocalFileSystem, LocalFileSystem as default, type LocalFileSystemConfig } from './local-file-system.ts'
