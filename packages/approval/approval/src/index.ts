export { ApprovalService, ApprovalService as default } from './approval.ts'
export type {} from './events.ts'
export type { Answerer, ApprovalAnswer, ApprovalQuestion, ApprovalRequest } from './types.ts'
