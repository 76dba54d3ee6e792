import { ThreadPool } from '#platform/threads/thread-pool.ts'
import { nameNotPrintable, nameRequired } from '../errors.ts'
import type { CertificatePage, Rendered } from './pdf/render-certificate.ts'
import type { Issuer } from './queries.ts'
import type { Certificate } from './schema.ts'
import { addressOf } from './verification.ts'

/** How many may wait for their turn. */
const WAITING = 50
/** The first one, which loads the libraries and fonts, takes a second or two. */
const TIME_LIMIT_MS = 20_000
/** Of JavaScript. Fonts that are open take 8 MB more, and the libraries that shape and cut them about 100 MB. */
const MEMORY_MB = 64

/** Makes certificates as PDF in a thread that is started when the first one is asked for, and that loads the fonts. */
export const startCertificatePrinter = () =>
  new ThreadPool<CertificatePage, Rendered>({
    module: new URL('pdf/certificate.worker.ts', import.meta.url),
    ...{ threads: 1, waiting: WAITING, timeLimitMs: TIME_LIMIT_MS, memoryMb: MEMORY_MB },
    busy: 'Too many certificates are being made now',
  })

export type CertificatePrinter = ReturnType<typeof startCertificatePrinter>

/** @param baseUrl the public address of the API */
export const pageOf = (certificate: Certificate, issuer: Issuer, baseUrl: string): CertificatePage => ({
  studentName: certificate.student_name,
  courseTitle: certificate.course_title,
  issuer: issuer.name,
  issuedAt: certificate.issued_at,
  timeZone: issuer.timezone,
  language: issuer.language,
  code: certificate.code,
  address: addressOf(issuer, certificate.code, baseUrl),
  state: stateOf(certificate),
})

function stateOf({ revoked_at, replaced_by }: Certificate): CertificatePage['state'] {
  if (revoked_at !== null) return 'revoked'
  return replaced_by === null ? 'valid' : 'replaced'
}

/** The PDF. @throws ApiError 422 where the certificate has no name, or characters that no font has */
export function printed(rendered: Rendered): Buffer {
  if ('pdf' in rendered) return Buffer.from(rendered.pdf)
  if ('isNameless' in rendered) throw nameRequired()
  const details = rendered.unprintable.map(({ field, characters }) => ({
    field,
    rule: 'printable',
    message: `has characters that no font has: ${characters.map(shown).join(', ')}`,
  }))
  throw nameNotPrintable(undefined, { details })
}

/** A character with its number, because whoever reads this may have no font for it either. */
const shown = (character: string): string =>
  `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`
