export { BashExecutor, BashExecutor as default } from './bash-executor.ts'
export { BashError, type BashErrorCode } from './errors.ts'
export type { BashExecRequest, BashExecSpec, BashLimits, BashOutputListener, BashRunResult, BashShell, CollectedOutput, LeftProcess } from './types.ts'
export type { BashCaller } from './events.ts'
