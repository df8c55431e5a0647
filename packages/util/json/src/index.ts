export type { JsonObject, JsonValue } from './types.ts'
export { findNonJson, isJsonValue } from './is-json-value.ts'
export { deepFreeze } from './deep-freeze.ts'
export { parseJsonObject, type ParsedJson } from './parse-json-object.ts'
