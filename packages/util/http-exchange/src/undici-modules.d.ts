/** Types for the two modules of undici that are imported by themselves; its whole index costs three times as much at start. */

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici'
  const value: typeof Pool
  export default value
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import type { EnvHttpProxyAgent } from 'undici'
  const value: typeof EnvHttpProxyAgent
  export default value
}
