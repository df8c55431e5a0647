/** What is offered to the client. Pure. */

import type { AuthMethod, InitializeRequest, InitializeResponse } from '@agentclientprotocol/sdk'
import { readOffers, type ClientOffers } from '@deepseek-ai/dsh-acp-client'

/** The one version of the protocol that is spoken; a newer offer is answered with it. */
export const PROTOCOL = 1

/** Of the method that takes a key which is there already. */
export const KEY_METHOD = 'deepseek-key'

/** What the agent is able to do, depending on whether it keeps sessions and keys. */
export interface AgentFacts {
  version: string
  storesSessions: boolean
  storesKeys: boolean
}

export function initializeResponse({ clientCapabilities }: InitializeRequest, { version, storesSessions, storesKeys }: AgentFacts): InitializeResponse {
  const stored = storesSessions ? { list: {}, resume: {}, delete: {}, fork: {} } : {}
  return {
    protocolVersion: PROTOCOL,
    agentInfo: { name: 'dsh', title: 'dsh', version },
    agentCapabilities: {
      loadSession: storesSessions,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { ...stored, close: {}, additionalDirectories: {} },
      ...(storesKeys && { auth: { logout: {} } }),
    },
    authMethods: authMethods(readOffers(clientCapabilities), storesKeys),
    // As the adapters for other agents name it: `_session/steering` adds to the turn that runs.
    _meta: { steering: { supported: true } },
  }
}

function authMethods({ terminalAuth }: ClientOffers, storesKeys: boolean): AuthMethod[] {
  const own: AuthMethod = { id: KEY_METHOD, name: 'API key', description: 'Uses the key of DEEPSEEK_API_KEY, or the one that `dsh auth` has stored' }
  const terminal: AuthMethod = { type: 'terminal', id: `${KEY_METHOD}-terminal`, name: 'Enter an API key', description: 'Asks for the key in a terminal and stores it for this user alone', args: ['--setup'] }
  return terminalAuth && storesKeys ? [terminal, own] : [own]
}
