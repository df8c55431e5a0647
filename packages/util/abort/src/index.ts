export { unlessAborted, type UnlessAbortedOptions } from './unless-aborted.ts'
