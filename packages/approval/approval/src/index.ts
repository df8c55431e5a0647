export { ApprovalService, ApprovalService as default, type ApprovalConfig } from './approval.ts'
export type {} from './events.ts'
export type {
  Allowance,
  Answerer,
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalRequest,
  ApprovalScope,
  Inquiry,
  InquiryAnswer,
  InquiryRequest,
  JudgedPart,
  Judgement,
  PermissionMode,
  PermissionPolicy,
  PolicyCall,
  RememberedRule,
  RuleReference,
  UserQuestion,
  Verdict,
} from './types.ts'
