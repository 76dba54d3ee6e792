import { defineError, type ErrorType } from '#platform/define-error.ts'
import { type FieldFault, invalidField } from '#platform/errors.ts'

/** What the codes of courses mean, for the document and for errors alike. */
const TEXTS = {
  SLUG_TAKEN: 'Another course has this slug: choose another slug',
  COURSE_IN_USE: 'Members are or were enrolled in this course: archive it instead',
  PREREQUISITE_CIRCLE: 'A course cannot require itself, also not by way of other courses',
  COURSE_NOT_OPEN: 'This course is not published, so nobody can enroll',
  COURSE_FULL: 'This course has no free places',
  ALREADY_ENROLLED: 'This member is already enrolled in the course',
  PREREQUISITES_MISSING: 'This member has not completed the courses that this course requires',
  ENROLLMENT_ENDED: 'The access of this member to the course has ended',
  LESSON_NOT_OPEN: 'This lesson is not open for this member yet',
  MODULE_NOT_EMPTY: 'This module has lessons: move or delete them first',
  NOT_A_QUIZ: 'This lesson is not of the type quiz: only such a lesson can have a quiz',
  NO_ATTEMPTS_LEFT: 'This member has no attempts left for this quiz',
  ATTEMPT_EXPIRED: 'The time for this attempt is over',
  NAME_REQUIRED: 'A certificate needs a name: set `full_name` of the member, and reissue the certificate',
  NAME_NOT_PRINTABLE:
    'No font of ours has all characters of this certificate: `details` names them. Change the name, and reissue the certificate',
  CERTIFICATE_REVOKED: 'This certificate is revoked, so it cannot be reissued',
  NOT_ENROLLED: 'Only members who are or were enrolled in a course can rate it',
} as const
export type Code = keyof typeof TEXTS

const ERRORS = new Map(
  (Object.keys(TEXTS) as Code[]).map((code) => [code, defineError({ code, message: TEXTS[code] })]),
)
/** All of them, for the manifest. */
export const declared: readonly ErrorType[] = [...ERRORS.values()]

const errorOf = (code: Code) => ERRORS.get(code) as ErrorType

/** 422 with one of these codes. */
export const refused = (code: Code, cause?: unknown, details?: readonly FieldFault[]) =>
  errorOf(code)(cause, details && { details })

/** The errors that a route answers, for its document. */
export const codes = (...names: Code[]): ErrorType[] => names.map(errorOf)

export const slugTaken = (cause?: unknown) =>
  errorOf('SLUG_TAKEN')(cause, { details: [{ field: 'slug', rule: 'unique', message: 'is taken' }] })

export const notACourse = (field: string, cause?: unknown) =>
  invalidField(field, 'exists', 'is not a course of this project', cause)

export const notALesson = (field = 'lesson_id', cause?: unknown) =>
  invalidField(field, 'exists', 'is not a lesson of this course', cause)

export const notAFile = (field: string, cause?: unknown) =>
  invalidField(field, 'exists', 'is not a completely uploaded file of this project', cause)
