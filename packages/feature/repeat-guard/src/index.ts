export { apply, Config, inject, name, type RepeatGuardConfig } from './plugin.ts'
export { RepetitionCount, type Repetition } from './repetition-count.ts'
