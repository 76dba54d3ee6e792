import type { RedisPlace } from './redis-place.ts'

export const CLUSTER_DOWN =
  'The Redis Cluster does not serve: most of its masters are gone, or some slots have no node'

/** What Redis itself says begins with a code; clients put words of their own around it. */
const BY_CODE: readonly (readonly [code: string, sentence: string])[] = [
  ['MOVED', 'REDIS_URL names one node of a Redis Cluster: name several of its nodes, separated by commas'],
  ['NOAUTH', 'Redis asks for a password that REDIS_URL does not have'],
  ['WRONGPASS', 'Redis refuses the user or the password of REDIS_URL'],
  ['NOPERM', 'Redis does not let the user of REDIS_URL do this: allow it all commands and keys'],
  [
    'CLUSTERDOWN',
    'The Redis Cluster does not serve: most of its masters are gone, or some slots have no node',
  ],
  ['READONLY', 'REDIS_URL leads to a replica: name the master, or the sentinels that know it'],
  ['OOM', 'Redis has no memory left: raise its maxmemory'],
  ['MISCONF', 'Redis takes no writes, because it cannot save to its disk'],
  ['LOADING', 'Redis has just started and reads its data'],
]

const UNTRUSTED =
  'Redis shows a certificate that this process does not trust: name the file of its authority in NODE_EXTRA_CA_CERTS'
const NO_TLS = 'REDIS_URL begins with rediss, but Redis does not answer by TLS: name its TLS port'

/** Errors of connections have a code of Node.js or of OpenSSL. */
const BY_ERROR: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'The certificate of Redis has expired',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of Redis is for another host: it must have the hosts of REDIS_URL and those that a cluster or sentinels name',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    'Redis asks for a certificate of its clients, and Guildhall has none: set its tls-auth-clients to no',
}

const SILENT = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
])
const SENTINELS = 'All sentinels are unreachable'

interface NetworkError extends Error {
  readonly code?: string
  readonly address?: string
  readonly port?: number
  /** Of a cluster: the last error of its nodes. */
  readonly lastNodeError?: Error
}

/**
 * An error as the log has it: with a sentence in place of what Redis or a client says of a REDIS_URL that does not fit.
 * @param place what was connected to, where that is known
 */
export function explainRedis(error: unknown, place?: RedisPlace): unknown {
  if (!(error instanceof Error)) return error
  const sentence = sentenceFor(error, place)
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}

function sentenceFor(error: NetworkError, place: RedisPlace | undefined): string | undefined {
  const { message, code = '', lastNodeError } = error
  if (lastNodeError instanceof Error)
    return (
      sentenceFor(lastNodeError, place) ?? `No node of the Redis Cluster answers: ${lastNodeError.message}`
    )
  const known = BY_CODE.find(([each]) => new RegExp(`\\b${each}\\b`).test(message))?.[1]
  if (message.startsWith(SENTINELS)) return ofSentinels(message)
  if (known !== undefined) return known
  if (BY_ERROR[code] !== undefined) return BY_ERROR[code]
  // Without TLS, Redis takes the first message of TLS for the begin of a command, and waits for its end.
  if (place?.kind === 'one' && place.isEncrypted && code === 'ETIMEDOUT') return NO_TLS
  if (place?.kind === 'sentinel' && SILENT.has(code))
    return `The sentinels of REDIS_URL name a master that does not answer: ${error.address ?? message}${error.port === undefined ? '' : `:${error.port}`}`
  return undefined
}

/** Of the errors of sentinels, the client reports the last. */
function ofSentinels(message: string): string {
  const last = /Last error: (.*)$/.exec(message)?.[1]
  if (last === undefined || /no such master/i.test(last))
    return 'The sentinels of REDIS_URL know no master of the name that it has'
  if (/\b(NOAUTH|WRONGPASS)\b/.test(last))
    return 'The sentinels ask for a password: add it to REDIS_URL as ?sentinel_password='
  return `No sentinel of REDIS_URL answers: ${last}`
}
