export { compareLogs } from './compare-logs.ts'
export { normalForm, type NormalEvent } from './normal-form.ts'
export { replaySession, type Replayed, type ReplayOptions } from './replay-session.ts'
