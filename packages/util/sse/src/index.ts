export { SseParser, SseTooLargeError } from './sse-parser.ts'
