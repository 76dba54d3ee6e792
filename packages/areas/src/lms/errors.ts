import { defineError, slugTakenBy } from '#platform/define-error.ts'
import { invalidField } from '#platform/errors.ts'

export const slugTaken = slugTakenBy('course')
export const courseInUse = defineError({
  code: 'COURSE_IN_USE',
  message: 'Members are or were enrolled in this course: archive it instead',
})
export const prerequisiteCircle = defineError({
  code: 'PREREQUISITE_CIRCLE',
  message: 'A course cannot require itself, directly or through other courses: change `prerequisites`',
})
export const courseNotOpen = defineError({
  code: 'COURSE_NOT_OPEN',
  message: 'This course is not published: publish it first',
})
export const courseFull = defineError({
  code: 'COURSE_FULL',
  message: 'All places of this course are taken: wait for a free place, or raise `capacity`',
})
export const alreadyEnrolled = defineError({
  code: 'ALREADY_ENROLLED',
  message: 'This member is already enrolled in the course: use that enrollment',
})
export const prerequisitesMissing = defineError({
  code: 'PREREQUISITES_MISSING',
  message: 'This member has not completed the courses that this course requires: complete them first',
})
export const enrollmentEnded = defineError({
  code: 'ENROLLMENT_ENDED',
  message: 'The access of this member to the course has ended: a secret key can enroll the member again',
})
export const lessonNotOpen = defineError({
  code: 'LESSON_NOT_OPEN',
  message: 'This lesson is not open for this member yet: `opens_at` of the lesson says when it opens',
})
export const moduleNotEmpty = defineError({
  code: 'MODULE_NOT_EMPTY',
  message: 'This module has lessons: move or delete them first',
})
export const notAQuiz = defineError({
  code: 'NOT_A_QUIZ',
  message: 'This lesson is not of the type `quiz`: choose a lesson of that type',
})
export const noAttemptsLeft = defineError({
  code: 'NO_ATTEMPTS_LEFT',
  message: 'This member has used all attempts of this quiz: a secret key can raise `max_attempts`',
})
export const attemptExpired = defineError({
  code: 'ATTEMPT_EXPIRED',
  message: 'The time for this attempt is over: start a new attempt',
})
export const nameRequired = defineError({
  code: 'NAME_REQUIRED',
  message: 'A certificate needs a name: set `full_name` of the member, and reissue the certificate',
})
export const nameNotPrintable = defineError({
  code: 'NAME_NOT_PRINTABLE',
  message:
    'Our fonts do not have all characters of this certificate: change the characters that `details` names, and reissue the certificate',
})
export const certificateIsRevoked = defineError({
  code: 'CERTIFICATE_REVOKED',
  message: 'This certificate is revoked: only a valid certificate can be reissued',
})
export const notEnrolled = defineError({
  code: 'NOT_ENROLLED',
  message: 'Only members who are or were enrolled in a course can rate it',
  cure: 'Show the form for a rating only to members who have an enrollment in the course.',
})

export const notACourse = (field: string, cause?: unknown) =>
  invalidField(field, 'exists', 'is not a course of this project', cause)

export const notALesson = (field = 'lesson_id', cause?: unknown) =>
  invalidField(field, 'exists', 'is not a lesson of this course', cause)

export const notAFile = (field: string, cause?: unknown) =>
  invalidField(field, 'exists', 'is not a completely uploaded file of this project', cause)
