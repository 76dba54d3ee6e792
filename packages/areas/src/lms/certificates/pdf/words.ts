import type { Language } from '#platform/values/languages.ts'

/** What a certificate says in the language of its project. */
interface Words {
  readonly heading: string
  /** Stands between the name and the course. */
  readonly hasCompleted: string
  readonly issuedBy: string
  readonly verifyAt: string
  readonly code: string
  readonly revoked: string
  readonly replaced: string
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    heading: 'Certificate of completion',
    hasCompleted: 'has completed',
    issuedBy: 'Issued by',
    verifyAt: 'Verify this certificate at',
    code: 'Code',
    revoked: 'Revoked: no longer valid',
    replaced: 'Replaced by a newer certificate: no longer valid',
  },
  de: {
    heading: 'Abschlusszertifikat',
    hasCompleted: 'hat diesen Kurs abgeschlossen:',
    issuedBy: 'Ausgestellt von',
    verifyAt: 'Dieses Zertifikat prüfen:',
    code: 'Code',
    revoked: 'Widerrufen: nicht mehr gültig',
    replaced: 'Durch ein neueres Zertifikat ersetzt: nicht mehr gültig',
  },
  es: {
    heading: 'Certificado de finalización',
    hasCompleted: 'ha completado el curso',
    issuedBy: 'Emitido por',
    verifyAt: 'Verifique este certificado en',
    code: 'Código',
    revoked: 'Revocado: ya no es válido',
    replaced: 'Sustituido por un certificado más reciente: ya no es válido',
  },
}
