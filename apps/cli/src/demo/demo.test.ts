import { TypeID } from 'typeid-js'
import { afterAll, expect, test } from 'vitest'
import { createEntry } from '#areas/billing/credit/service.ts'
import type { TestApi } from '#testkit/api.ts'
import { wrongCounters } from '#testkit/catalog/recount.ts'
import { queryParameters } from '#testkit/catalog/sample-requests.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { withApi } from '#testkit/with-api.ts'
import { fillDemo, STEPS } from './fill.ts'
import { CREATED, mark } from './marks.ts'
import { type Part, readPeople } from './part.ts'
import { makeDemoPlace } from './place.ts'

// A small share of the demo data: everything that there is, each of it once at the least.
const SHARE = 0.06

let api: TestApi
let s3: TestS3
let one: Side
let two: Side
let id: string

async function fill(side: Side, steps = STEPS): Promise<string[]> {
  const config = { ...api.config, ...s3.environment, ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8'] }
  const place = makeDemoPlace(side, config, { share: SHARE, receiverUrl: 'http://127.0.0.1:65430' })
  const filled = await fillDemo(place, id, steps)
  place.objects.close()
  return filled.map(({ part }) => part)
}

withApi(async (opened) => {
  api = opened
  s3 = await startS3()
  const [first, second] = await makeProjects(api)
  one = first.test
  two = second.test
  id = first.project.id
  for (const side of [one, two]) await side.write((ctx) => mark(ctx, CREATED, id))
  await fill(one)
})
afterAll(() => s3.close())

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
  'refunds of orders': ['select project_id, status as kind from order_refunds', 'failed succeeded'],
  'refunds of bills': ['select project_id, status as kind from bill_refunds', 'failed succeeded'],
  comments: ['select project_id, status as kind from comments', 'pending removed visible'],
  'moderation cases': [
    "select project_id, kind || ' ' || coalesce(decision, 'open') as kind from moderation_cases",
    'held approved,held open,held removed,reported approved,reported open,reported removed',
  ],
  feedback: [
    'select project_id, status as kind from feedback',
    'declined done in_progress new planned under_review',
  ],
  articles: ['select project_id, status as kind from help_articles', 'archived draft published'],
  forms: ['select project_id, status as kind from forms', 'archived draft published'],
  submissions: ['select project_id, status as kind from form_submissions', 'received spam'],
  'enrollments by their status': [
    'select project_id, status as kind from enrollments',
    'active canceled completed expired',
  ],
  invitations: [
    "select project_id, case when status = 'pending' and expires_at < now() then 'expired' else status end as kind from invitations",
    'accepted expired pending revoked',
  ],
  imports: ['select project_id, state as kind from member_imports', 'failed queued'],
  mails: ['select project_id, state as kind from mails', 'failed queued suppressed'],
  notifications: [
    "select project_id, case when read_at is null then 'unread' else 'read' end as kind from notifications",
    'read unread',
  ],
  exports: ['select project_id, status as kind from exports', 'expired failed queued'],
} as const

test.each(Object.entries(STATES))('the demo has %s in every state', async (_name, [sql, states]) => {
  const found = Object.keys(await counted(one, sql))
  expect(found.toSorted().join(found.some((state) => state.includes(' ')) ? ',' : ' ')).toBe(states)
})

/** States that a worker brings, which no test waits for, and those that last a moment. */
const BY_WORKERS: Readonly<Record<string, readonly string[]>> = {
  listExports: ['running', 'completed'],
  listMails: ['sent'],
  listMemberImports: ['running', 'completed'],
  listWebhookDeliveries: ['sending', 'delivered', 'pending', 'failed'],
}
/** Of lists of one thing: the things, of which one has the row. */
const OWNERS: Readonly<Record<string, { readonly prefix: string; readonly sql: string }>> = {
  listFormSubmissions: { prefix: 'form', sql: 'select id from forms where project_id = $1' },
  getGradebook: { prefix: 'crs', sql: 'select id from courses where project_id = $1' },
  listCommentsOfMember: { prefix: 'mem', sql: 'select author_id as id from comments where project_id = $1' },
}

async function hasRow(name: string, path: string, query: Record<string, string>): Promise<boolean> {
  const owner = OWNERS[name]
  const { rows } = owner
    ? await api.owner.query<{ id: string }>(owner.sql, [one.projectId])
    : { rows: [{ id: '' }] }
  const ids = new Set(rows.map(({ id }) => id))
  for (const id of ids) {
    const named = owner === undefined ? '' : TypeID.fromUUID(owner.prefix, id).toString()
    const sent = new URLSearchParams({
      ...query,
      ...(name === 'listCommentsOfMember' && { author_id: named }),
    })
    const { status, body } = await one.admin.get<object>(
      `${path.replace('/api/v1', '').replace('{id}', named)}?${sent}`,
    )
    expect([name, status]).toEqual([name, 200])
    if (Object.values(body).some((part) => Array.isArray(part) && part.length > 0)) return true
  }
  return false
}

test('a member’s timeline shows the orders in the order of their days', async () => {
  const { rows } = await api.owner.query(
    `select h.order_id, h.created_at from order_history h where project_id = $1 order by id`,
    [one.projectId],
  )
  const times = rows.map(({ created_at }) => Date.parse(created_at))
  expect(new Set(times).size).toBeGreaterThan(10)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('every list that an operator filters by a state has a row in each of its states', async () => {
  const empty: string[] = []
  for (const endpoint of one.contract.endpoints) {
    const name = endpoint.operation.operationId
    const parameters = queryParameters(endpoint)
    if (!parameters.some((each) => each.name === 'cursor')) continue
    const filter = parameters.find(
      (each) => ['status', 'state'].includes(each.name) && each.schema['enum'] !== undefined,
    )
    if (filter === undefined || endpoint.method !== 'GET' || name === 'listOwnOrders') continue
    for (const state of filter.schema['enum'] as string[]) {
      if (BY_WORKERS[name]?.includes(state)) continue
      if (!(await hasRow(name, endpoint.path, { [filter.name]: state }))) empty.push(`${name} ${state}`)
    }
  }
  expect(empty).toEqual([])
})

const LISTS = [
  ...[
    'plans',
    'products',
    'product_variants',
    'discounts',
    'order_refunds',
    'carts',
    'credit_entries',
    'bill_refunds',
  ],
  ...[
    'discussions',
    'reports',
    'appeals',
    'moderation_rules',
    'suspensions',
    'mutes',
    'feedback_votes',
    'feedback_comments',
  ],
  ...[
    'help_votes',
    'help_translations',
    'courses',
    'lessons',
    'quizzes',
    'quiz_attempts',
    'certificates',
    'course_ratings',
  ],
  ...[
    'content_rules',
    'webhook_endpoints',
    'api_keys',
    'sessions',
    'files',
    'profiles',
    'notification_messages',
  ],
]

test.each(LISTS)('the demo has rows in %s', async (table) => {
  const { [table]: rows = 0 } = await counted(one, `select project_id, '${table}' as kind from ${table}`)
  expect(rows).toBeGreaterThan(0)
})

const NUMBERS = `select project_id, 'order ' || status as kind from orders
  union all select project_id, 'paid ' || sum(paid_minor) from orders group by project_id
  union all select project_id, 'bill ' || status from bills
  union all select project_id, 'billed ' || sum(total_minor) from bills group by project_id
  union all select project_id, 'member ' || full_name from members
  union all select project_id, 'event ' || type from events
  union all select project_id, 'attempt ' || coalesce(percentage, 0) from quiz_attempts`

test('a run that ends in the middle leaves no half part, and the next one goes on: the numbers are those of one run', async () => {
  const ends: Part = {
    name: 'ends',
    begin:
      async () =>
      async ({ ctx }) => {
        await createEntry(ctx, (await readPeople(ctx))[0]?.id ?? '', {
          amount: 1,
          currency: 'eur',
          reason: 'half',
        })
        throw new Error('the process was killed')
      },
  }
  await expect(fill(two, [...STEPS.slice(0, 1), [[ends], ...(STEPS[1] ?? [])]])).rejects.toThrow('was killed')
  await fill(two)
  expect(await counted(two, NUMBERS)).toEqual(await counted(one, NUMBERS))
})

test('all counters of what was filled say what counting again says', async () => {
  const ours = new Set([one.projectId, two.projectId])
  const wrong = (await wrongCounters(api.owner)).filter(({ project_id }) => ours.has(String(project_id)))
  expect(wrong).toEqual([])
})

test('a second run adds nothing, and a project that was not made as a demo is never filled', async () => {
  const rows = () => counted(one, 'select project_id, type as kind from events')
  const before = await rows()
  expect(await fill(one)).toEqual([])
  expect(await rows()).toEqual(before)
  const [other] = await makeProjects(api)
  await expect(fill(other.test)).rejects.toThrow('only a project that was made as a demo')
})
