import { type Static, Type } from 'typebox'
import { strict, Timestamp } from '#platform/http/envelope.ts'
import { CourseId, EnrollmentId, LessonId, StudentId } from '../fields.ts'

export const LessonProgress = Type.Object(
  {
    enrollment_id: EnrollmentId,
    lesson_id: LessonId,
    is_completed: Type.Boolean({ examples: [true] }),
    progress_percentage: Type.Number({ minimum: 0, maximum: 100, examples: [100] }),
    completed_at: Type.Optional(Timestamp({ description: 'Absent if the lesson is not completed' })),
  },
  { title: 'LessonProgress' },
)
export type LessonProgress = Static<typeof LessonProgress>

const given = {
  course_id: CourseId,
  lesson_id: LessonId,
  student_id: Type.Optional(StudentId),
  completed: Type.Optional(Type.Boolean({ description: 'True: the lesson is completed', examples: [true] })),
  progress_percentage: Type.Optional(Type.Number({ minimum: 0, maximum: 100, examples: [100] })),
  last_position: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 10_000_000,
      description: 'The position in a video, in seconds',
      examples: [75.5],
    }),
  ),
  reset: Type.Optional(
    Type.Boolean({
      description:
        'True starts the lesson again; without it progress never decreases. A member’s token changes neither a lesson that a key completed nor a passed quiz',
      examples: [false],
    }),
  ),
}
const example = {
  course_id: 'crs_01jcq3k8f7e8qtk4m3hbw7rn3a',
  lesson_id: 'les_01jcq3k8f7e8qtk4m3hbw7rn3c',
  student_id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d',
}

export const ProgressPost = strict(given, {
  title: 'ProgressPost',
  examples: [{ ...example, completed: true }],
})
export type ProgressPost = Static<typeof ProgressPost>

export const ProgressBatch = strict(
  {
    items: Type.Array(strict(given, { title: 'ProgressItem' }), { minItems: 1, maxItems: 100 }),
  },
  {
    title: 'ProgressBatch',
    examples: [{ items: [{ ...example, progress_percentage: 40, last_position: 75.5 }] }],
  },
)
export type ProgressBatch = Static<typeof ProgressBatch>

export const BatchResult = Type.Object(
  {
    succeeded: Type.Integer({ examples: [1] }),
    failed: Type.Integer({ examples: [0] }),
    results: Type.Array(
      Type.Object({
        lesson_id: LessonId,
        success: Type.Boolean({ examples: [true] }),
        progress: Type.Optional(LessonProgress),
        error: Type.Optional(Type.String({ examples: ['Enrollment not found'] })),
        code: Type.Optional(Type.String({ examples: ['NOT_FOUND'] })),
      }),
      { description: 'One result for each item, in the same order' },
    ),
  },
  { title: 'ProgressBatchResult' },
)
export type BatchResult = Static<typeof BatchResult>
