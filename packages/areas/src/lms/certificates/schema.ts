import { type Static, Type } from 'typebox'
import { filledText, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { CertificateId, CourseId, EnrollmentId, MaybeTimestamp, StudentId, Title } from '../fields.ts'
import { certificateId } from '../ids.ts'

const Code = Type.String({
  description: 'The code to verify the certificate: 80 random bits',
  examples: ['7ZQK-3M9X-T0AB-WD52'],
})
const MemberName = Type.String({
  description: 'The name on the day of the certificate; empty after the data of the member was erased',
  examples: ['Ada Lovelace'],
})

export const Certificate = Type.Object(
  {
    id: CertificateId,
    course_id: CourseId,
    enrollment_id: nullable(EnrollmentId),
    student_id: StudentId,
    student_name: MemberName,
    course_title: Title,
    code: Code,
    issued_at: Timestamp(),
    revoked_at: MaybeTimestamp('Null if the certificate was not revoked'),
    replaced_by: nullable(
      Type.String({
        description: 'The id of the certificate that replaces this one; null if none does',
        examples: ['cert_01jcq3k8f7e8qtk4m3hbw7rn3h'],
      }),
    ),
  },
  { title: 'Certificate' },
)
export type Certificate = Static<typeof Certificate>

export const Verification = Type.Object(
  {
    student_name: MemberName,
    course_title: Title,
    issued_at: Timestamp(),
    valid: Type.Boolean({
      description: 'False if the certificate was revoked or replaced',
      examples: [true],
    }),
    replaced: Type.Boolean({
      description: 'True if a newer certificate replaces this one, for example after a change of the name',
      examples: [false],
    }),
  },
  { title: 'Verification' },
)
export type Verification = Static<typeof Verification>

export const Revocation = strict(
  { reason: Type.Optional(filledText({ maxLength: 500, examples: ['Issued by mistake'] })) },
  { title: 'Revocation', examples: [{ reason: 'Issued by mistake' }] },
)

export const ById = strict({ id: pathId(certificateId, CertificateId) })
export const ByCode = strict({
  code: Type.String({
    maxLength: 200,
    description: 'The code, with or without hyphens, in upper or lower case',
    examples: ['7ZQK-3M9X-T0AB-WD52'],
  }),
})
export const FormatQuery = strict({
  format: oneOf(['json', 'pdf'], {
    default: 'json',
    description: '`json`: the certificate; `pdf`: a page to print',
  }),
})
