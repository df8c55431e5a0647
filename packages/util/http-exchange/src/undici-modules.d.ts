/** The type of the one module of undici that is imported by itself; its whole index costs three times as much at start. */

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import type { EnvHttpProxyAgent } from 'undici'
  const value: typeof EnvHttpProxyAgent
  export default value
}
