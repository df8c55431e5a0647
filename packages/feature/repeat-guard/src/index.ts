export { apply, Config, inject, name, type RepeatGuardConfig } from './plugin.ts'
export { FailureCount, type RepeatedFailure } from './failure-count.ts'
