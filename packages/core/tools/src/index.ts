export { ToolRegistry, ToolRegistry as default, type ToolRegistryConfig } from './tool-registry.ts'
export { defineTool, toJsonSchema, type InferArgs, type SchemaProp, type SchemaSpec, type ToolSpec } from './define-tool.ts'
export { ToolError, type ToolErrorCode } from './errors.ts'
export { tellingArgument } from './telling-argument.ts'
export { text } from '@deepseek-ai/dsh-llm'
export type {} from './events.ts'
export type {
  FileDiff,
  FileLocation,
  PostToolDecision,
  PreToolDecision,
  ToolCall,
  ToolCallView,
  ToolConcurrency,
  ToolDefinition,
  ToolExecution,
  ToolExecutionResult,
  ToolKind,
  ToolResult,
  ToolResultView,
  ToolReturn,
} from './types.ts'
