/** Turns failures of the connection into an error that says which host, what happened and what to do. Pure. */

import { describeError } from '@deepseek-ai/dsh-errors'
import { HttpExchangeError } from './errors.ts'

const NO_TLS = 'the TLS handshake failed; does the server speak https, or should the address begin with http://?'

const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; is the server running, is the base URL right?',
  ENOTFOUND: 'the name does not resolve; check the base URL and the network',
  EAI_AGAIN: 'name resolution failed for now; check the network',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'the host does not answer; check the network and any proxy',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network is down',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer; check the network and any proxy',
  UND_ERR_SOCKET: 'the other side closed the connection',
  UND_ERR_PRX_CONN: 'the proxy refused; check HTTPS_PROXY and NO_PROXY',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed; set NODE_EXTRA_CA_CERTS to the authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain is self-signed; set NODE_EXTRA_CA_CERTS to the authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified; set NODE_EXTRA_CA_CERTS to the authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
}

/** Codes of a request that the client refuses to put on the wire; their messages name the header and not its value. */
const UNSENDABLE: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_UNESCAPED_CHARACTERS'])

/** `begun`: an answer had started, so the failure cut it off. */
export function networkError(error: unknown, host: string, begun: boolean): HttpExchangeError {
  const code = codeOf(error)
  if (UNSENDABLE.has(code)) return new HttpExchangeError('INVALID_REQUEST', `the request to ${host} cannot be sent: ${describeError(error)}`, { cause: error })
  const hint = HINTS[code] ?? (/^(ERR_SSL|EPROTO)/.test(code) ? NO_TLS : describeError(error).trim())
  const shown = code === '' ? '' : ` (${code})`
  if (begun) return new HttpExchangeError('STREAM_CLOSED', `the connection to ${host} broke in the middle of the answer${shown}: ${hint}`, { cause: error })
  return new HttpExchangeError('UNREACHABLE', `cannot reach ${host}${shown}: ${hint}`, { cause: error })
}

/** The system's code, looked for along the causes and inside an aggregate of several addresses. */
function codeOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth > 5) return ''
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && code !== 'UND_ERR') return code
  if (error instanceof AggregateError) return codeOf(error.errors[0], depth + 1)
  return codeOf(error.cause, depth + 1)
}
