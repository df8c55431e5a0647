/** The live events of the tool pipeline. `this` is the agent's scope where there is one, else `outside`. */

import type {} from 'cordis'
import type { PostToolDecision, PreToolDecision, ToolDefinition, ToolExecution, ToolExecutionResult } from './types.ts'

declare module 'cordis' {
  interface Events {
    /** Waterfall: may this call run, and with which arguments. Default: allow. */
    'tools/pre-execute'(this: object, call: ToolExecution, tool: ToolDefinition, next: () => Promise<PreToolDecision>): Promise<PreToolDecision>
    /** Waterfall around the body: time limits, sandboxes, caches. */
    'tools/execute'(this: object, call: ToolExecution, tool: ToolDefinition, next: () => Promise<ToolExecutionResult>): Promise<ToolExecutionResult>
    /** Waterfall over the result, denials and failures included. The result is a copy: only what is returned counts. Default: accept. */
    'tools/post-execute'(this: object, call: ToolExecution, result: ToolExecutionResult, next: () => Promise<PostToolDecision>): Promise<PostToolDecision>
    /** Output of a running call, piece by piece; live only. */
    'tools/progress'(this: object, call: ToolExecution, text: string): void
    /** A tool came or went. */
    'tools/change'(): void
  }
}
