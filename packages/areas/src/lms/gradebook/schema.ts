import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import {
  CertificateId,
  EnrollmentId,
  LessonId,
  MaybeTimestamp,
  Percentage,
  QuizId,
  StudentId,
} from '../fields.ts'
import { ENROLLMENT_STATUSES } from '../outline/schema.ts'

export const GradebookRow = Type.Object(
  {
    enrollment_id: EnrollmentId,
    student_id: StudentId,
    student_name: Type.String({ examples: ['Ada Lovelace'] }),
    status: oneOf(ENROLLMENT_STATUSES),
    progress_percentage: Percentage,
    enrolled_at: Timestamp(),
    completed_at: MaybeTimestamp('When the course was completed; null if it is not completed'),
    certificate_id: nullable(CertificateId),
    quizzes: Type.Array(
      Type.Object({
        quiz_id: QuizId,
        lesson_id: LessonId,
        attempts: Type.Integer({
          description: 'The number of attempts that the member started',
          examples: [2],
        }),
        best_percentage: nullable(Percentage),
        passed: Type.Boolean({ examples: [true] }),
      }),
      { description: 'The quizzes that the member started' },
    ),
  },
  { title: 'GradebookRow' },
)
export type GradebookRow = Static<typeof GradebookRow>

export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(ENROLLMENT_STATUSES, { description: 'Only enrollments with this status' })),
})
