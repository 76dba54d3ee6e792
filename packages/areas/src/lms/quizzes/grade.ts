import { type FieldFault, invalidBody } from '#platform/errors.ts'
import type { Answer, Attempt } from './attempt-schema.ts'
import type { Question } from './schema.ts'

type Result = NonNullable<Attempt['result']>

export interface Grade {
  readonly points: number
  readonly max_points: number
  /** Rounded down. */
  readonly percentage: number
  readonly passed: boolean
}

/** What an answer to each type of question consists of. */
const ANSWERED_BY: Readonly<Record<Question['type'], 'options' | 'text' | 'number'>> = {
  single: 'options',
  multiple: 'options',
  text: 'text',
  number: 'number',
}

/** Checks that answers are to questions that were asked, and of their kind. @throws ApiError 422 with all faults */
export function checkAnswers(asked: readonly Question[], answers: readonly Answer[]): void {
  const faults: FieldFault[] = []
  const fault = (i: number, at: string, rule: string, message: string) =>
    faults.push({ field: `answers[${i}].${at}`, rule, message })
  for (const [i, answer] of answers.entries()) {
    const question = asked.find(({ id }) => id === answer.question_id)
    if (question === undefined) {
      fault(i, 'question_id', 'exists', 'is not a question of this attempt')
      continue
    }
    if (answers.findIndex(({ question_id }) => question_id === answer.question_id) < i)
      fault(i, 'question_id', 'unique', 'is answered twice')
    const right = ANSWERED_BY[question.type]
    for (const kind of ['options', 'text', 'number'] as const)
      if (kind !== right && answer[kind] !== undefined)
        fault(i, kind, 'type', `is not allowed for a question of the type ${question.type}`)
    for (const [o, id] of (answer.options ?? []).entries())
      if (right === 'options' && !question.options?.some((option) => option.id === id))
        fault(i, `options[${o}]`, 'exists', 'is not an option of this question')
    if (question.type === 'single' && (answer.options?.length ?? 0) > 1)
      fault(i, 'options', 'maxItems', 'must have one option')
  }
  if (faults.length > 0) throw invalidBody(faults)
}

/** Grades answers. A missing answer is wrong. With several options, exactly the right ones must be chosen. */
export function gradeAnswers(
  asked: readonly Question[],
  answers: readonly Answer[],
  passPercentage: number,
): Grade {
  const points = asked.reduce((sum, question) => sum + pointsOf(question, answers), 0)
  const maxPoints = asked.reduce((sum, { points: most = 1 }) => sum + most, 0)
  return {
    points,
    max_points: maxPoints,
    percentage: Math.floor((points * 100) / maxPoints),
    passed: points * 100 >= passPercentage * maxPoints,
  }
}

/** What each answer was worth; with the right answers where they may be shown. */
export const explain = (
  asked: readonly Question[],
  answers: readonly Answer[],
  reveal: boolean,
): Result['questions'] =>
  asked.map((question) => {
    const points = pointsOf(question, answers)
    const { correct_options, accepted_texts, correct_number, explanation } = question
    return {
      question_id: question.id,
      correct: points > 0,
      points,
      ...(reveal && {
        ...(correct_options && { correct_options }),
        ...(accepted_texts && { accepted_texts }),
        ...(correct_number !== undefined && { correct_number }),
        ...(explanation !== undefined && { explanation }),
      }),
    }
  })

function pointsOf(question: Question, answers: readonly Answer[]): number {
  const answer = answers.find(({ question_id }) => question_id === question.id)
  return answer !== undefined && isRight(question, answer) ? (question.points ?? 1) : 0
}

function isRight(question: Question, { options = [], text, number }: Answer): boolean {
  switch (question.type) {
    case 'single':
    case 'multiple':
      return isSame(options, question.correct_options ?? [])
    case 'text':
      return (
        text !== undefined &&
        (question.accepted_texts ?? []).some((accepted) => plain(accepted) === plain(text))
      )
    case 'number':
      return number !== undefined && isNear(number, question.correct_number ?? 0, question.tolerance ?? 0)
  }
}

/** Both without doubles, in any order. */
const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((each) => others.includes(each))

/** Off by no more than is allowed, and by what numbers lose in a computer (0.1 + 0.2). */
const isNear = (number: number, right: number, tolerance: number) =>
  Math.abs(number - right) <= tolerance + Math.abs(right) * 1e-12

/** A text without what a slip of the keyboard changes. */
const plain = (text: string) => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
