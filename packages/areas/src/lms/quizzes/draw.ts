import type { Question, QuestionPool } from './schema.ts'

interface Drawing {
  readonly questions: readonly Question[]
  readonly pools: readonly QuestionPool[]
  readonly shuffle: boolean
}

/**
 * The questions of an attempt, in its order and with its order of options: always the same for the same seed, so that
 * only the seed is kept. Of each pool as many are drawn as it says.
 */
export function drawQuestions({ questions, pools, shuffle }: Drawing, seed: number): Question[] {
  const random = randomFrom(seed)
  const drawn = new Set(questions.filter(({ pool }) => pool === undefined))
  for (const { name, draw } of pools) {
    const all = questions.filter(({ pool }) => pool === name)
    for (const question of shuffled(all, random).slice(0, draw)) drawn.add(question)
  }
  const asked = questions.filter((question) => drawn.has(question))
  if (!shuffle) return asked
  return shuffled(asked, random).map((question) =>
    question.options === undefined ? question : { ...question, options: shuffled(question.options, random) },
  )
}

/** How many questions an attempt has. */
export const countDrawn = ({ questions, pools }: Pick<Drawing, 'questions' | 'pools'>): number =>
  questions.filter(({ pool }) => pool === undefined).length + pools.reduce((sum, { draw }) => sum + draw, 0)

/** Fisher and Yates. */
function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const left = [...all]
  const order: T[] = []
  while (left.length > 0) order.push(...left.splice(Math.floor(random() * left.length), 1))
  return order
}

/** Numbers from 0 to 1 that follow from a seed of 32 bits (mulberry32). Nothing secret hangs on them. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
