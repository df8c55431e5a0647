export { discardInput } from './discard-input.ts'
export { InputLane } from './input-lane.ts'
export { readHiddenLine, type HiddenAnswer, type HiddenQuestion } from './read-hidden-line.ts'
export { TypedInput, type InputReader, type InputSource } from './typed-input.ts'
