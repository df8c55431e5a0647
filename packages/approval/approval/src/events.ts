/** What the log keeps of approvals; the model never sees it. */

import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { CallId } from '@deepseek-ai/dsh-llm'
import type { ApprovalAnswer } from './types.ts'

declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    'approval/asked': { id: string; callId: CallId; tool: string; arguments: JsonObject; reason?: string }
    'approval/decided': { id: string; answer: ApprovalAnswer }
  }
}
