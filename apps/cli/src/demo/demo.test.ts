import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withApi } from '#testkit/with-api.ts'
import { fillDemo } from './fill.ts'
import { CREATED, mark } from './marks.ts'
import { makeDemoPlace } from './place.ts'

// A small share of the demo data: everything that there is, each of it once at the least.
const SHARE = 0.08

let api: TestApi
let one: Side
let two: Side
let id: string

async function fill(side: Side): Promise<string[]> {
  const place = await makeDemoPlace(side, api.config, SHARE)
  const filled = await fillDemo(place, id)
  return filled.map(({ part }) => part)
}

withApi(async (opened) => {
  api = opened
  const [first, second] = await makeProjects(api)
  one = first.test
  two = second.test
  id = first.project.id
  for (const side of [one, two]) await side.write((ctx) => mark(ctx, CREATED, id))
  await fill(one)
})

/** How many rows the project has of each kind, by a query that groups them. */
async function counted(side: Side, sql: string): Promise<Record<string, number>> {
  const { rows } = await api.owner.query(
    `select kind, count(*)::int as n from (${sql}) as each where each.project_id = $1 group by kind order by kind`,
    [side.projectId],
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}

const STATES = {
  members: [
    'select project_id, status as kind from members where deleted_at is null',
    'active inactive pending',
  ],
  orders: [
    'select project_id, status as kind from orders',
    'canceled completed fulfilled paid pending_payment refunded',
  ],
  canceled: [
    "select project_id, cancel_reason as kind from orders where status = 'canceled'",
    'by_customer by_operator expired',
  ],
  subscriptions: [
    'select project_id, status as kind from subscriptions',
    'active canceled incomplete past_due paused trialing',
  ],
  bills: ['select project_id, status as kind from bills', 'open paid uncollectible void'],
} as const

test.each(Object.entries(STATES))('the demo has %s in every state', async (_name, [sql, states]) => {
  expect(Object.keys(await counted(one, sql)).join(' ')).toBe(states)
})

test('a second run adds nothing, and a project that was not made as a demo is never filled', async () => {
  const rows = () => counted(one, 'select project_id, type as kind from events')
  const before = await rows()
  expect(await fill(one)).toEqual([])
  expect(await rows()).toEqual(before)
  const [other] = await makeProjects(api)
  await expect(fill(other.test)).rejects.toThrow('only a project that was made as a demo')
})
