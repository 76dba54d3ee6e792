import type { Quiz, QuizInput, QuizQuestionInput, QuizQuestionType } from '@guildhall/sdk'
import { numberIn, typed } from './numbers.ts'

export const QUESTION_TYPES: readonly QuizQuestionType[] = ['single', 'multiple', 'text', 'number']

/** A question as it is typed. */
export interface DraftQuestion {
  readonly id: string
  readonly type: QuizQuestionType
  readonly text: string
  readonly points: string
  readonly pool: string
  readonly options: readonly { readonly id: string; readonly text: string }[]
  readonly correct: readonly string[]
  /** One accepted text a line. */
  readonly accepted: string
  readonly number: string
  readonly tolerance: string
  readonly explanation: string
}

/** A quiz as it is typed. */
export interface QuizDraft {
  readonly pass_percentage: string
  readonly max_attempts: string
  /** Minutes. */
  readonly time_limit: string
  readonly shuffle: boolean
  /** When right answers are shown. */
  readonly reveal: 'passed' | 'always' | 'never'
  readonly questions: readonly DraftQuestion[]
  /** How many questions of a pool are drawn, by its name. */
  readonly draws: Readonly<Record<string, string>>
}

/** An id that is not used yet, such as `q3`. */
export function freeId(prefix: string, used: readonly { readonly id: string }[]): string {
  let number = used.length + 1
  while (used.some(({ id }) => id === `${prefix}${number}`)) number++
  return `${prefix}${number}`
}

export const newQuestion = (used: readonly DraftQuestion[]): DraftQuestion => ({
  ...{ id: freeId('q', used), type: 'single', text: '', points: '1', pool: '' },
  options: [
    { id: 'o1', text: '' },
    { id: 'o2', text: '' },
  ],
  ...{ correct: [], accepted: '', number: '', tolerance: '', explanation: '' },
})

/** What is typed at first; a quiz that is not written yet has one empty question. */
export function draftOf(quiz: Quiz | null): QuizDraft {
  if (quiz === null)
    return {
      ...{ pass_percentage: '80', max_attempts: '', time_limit: '', shuffle: true, reveal: 'passed' },
      ...{ questions: [newQuestion([])], draws: {} },
    }
  const { reveal_answers: reveal, time_limit_seconds: seconds } = quiz
  return {
    pass_percentage: typed(quiz.pass_percentage),
    max_attempts: typed(quiz.max_attempts),
    time_limit: seconds === null ? '' : typed(seconds / 60),
    shuffle: quiz.shuffle,
    reveal: reveal === null ? 'passed' : reveal ? 'always' : 'never',
    questions: (quiz.questions ?? []).map((question) => ({
      id: question.id,
      type: question.type as QuizQuestionType,
      text: question.text,
      points: typed(question.points ?? 1),
      pool: question.pool ?? '',
      options: question.options ?? [],
      correct: question.correct_options ?? [],
      accepted: (question.accepted_texts ?? []).join('\n'),
      number: typed(question.correct_number),
      tolerance: typed(question.tolerance),
      explanation: question.explanation ?? '',
    })),
    draws: Object.fromEntries((quiz.pools ?? []).map(({ name, draw }) => [name, String(draw)])),
  }
}

/** The pools that questions name, in the order in which they are named. */
export const poolsOf = ({ questions }: QuizDraft): string[] => [
  ...new Set(questions.map(({ pool }) => pool.trim()).filter((pool) => pool !== '')),
]

export function bodyOf(draft: QuizDraft): QuizInput {
  const minutes = numberIn(draft.time_limit)
  const seconds = typeof minutes === 'number' ? Math.round(minutes * 60) : minutes
  return {
    ...{ pass_percentage: numberIn(draft.pass_percentage) ?? 80, max_attempts: numberIn(draft.max_attempts) },
    ...{ time_limit_seconds: seconds, shuffle: draft.shuffle },
    reveal_answers: { passed: null, always: true, never: false }[draft.reveal],
    pools: poolsOf(draft).map((name) => ({ name, draw: numberIn(draft.draws[name] ?? '') ?? 1 })),
    questions: draft.questions.map(questionOf),
  }
}

function questionOf(question: DraftQuestion): QuizQuestionInput {
  const { id, type, text, pool, explanation } = question
  const accepted = question.accepted
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const [points, number, tolerance] = [question.points, question.number, question.tolerance].map(numberIn)
  return {
    ...{ id, type, text, points: points ?? 1 },
    ...(pool.trim() !== '' && { pool: pool.trim() }),
    ...((type === 'single' || type === 'multiple') && {
      options: question.options.map((option) => ({ ...option })),
      ...(question.correct.length > 0 && { correct_options: [...question.correct] }),
    }),
    ...(type === 'text' && accepted.length > 0 && { accepted_texts: accepted }),
    ...(type === 'number' && {
      ...(typeof number === 'number' && { correct_number: number }),
      ...(typeof tolerance === 'number' && { tolerance }),
    }),
    ...(explanation !== '' && { explanation }),
  }
}
