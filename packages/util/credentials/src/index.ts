export { checkCredential, readCredentials, readCredentialsNow, removeCredential, storeCredential } from './credentials.ts'
export { credentialsFile, holdsKey, KEY_PROVIDERS, keysIn, type KeyProvider } from './providers.ts'
export { CredentialsError, type CredentialsErrorCode } from './errors.ts'
