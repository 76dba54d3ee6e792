import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import {
  AttemptId,
  EnrollmentId,
  LessonId,
  MaybeTimestamp,
  Percentage,
  QuizId,
  StudentId,
} from '../fields.ts'
import { attemptId } from '../ids.ts'
import {
  AnyNumber,
  ATTEMPT_STATUSES,
  AttemptNumber,
  OptionId,
  Points,
  QUESTION_TYPES,
  QuestionId,
  Words,
} from './schema.ts'

const Result = Type.Object({
  points: Type.Number({ examples: [1] }),
  max_points: Type.Number({ examples: [1] }),
  percentage: Percentage,
  passed: Type.Boolean({ examples: [true] }),
  questions: Type.Array(
    Type.Object({
      question_id: QuestionId,
      correct: Type.Boolean({ examples: [true] }),
      points: Type.Number({ examples: [1] }),
      correct_options: Type.Optional(Type.Array(OptionId)),
      accepted_texts: Type.Optional(Type.Array(Type.String({ examples: ['two'] }))),
      correct_number: Type.Optional(AnyNumber),
      explanation: Type.Optional(Type.String({ examples: ['One for each hand.'] })),
    }),
  ),
})

export const Attempt = Type.Object(
  {
    id: AttemptId,
    quiz_id: QuizId,
    lesson_id: LessonId,
    enrollment_id: EnrollmentId,
    student_id: StudentId,
    number: AttemptNumber,
    status: oneOf(ATTEMPT_STATUSES, {
      description: '`expired`: the time ended before the attempt was submitted',
    }),
    started_at: Timestamp(),
    expires_at: MaybeTimestamp(
      'When the time of the attempt ends; answers up to 5 seconds later are accepted',
    ),
    submitted_at: MaybeTimestamp('Null until the attempt is submitted'),
    questions: Type.Array(
      Type.Object(
        {
          id: QuestionId,
          type: oneOf(QUESTION_TYPES),
          text: Words,
          points: Points,
          options: Type.Optional(Type.Array(Type.Object({ id: OptionId, text: Words }))),
        },
        { title: 'AskedQuestion' },
      ),
    ),
    result: nullable(
      Type.Object(Result.properties, {
        title: 'QuizResult',
        description: 'Null until the attempt is submitted',
      }),
    ),
  },
  { title: 'Attempt' },
)
export type Attempt = Static<typeof Attempt>

const Answer = strict(
  {
    question_id: QuestionId,
    options: Type.Optional(Type.Array(OptionId, { maxItems: 20, uniqueItems: true, examples: [['two']] })),
    text: Type.Optional(Type.String({ maxLength: 2_000, examples: ['two'] })),
    number: Type.Optional(AnyNumber),
  },
  { title: 'QuizAnswer' },
)
export type Answer = Static<typeof Answer>
export const Submission = strict(
  { answers: Type.Array(Answer, { maxItems: 200 }) },
  { title: 'QuizSubmission', examples: [{ answers: [{ question_id: 'needles', options: ['two'] }] }] },
)

export const ByAttempt = strict({ id: pathId(attemptId, AttemptId) })
