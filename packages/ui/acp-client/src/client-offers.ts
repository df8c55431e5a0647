/** What a client is able to do, as far as it is used. Pure. */

import type { ClientCapabilities } from '@agentclientprotocol/sdk'

/** The capabilities of a client, as far as they are used. */
export interface ClientOffers {
  readsFiles: boolean
  writesFiles: boolean
  terminals: boolean
  notices: boolean
  forms: boolean
  terminalAuth: boolean
}

export const NO_OFFERS: ClientOffers = { readsFiles: false, writesFiles: false, terminals: false, notices: false, forms: false, terminalAuth: false }

export function readOffers(capabilities: ClientCapabilities | undefined): ClientOffers {
  return {
    readsFiles: capabilities?.fs?.readTextFile === true,
    writesFiles: capabilities?.fs?.writeTextFile === true,
    terminals: capabilities?.terminal === true,
    notices: isObject(capabilities?.session?.notices),
    forms: isObject(capabilities?.elicitation?.form),
    terminalAuth: capabilities?.auth?.terminal === true,
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
