export { runCrashRig, type RigReport } from './crash-rig.ts'
export type { Backend } from './mount-spine.ts'
