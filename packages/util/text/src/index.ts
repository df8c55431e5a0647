export { clipEnd, clipMiddle, clipStart } from './clip.ts'
export { stripControls } from './strip-controls.ts'
export { nearest } from './nearest.ts'
export { plural } from './plural.ts'
