import { expect, test } from 'vitest'
import { AnswerBudget } from './answer-budget.ts'

const stateOf = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => 'admitted'), new Promise((resolve) => setImmediate(resolve, 'waits'))])

test('answers wait until others are read, and no longer', async () => {
  const budget = new AnswerBudget({ bytes: 100, waitMs: 60_000 })
  const first = await budget.reserve('one', 40)
  await budget.reserve('two', 40)
  const next = budget.reserve('two', 30)
  expect(await stateOf(next)).toBe('waits')
  first.resize(20)
  expect(await stateOf(next)).toBe('waits')
  first.resize(0)
  // Two has its share: half of all.
  expect(await stateOf(next)).toBe('waits')
  const third = budget.reserve('three', 50)
  expect(await stateOf(third)).toBe('admitted')
  expect(budget.used).toBe(90)
})

test('a project that has its share does not hold up others', async () => {
  const budget = new AnswerBudget({ bytes: 100, waitMs: 60_000 })
  const own = await budget.reserve('many', 50)
  const more = budget.reserve('many', 10)
  expect(await stateOf(more)).toBe('waits')
  expect(await stateOf(budget.reserve('few', 40))).toBe('admitted')
  own.resize(30)
  expect(await stateOf(more)).toBe('admitted')
  expect(budget.used).toBe(80)
})

test('whoever finds no room in time is answered 503 with Retry-After', async () => {
  const budget = new AnswerBudget({ bytes: 10, waitMs: 5 })
  await budget.reserve('one', 5)
  await budget.reserve('two', 5)
  await expect(budget.reserve('three', 5)).rejects.toMatchObject({
    status: 503,
    code: 'UNAVAILABLE',
    headers: { 'retry-after': '2' },
  })
  expect(budget.used).toBe(10)
})
