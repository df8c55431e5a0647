/** The types of the modules of undici that are imported by themselves; its whole index costs three times as much at start. */

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import type { EnvHttpProxyAgent } from 'undici'
  const value: typeof EnvHttpProxyAgent
  export default value
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import type { Dispatcher } from 'undici'
  const value: typeof Dispatcher
  export default value
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'
  const value: Dispatcher['connect']
  export default value
}
