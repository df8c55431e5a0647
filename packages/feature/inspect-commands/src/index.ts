export { apply, inject, name } from './plugin.ts'
export { reportContext, type ContextPart, type ContextReport } from './context-report.ts'
export { reportUsage, type ModelUsage } from './usage-report.ts'
