import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { AttemptId, CourseId, LessonId, Percentage, QuizId } from '../fields.ts'

export const QUESTION_TYPES = ['single', 'multiple', 'text', 'number'] as const

export const QuestionId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  description: 'A name of your own, unique in the quiz',
  examples: ['needles'],
})
export const OptionId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  description: 'A name of your own, unique in the question',
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
  description: 'What a right answer gives',
  examples: [1],
})
const Pool = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,39}$',
  description: 'Name of a pool',
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
      description: 'Of `single` one, of `multiple` all',
      examples: [['two']],
    }),
  ),
  accepted_texts: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Of `text`: compared without case and double spaces',
      examples: [['two']],
    }),
  ),
  correct_number: Type.Optional(AnyNumber),
  tolerance: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e15,
      description: 'Of `number`: how far off an answer may be',
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
      Type.Array(Option, { minItems: 2, maxItems: 20, description: 'Of `single` and `multiple`' }),
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
      description: 'So many of its questions are asked',
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
    description: 'Share of the points that passes',
    examples: [80],
  }),
  max_attempts: nullable(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'null: no limit', examples: [3] }),
  ),
  time_limit_seconds: nullable(
    Type.Integer({ minimum: 5, maximum: 604_800, description: 'null: no limit', examples: [600] }),
  ),
  shuffle: Type.Boolean({ description: 'Each attempt has an order of its own', examples: [true] }),
  reveal_answers: Type.Boolean({
    description: 'Whether the right answers are told after the submit; never before',
    examples: [true],
  }),
}
const questions = Type.Array(Question, {
  minItems: 1,
  maxItems: 200,
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
export const AttemptNumber = Type.Integer({ description: 'Which attempt of the member it is', examples: [1] })

export const Quiz = Type.Object(
  {
    id: QuizId,
    lesson_id: LessonId,
    course_id: CourseId,
    version: Type.Integer({ description: 'Counts changes of the questions', examples: [1] }),
    ...settings,
    question_count: Type.Integer({ description: 'How many questions an attempt has', examples: [1] }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    pools: Type.Optional(pools),
    questions: Type.Optional({ ...questions, description: 'With a secret key' }),
    attempts: Type.Optional(
      Type.Array(
        Type.Object({
          id: AttemptId,
          number: AttemptNumber,
          status: oneOf(ATTEMPT_STATUSES),
          percentage: nullable(Percentage),
          passed: nullable(Type.Boolean()),
        }),
        { description: 'With a member’s token: their own attempts' },
      ),
    ),
  },
  { title: 'Quiz' },
)
export type Quiz = Static<typeof Quiz>

export const ByQuiz = strict({ id: QuizId })
