import { defineError, type ErrorType } from '#platform/define-error.ts'
import { invalidField } from '#platform/errors.ts'

/** What the codes of courses mean, for the document and for errors alike. */
const TEXTS = {
  SLUG_TAKEN: 'Another course has this slug',
  COURSE_IN_USE: 'Members are or were enrolled in this course; archive it instead',
  PREREQUISITE_CIRCLE: 'A course cannot require itself, not by way of other courses either',
  COURSE_NOT_OPEN: 'This course takes no enrollments: it is not published',
  COURSE_FULL: 'All places of this course are taken',
  ALREADY_ENROLLED: 'This member is enrolled in the course already',
  PREREQUISITES_MISSING: 'This member has not completed the courses that this one requires',
  ENROLLMENT_ENDED: 'The access to this course has ended',
  LESSON_NOT_OPEN: 'This lesson is not open to this member yet',
  OUTLINE_FULL: 'A course has at most 100 modules and 500 lessons',
  MODULE_NOT_EMPTY: 'This module still has lessons; move or delete them first',
  NOT_A_QUIZ: 'Only a lesson of the type quiz has a quiz',
  QUIZ_EMPTY: 'This quiz draws no question',
  NO_ATTEMPTS_LEFT: 'All attempts at this quiz are used up',
  ATTEMPT_EXPIRED: 'The time for this attempt is over',
  NOT_ENROLLED: 'Only members who are or were enrolled in a course rate it',
} as const
export type Code = keyof typeof TEXTS

const ERRORS = new Map(
  (Object.keys(TEXTS) as Code[]).map((code) => [code, defineError({ code, message: TEXTS[code] })]),
)
const errorOf = (code: Code) => ERRORS.get(code) as ErrorType

/** 422 with one of these codes. */
export const refused = (code: Code, cause?: unknown) => errorOf(code)(cause)

/** The errors that a route answers, for its document. */
export const codes = (...names: Code[]): ErrorType[] => names.map(errorOf)

export const slugTaken = (cause?: unknown) =>
  errorOf('SLUG_TAKEN')(cause, { details: [{ field: 'slug', rule: 'unique', message: 'is taken' }] })

export const notACourse = (field: string, cause?: unknown) =>
  invalidField(field, 'exists', 'is not a course of this project', cause)

export const notALesson = (field = 'lesson_id', cause?: unknown) =>
  invalidField(field, 'exists', 'is not a lesson of this course', cause)

export const notAFile = (field: string, cause?: unknown) =>
  invalidField(field, 'exists', 'is not a file of this project whose bytes have all come', cause)
