export { apply, Config, inject, name, type LlmScriptConfig } from './plugin.ts'
export { LlmScript } from './llm-script.ts'
export { findBadPairing } from './check-pairing.ts'
export { call, calls, chunks, fail, hang, reply, type AnswerExtras, type ScriptedCall, type ScriptStep, type Step } from './steps.ts'
