export { Client } from './client.ts'
export { NO_OFFERS, readOffers, type ClientOffers } from './client-offers.ts'
export { serveClientFiles, type ClientFilesOptions } from './client-files.ts'
export { serveClientTerminals, type ClientTerminalsOptions } from './client-terminals.ts'
