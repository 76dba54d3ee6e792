import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { CertificateId, CourseId, EnrollmentId, MaybeTimestamp, StudentId, Title } from '../fields.ts'

const Code = Type.String({
  description: 'Verifies it: 80 random bits',
  examples: ['7ZQK-3M9X-T0AB-WD52'],
})
const MemberName = Type.String({
  description: 'As it was on that day; empty once the member is forgotten',
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
    revoked_at: MaybeTimestamp('Null while it is valid'),
  },
  { title: 'Certificate' },
)
export type Certificate = Static<typeof Certificate>

export const Verification = Type.Object(
  {
    student_name: MemberName,
    course_title: Title,
    issued_at: Timestamp(),
    valid: Type.Boolean({ description: 'False once it is revoked', examples: [true] }),
  },
  { title: 'Verification' },
)
export type Verification = Static<typeof Verification>

export const Revocation = strict(
  { reason: Type.Optional(Type.String({ maxLength: 500, examples: ['Issued by mistake'] })) },
  { title: 'Revocation', examples: [{ reason: 'Issued by mistake' }] },
)

export const ById = strict({ id: CertificateId })
export const ByCode = strict({
  code: Type.String({
    maxLength: 200,
    description: 'With or without hyphens, in any case',
    examples: ['7ZQK-3M9X-T0AB-WD52'],
  }),
})
export const FormatQuery = strict({
  format: oneOf(['json', 'pdf'], {
    default: 'json',
    description: 'The certificate itself, or a page to print',
  }),
})
