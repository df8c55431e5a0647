export { extendScope, outside, reaches, Scope, scopeKey, scopeOf } from './scope.ts'
