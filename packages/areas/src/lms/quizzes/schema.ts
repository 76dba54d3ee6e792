import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { AttemptId, CourseId, LessonId, Percentage, QuizId } from '../fields.ts'
import { quizId } from '../ids.ts'

export const QUESTION_TYPES = ['single', 'multiple', 'text', 'number'] as const

export const QuestionId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  description: 'An id that you choose. The questions of a quiz have different ids',
  examples: ['needles'],
})
export const OptionId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  description: 'An id that you choose. The options of a question have different ids',
  examples: ['two'],
})
export const Words = Type.String({
  minLength: 1,
  maxLength: 2_000,
  examples: ['How many needles do you need?'],
})
export const Points = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'The points for a correct answer',
  examples: [1],
})
const Pool = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  description: 'The name of a pool',
  examples: ['basics'],
})
export const AnyNumber = Type.Number({ minimum: -1e15, maximum: 1e15, examples: [2] })

const Option = strict({ id: OptionId, text: Words }, { title: 'QuizOption' })
const answers = {
  correct_options: Type.Optional(
    Type.Array(OptionId, {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'For `single` the correct option, for `multiple` all correct options',
      examples: [['two']],
    }),
  ),
  accepted_texts: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description:
        'For `text`: accepted answers. Upper and lower case and repeated spaces make no difference',
      examples: [['two']],
    }),
  ),
  correct_number: Type.Optional(AnyNumber),
  tolerance: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e15,
      description: 'For `number`: the largest difference from the correct number that is accepted',
      examples: [0],
    }),
  ),
  explanation: Type.Optional(Type.String({ maxLength: 2_000, examples: ['One for each hand.'] })),
}
export const Question = strict(
  {
    id: QuestionId,
    type: oneOf(QUESTION_TYPES),
    text: Words,
    points: Type.Optional(Points),
    pool: Type.Optional(Pool),
    options: Type.Optional(
      Type.Array(Option, { minItems: 2, maxItems: 20, description: 'For `single` and `multiple`' }),
    ),
    ...answers,
  },
  { title: 'QuizQuestion' },
)
export type Question = Static<typeof Question>

export const QuestionPool = strict(
  {
    name: Pool,
    draw: Type.Integer({
      minimum: 1,
      maximum: 200,
      description: 'The number of questions that are drawn from the pool',
      examples: [1],
    }),
  },
  { title: 'QuestionPool' },
)
export type QuestionPool = Static<typeof QuestionPool>

const settings = {
  pass_percentage: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'The percentage of points that passes',
    examples: [80],
  }),
  max_attempts: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'The largest number of attempts; null: no limit',
      examples: [3],
    }),
  ),
  time_limit_seconds: nullable(
    Type.Integer({
      minimum: 5,
      maximum: 604_800,
      description: 'The time for an attempt in seconds; null: no limit',
      examples: [600],
    }),
  ),
  shuffle: Type.Boolean({
    description: 'True: each attempt has the questions in another order',
    examples: [true],
  }),
  reveal_answers: nullable(
    Type.Boolean({
      description:
        'When the correct answers are shown. null: after the member has passed, or has submitted the last of `max_attempts`; true: after each submit; false: never. They are never shown before the submit',
      examples: [true],
    }),
  ),
}
const questions = Type.Array(Question, {
  minItems: 1,
  maxItems: 200,
  limited: 'questions of one quiz',
  examples: [
    [
      {
        id: 'needles',
        type: 'single',
        text: 'How many needles do you need?',
        options: [
          { id: 'one', text: 'One' },
          { id: 'two', text: 'Two' },
        ],
        correct_options: ['two'],
      },
    ],
  ],
})
const pools = Type.Array(QuestionPool, { maxItems: 20, examples: [[]] })

export const QuizInput = strict(
  {
    pass_percentage: Type.Optional(settings.pass_percentage),
    max_attempts: Type.Optional(settings.max_attempts),
    time_limit_seconds: Type.Optional(settings.time_limit_seconds),
    shuffle: Type.Optional(settings.shuffle),
    reveal_answers: Type.Optional(settings.reveal_answers),
    pools: Type.Optional(pools),
    questions,
  },
  { title: 'QuizInput' },
)
export type QuizInput = Static<typeof QuizInput>

export const ATTEMPT_STATUSES = ['in_progress', 'submitted', 'expired'] as const
export const AttemptNumber = Type.Integer({
  description: 'The number of the attempt, counted for each member',
  examples: [1],
})

export const Quiz = Type.Object(
  {
    id: QuizId,
    lesson_id: LessonId,
    course_id: CourseId,
    version: Type.Integer({
      description: 'The number of the version; it grows when questions change',
      examples: [1],
    }),
    ...settings,
    question_count: Type.Integer({ description: 'The number of questions in an attempt', examples: [1] }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    pools: Type.Optional(pools),
    questions: Type.Optional({ ...questions, description: 'Only with a secret key' }),
    attempts: Type.Optional(
      Type.Array(
        Type.Object({
          id: AttemptId,
          number: AttemptNumber,
          status: oneOf(ATTEMPT_STATUSES),
          percentage: nullable(Percentage),
          passed: nullable(Type.Boolean()),
        }),
        {
          description:
            'With the token of a member: own attempts. With a secret key: those of `student_id`, if it is given',
        },
      ),
    ),
  },
  { title: 'Quiz' },
)
export type Quiz = Static<typeof Quiz>

export const QuizQuery = strict({
  student_id: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'Only for secret keys: the member whose attempts are in the answer',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
  ),
})

export const ByQuiz = strict({ id: pathId(quizId, QuizId) })
