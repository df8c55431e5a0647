export { HarnessError, isHarnessError, toHarnessError } from './harness-error.ts'
export { describeError } from './describe-error.ts'
export { assertNever } from './assert-never.ts'
