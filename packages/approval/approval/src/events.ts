/** What the log keeps of permissions; the model never sees it. */

import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { CallId } from '@deepseek-ai/dsh-llm'
import type { ApprovalAnswer, InquiryAnswer, UserQuestion } from './types.ts'

declare module '@deepseek-ai/dsh-session' {
  interface SessionEventMap {
    'approval/asked': { id: string; callId: CallId; tool: string; arguments: JsonObject; reason?: string; remember: readonly string[] }
    'approval/decided': { id: string; answer: ApprovalAnswer }
    'approval/inquired': { id: string; callId: CallId; questions: readonly UserQuestion[] }
    'approval/answered': { id: string; answer: InquiryAnswer }
    /** Rules that answers of this session left, and that hold no more. May stand outside turns. */
    'approval/revoked': { rules: readonly string[] }
    /** The permission mode from here on; `base` is what counts where `mode` is not known any more. May stand outside turns. */
    'approval/mode': { mode: string; base?: string }
  }
}
