import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { Timestamp } from '#platform/http/envelope.ts'
import { exampleOf } from '#platform/http/example.ts'
import { Certificate } from './certificates/schema.ts'
import { FullCourse } from './courses/schema.ts'
import { Enrollment } from './enrollments/schema.ts'
import { AttemptId, CourseId, EnrollmentId, LessonId, Percentage, QuizId, StudentId } from './fields.ts'

const course = exampleOf(FullCourse)
const enrollment = exampleOf(Enrollment)
const certificate = exampleOf(Certificate)

export const coursePublished = defineEvent({
  name: 'course.published',
  description: 'A course was published',
  data: FullCourse,
  example: course,
  member: () => null,
})
export const enrollmentCreated = defineEvent({
  name: 'enrollment.created',
  description: 'A member was enrolled in a course, or enrolled again',
  data: Enrollment,
  example: enrollment,
  member: ({ student_id }) => student_id,
})
export const enrollmentCompleted = defineEvent({
  name: 'enrollment.completed',
  description: 'A member has completed a course. It is sent once for each enrollment',
  data: Enrollment,
  example: enrollment,
  member: ({ student_id }) => student_id,
})
export const enrollmentExpired = defineEvent({
  name: 'enrollment.expired',
  description:
    'The access of a member to a course has ended: its time is over, or its order was refunded (`status` is then `canceled`)',
  data: Enrollment,
  example: enrollment,
  member: ({ student_id }) => student_id,
})

const LessonCompleted = Type.Object({
  id: LessonId,
  lesson_id: LessonId,
  course_id: CourseId,
  enrollment_id: EnrollmentId,
  student_id: StudentId,
  completed_at: Timestamp(),
})
export const lessonCompleted = defineEvent({
  name: 'lesson.completed',
  description: 'A member has completed a lesson',
  data: LessonCompleted,
  example: exampleOf(LessonCompleted),
  member: ({ student_id }) => student_id,
})

const QuizSubmitted = Type.Object({
  id: AttemptId,
  attempt_id: AttemptId,
  quiz_id: QuizId,
  lesson_id: LessonId,
  course_id: CourseId,
  enrollment_id: EnrollmentId,
  student_id: StudentId,
  number: Type.Integer({ description: 'The number of the attempt, counted for each member', examples: [1] }),
  percentage: Percentage,
  passed: Type.Boolean({ examples: [true] }),
  submitted_at: Timestamp(),
})
export const quizSubmitted = defineEvent({
  name: 'quiz.submitted',
  description: 'A member has submitted an attempt at a quiz, and it was graded',
  data: QuizSubmitted,
  example: exampleOf(QuizSubmitted),
  member: ({ student_id }) => student_id,
})
export const certificateIssued = defineEvent({
  name: 'certificate.issued',
  description: 'A member got a certificate for a course',
  data: Certificate,
  example: certificate,
  member: ({ student_id }) => student_id,
})
export const certificateReplaced = defineEvent({
  name: 'certificate.replaced',
  description:
    'A certificate was reissued, so it is no longer valid. `replaced_by` is the new certificate, for which `certificate.issued` is sent too',
  data: Certificate,
  example: { ...certificate, replaced_by: 'cert_01jcq3k8f7e8qtk4m3hbw7rn3h' },
  member: ({ student_id }) => student_id,
})
export const certificateRevoked = defineEvent({
  name: 'certificate.revoked',
  description: 'A certificate was revoked',
  data: Certificate,
  example: certificate,
  member: ({ student_id }) => student_id,
})
