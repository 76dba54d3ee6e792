import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'

/** A certificate of 127.0.0.1 and localhost, and the authority of its own that signed it, as files. */
export interface Certificates {
  readonly authority: string
  readonly authorityFile: string
  readonly certificateFile: string
  readonly keyFile: string
}

/** Makes both in a folder. Only who is configured to trusts them. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const kind = { keyType: 'ec', algorithm: 'sha256' } as const
  const authority = await generate([{ name: 'commonName', value: 'Authority of these tests' }], {
    ...kind,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...kind,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  const write = async (name: string, text: string) => {
    const file = join(folder, name)
    // A server that runs as another user reads them, too.
    await writeFile(file, text, { mode: 0o644 })
    return file
  }
  return {
    authority: authority.cert,
    authorityFile: await write('authority.pem', authority.cert),
    certificateFile: await write('server.pem', server.cert),
    keyFile: await write('server.key', server.private),
  }
}

/** Lets this process trust an authority, as NODE_EXTRA_CA_CERTS does. @returns what ends that */
export function trust({ authority }: Certificates): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority])
  return () => setDefaultCACertificates(before)
}

/** The settings by which a Redis speaks TLS alone, to its clients, replicas, sentinels and other nodes. */
export const tlsSettings = (port: number, { authorityFile, certificateFile, keyFile }: Certificates) => [
  ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', '--tls-replication', 'yes'],
  ...['--tls-cert-file', certificateFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', authorityFile],
]
