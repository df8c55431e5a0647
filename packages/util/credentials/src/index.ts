export { readCredentials, readCredentialsNow, removeCredential, storeCredential } from './credentials.ts'
export { CredentialsError, type CredentialsErrorCode } from './errors.ts'
