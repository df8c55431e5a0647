export { AgentRegistry, AgentRegistry as default } from './agent-registry.ts'
export { AgentError, TURN_FAILED, type AgentErrorCode } from './errors.ts'
export type {} from './events.ts'
export type {
  Agent,
  AgentFactory,
  AgentHandle,
  AgentId,
  AgentOptions,
  AgentStatus,
  CancelOptions,
  ContinuationDecision,
  CreateAgentOptions,
  InjectedContext,
  PromptDecision,
  RequestErrorDecision,
  RequestFailure,
  SendOptions,
  SessionStartSource,
  TurnBudget,
  TurnOutcome,
} from './types.ts'
