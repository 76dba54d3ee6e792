import { Type } from 'typebox'
import { nullable, Timestamp } from '#platform/http/envelope.ts'

// Fields that several resources of courses share.

export const CourseId = Type.String({
  description: 'The id of a course',
  examples: ['crs_01jcq3k8f7e8qtk4m3hbw7rn3a'],
})
export const ModuleId = Type.String({
  description: 'The id of a module',
  examples: ['mod_01jcq3k8f7e8qtk4m3hbw7rn3b'],
})
export const LessonId = Type.String({
  description: 'The id of a lesson',
  examples: ['les_01jcq3k8f7e8qtk4m3hbw7rn3c'],
})
export const EnrollmentId = Type.String({
  description: 'The id of an enrollment',
  examples: ['enr_01jcq3k8f7e8qtk4m3hbw7rn3d'],
})
export const QuizId = Type.String({
  description: 'The id of a quiz',
  examples: ['quiz_01jcq3k8f7e8qtk4m3hbw7rn3e'],
})
export const AttemptId = Type.String({
  description: 'The id of an attempt at a quiz',
  examples: ['att_01jcq3k8f7e8qtk4m3hbw7rn3f'],
})
export const CertificateId = Type.String({
  description: 'The id of a certificate',
  examples: ['cert_01jcq3k8f7e8qtk4m3hbw7rn3g'],
})
export const StudentId = Type.String({
  description: 'The id of the member who learns',
  examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})
export const FileId = Type.String({
  description: 'The id of a file',
  examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2h'],
})
/** One line of text, without control characters. */
export const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  examples: ['First steps'],
})
export const Percentage = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Whole percent, rounded down',
  examples: [40],
})
export const MaybeTimestamp = (description: string) => nullable(Timestamp({ description }))
