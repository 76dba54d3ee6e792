import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { strict } from '#platform/http/envelope.ts'
import { pageHeaders, renderPublicPage } from '#platform/http/public-page.ts'
import { formatDate } from '#platform/values/date-text.ts'
import { html } from '#platform/values/html.ts'
import type { Language } from '#platform/values/languages.ts'
import type { Issuer } from './queries.ts'
import type { Verification } from './schema.ts'
import { countVerification, PAGE_PATH, verify } from './verification.ts'

interface Words {
  readonly valid: string
  readonly revoked: string
  readonly replaced: string
  /** Stands before the course and after the name. */
  readonly hasCompleted: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    valid: 'This certificate is valid',
    revoked: 'This certificate was revoked and is no longer valid',
    replaced: 'A newer certificate replaces this one, so it is no longer valid',
    hasCompleted: 'has completed',
  },
  de: {
    valid: 'Dieses Zertifikat ist gültig',
    revoked: 'Dieses Zertifikat wurde widerrufen und ist nicht mehr gültig',
    replaced: 'Ein neueres Zertifikat ersetzt dieses, daher ist es nicht mehr gültig',
    hasCompleted: 'hat diesen Kurs abgeschlossen:',
  },
  es: {
    valid: 'Este certificado es válido',
    revoked: 'Este certificado fue revocado y ya no es válido',
    replaced: 'Un certificado más reciente sustituye a este, que ya no es válido',
    hasCompleted: 'ha completado el curso',
  },
}

const ByCode = strict({ code: Type.String({ maxLength: 200 }) })

/** The page to which the QR code of a certificate leads, for projects that have no page of their own for it. */
export function verifyPage(pages: Api, deps: AreaDeps): void {
  pages.get(
    `${PAGE_PATH}/:code`,
    { config: { access: 'open' }, schema: { hide: true, params: ByCode } },
    async (request, reply) => {
      await countVerification(deps, request, reply)
      const found = await verify(deps, request.params.code)
      return reply
        .code(found ? 200 : 404)
        .headers(pageHeaders())
        .send(found ? show(found.verification, found.issuer) : unknown())
    },
  )
}

function show(
  { student_name, course_title, issued_at, valid, replaced }: Verification,
  { name, language, timezone }: Issuer,
): string {
  const words = WORDS[language]
  const day = formatDate(issued_at, { language, timeZone: timezone })
  return renderPublicPage({
    language,
    site: { name, home: undefined },
    heading: valid ? words.valid : replaced ? words.replaced : words.revoked,
    text: `${student_name} ${words.hasCompleted} ${course_title}`.trim(),
    form: html`<p>${day}</p>`,
  })
}

const unknown = () =>
  renderPublicPage({
    site: undefined,
    heading: 'There is no certificate with this code',
    text: 'A part of the code may be missing. Please compare it with the certificate.',
  })
