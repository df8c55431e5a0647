export { apply, Config, name, type LlmRetryConfig } from './plugin.ts'
export { decideRetry, type RetryPolicy, type RetryVerdict } from './retry-policy.ts'
