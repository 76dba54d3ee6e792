import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { Api } from '../api.ts'
import { AnswerBudget, registerAnswerBudget } from './answer-budget.ts'

const stateOf = async (reserved: unknown) =>
  Promise.race([
    Promise.resolve(reserved).then(() => 'admitted'),
    new Promise((resolve) => setImmediate(resolve, 'waits')),
  ])

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

test('a list whose rows are bounded reserves what they can have, and any other one its part of 8 MiB', async () => {
  const budget = new AnswerBudget({ bytes: 10_000_000 })
  const api = Fastify() as unknown as Api
  for (const name of ['key', 'member']) api.decorateRequest(name, undefined)
  api.addHook('onRequest', async (request) => {
    request.key = { id: 'key', projectId: 'one', type: 'secret' } as never
  })
  registerAnswerBudget(api, budget)
  const reserved: number[] = []
  const schema = { querystring: Type.Object({ limit: Type.Integer() }) }
  for (const [url, config] of Object.entries({ '/bounded': { rowBytes: 100 }, '/other': {} }))
    api.get(url, { config, schema }, async () => {
      reserved.push(budget.used)
      return {}
    })
  for (const url of ['/bounded?limit=10', '/other?limit=10']) await api.inject(url)
  expect(reserved).toEqual([1_000, 8 * 1024 * 1024 * 0.1])
  await expect.poll(() => budget.used).toBe(0)
})
