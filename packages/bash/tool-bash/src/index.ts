export { apply, inject, name } from './plugin.ts'
export { renderResult } from './render-result.ts'
