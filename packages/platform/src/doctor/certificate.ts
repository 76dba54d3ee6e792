import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../parse-config.ts'
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts'

const WAIT_MS = 5_000
const DAY_MS = 86_400_000
/** Certificates of 90 days are renewed 30 days before their end: one that has fewer was not. */
const WARN_DAYS = 14

/** What the server of an address shows of itself. */
export interface ServerCertificate {
  readonly expires: Date
  /** Why clients refuse it, where they do: it has expired, is for another host, or is signed by nobody they know. */
  readonly refusal: string | undefined
}

/** Reads the certificate of an `https` address. @throws Error where the server is not reached within 5 s */
export async function readCertificate(address: string): Promise<ServerCertificate> {
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    ...{ host, port: Number(port || 443), rejectUnauthorized: false },
    ...(isIP(host) === 0 && { servername: host }),
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(WAIT_MS) })
    const refusal = socket.authorizationError as Error | string | null
    return {
      expires: new Date(socket.getPeerCertificate().valid_to),
      refusal: socket.authorized ? undefined : refusal instanceof Error ? reasonOf(refusal) : String(refusal),
    }
  } finally {
    socket.destroy()
  }
}

/** The certificate of BASE_URL. Nothing where it is no `https` address. */
export async function examineCertificate({ BASE_URL }: Pick<Config, 'BASE_URL'>): Promise<Finding[]> {
  if (!BASE_URL.startsWith('https:')) return []
  const read = await readCertificate(BASE_URL).catch((error: unknown) => reasonOf(error))
  if (typeof read === 'string')
    return [
      warning(
        'certificate',
        `the certificate of ${BASE_URL} cannot be read from here: ${read}`,
        'Let this machine reach BASE_URL, or watch the certificate from elsewhere',
      ),
    ]
  const days = Math.floor((read.expires.getTime() - Date.now()) / DAY_MS)
  const until = read.expires.toISOString().slice(0, 10)
  const cure = 'Renew the certificate: clients, and mails with links to here, stop working at its end'
  if (days < 0) return [fault('certificate', `the certificate of ${BASE_URL} ended on ${until}`, cure)]
  if (days < WARN_DAYS)
    return [warning('certificate', `the certificate of ${BASE_URL} ends in ${days} days, on ${until}`, cure)]
  if (read.refusal !== undefined)
    return [
      warning(
        'certificate',
        `this machine does not trust the certificate of ${BASE_URL}: ${read.refusal}`,
        'Send the whole chain of certificates, or add the authority to NODE_EXTRA_CA_CERTS where it is your own',
      ),
    ]
  return [ok('certificate', `the certificate of ${BASE_URL} is good until ${until}`)]
}
