export { ANY_MODEL, LlmService, LlmService as default } from './llm.ts'
export { LlmAdapter } from './llm-adapter.ts'
export { BlockAssembler } from './block-assembler.ts'
export { costOf } from './cost-of.ts'
export { sentTokens } from './sent-tokens.ts'
export { LlmError, type LlmErrorCode, type LlmErrorOptions } from './errors.ts'
export { asBlocks, text, textOf, toolCallsOf } from './blocks.ts'
export type {} from './events.ts'
export type {
  CacheHint,
  CallId,
  ContentBlock,
  ContentBlockMap,
  ContentBlockType,
  Cost,
  FinishReason,
  FinishReasonMap,
  GenerateOptions,
  ImageBlock,
  Message,
  MessageSource,
  MessageSourceMap,
  ModelInfo,
  ReasoningBlock,
  StreamChunk,
  TextBlock,
  TokenUsage,
  ToolCallBlock,
  ToolResultBlock,
  ToolSchema,
} from './types.ts'
