export { jsonLine } from './json-line.ts'
export { LineOutput, type Line } from './line-output.ts'
export { readLines, type InputLine } from './read-lines.ts'
