export { extendScope, reaches, Scope, scopeKey, scopeOf } from './scope.ts'
