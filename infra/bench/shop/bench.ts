/** `npm run bench -- shop`: a list of products, a cart, checkouts of one product that all want, and renewals. */
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { areas } from '#areas/areas.ts'
import { advanceDueSubscriptions } from '#areas/billing/subscriptions/advance-due.due.ts'
import { catalogueOf } from '#platform/area.ts'
import { openPool } from '#platform/db/pool.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { loadMembers, makeBypassingLogin, makeTenants, type Tenant } from '../http/data.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import { type Generator, type Load, startGenerator } from '../load.ts'
import type { Rig } from '../rig.ts'
import { median, printTable } from '../table.ts'

const BARE = fileURLToPath(new URL('bare.ts', import.meta.url))
const CONNECTIONS = 32
/** Customers who check out at the same moment. */
const AT_ONCE = 64
/** Requests a second of Medusa 2 on such a machine. */
const MEDUSA = { list: 15, add: 19 } as const

interface Made {
  readonly data: { readonly id: string }
}

/** Runs the bench and prints its table. */
export async function benchShop(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const seconds = quick ? 1 : 3
  const orders = quick ? 640 : 3_200
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
    const [tenant] = (await makeTenants(place, 1, ['admin'])) as [Tenant]
    await loadMembers(owner, [tenant], orders * 2)
    const { rows } = await owner.query<{ id: string }>(
      "update members set status = 'active' where project_id = $1 returning id",
      [tenant.projectId],
    )
    const members = rows.map(({ id }) => toId('member', id))
    const api = await rig.serve({ name: 'api', script: API, environment: apiEnvironment(rig) })
    const bypassing = await makeBypassingLogin(owner, rig.postgres.url)
    const bare = await rig.serve({
      ...{ name: 'bare', script: BARE },
      environment: { ...apiEnvironment(rig), BYPASSING_URL: bypassing, PROJECT_ID: tenant.projectId },
    })
    const post = poster(api.origin, tenant)
    const products = await makeProducts(post)
    await owner.query('vacuum (analyze)')

    const { authorization } = tenant
    const list = { connections: CONNECTIONS, method: 'GET' as const, seconds }
    const listing = await rates(
      generator,
      {
        ...{ ...list, origin: api.origin, paths: ['/api/v1/shop/products?limit=50'] },
        authorizations: [authorization],
      },
      { ...list, origin: bare.origin, paths: ['/products'], authorizations: [] },
    )
    const add = {
      ...{ connections: AT_ONCE, method: 'POST' as const, seconds, headers: { 'x-user-id': members } },
      body: products.map((product_id) => JSON.stringify({ product_id })),
    }
    const adding = await rates(
      generator,
      { ...add, origin: api.origin, paths: ['/api/v1/shop/cart'], authorizations: [authorization] },
      { ...add, origin: bare.origin, paths: ['/cart'], authorizations: [] },
      // As a worker does each 15 s: plans of empty tables read each cart of the project (decision 0007).
      () => owner.query('select app.analyze_grown_tables()'),
    )
    await owner.query('delete from cart_items')
    const fill = (product: (n: number) => string, some: readonly string[]) =>
      rateOf(some, (member, n) => post('/shop/cart', { product_id: product(n) }, member))
    const [hotBuyers, others] = [members.slice(0, orders), members.slice(orders)]
    const [hot = ''] = products
    await fill(() => hot, hotBuyers)
    const checkOut = (some: readonly string[]) => rateOf(some, (member) => post('/shop/checkout', {}, member))
    const before = await deadlocks(owner)
    const hotRate = await checkOut(hotBuyers)
    await fill((n) => products[n % products.length] ?? hot, others)
    const manyRate = await checkOut(others)
    const after = await deadlocks(owner)

    const renewed = await renewalsPerSecond(rig, owner, tenant, post, members.slice(0, quick ? 400 : 2_000))
    const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')
    const row = (what: string, value: number, goal?: number): string[] =>
      goal === undefined
        ? [what, value.toFixed(0)]
        : [
            what,
            value.toFixed(goal < 10 ? 2 : 0),
            `≥ ${goal < 10 ? goal.toFixed(2) : goal}`,
            verdict(value >= goal),
          ]
    printTable(
      'A shop with 100 products',
      ['', 'a second', 'goal', ''],
      [
        row('list of 50 products', listing.ours, 50 * MEDUSA.list),
        row('of a bare handler with the same SQL', listing.ofBare, 0.8),
        row(`add to cart, ${AT_ONCE} at once`, adding.ours, 50 * MEDUSA.add),
        row('of a bare handler with the same SQL', adding.ofBare, 0.6),
        row(`checkout of one product, ${AT_ONCE} at once`, hotRate, 300),
        row(`checkout of 100 products, ${AT_ONCE} at once`, manyRate),
        ['deadlocks', String(after - before), '0', verdict(after === before)],
        row('renewals by hand, one worker', renewed, 1_000),
      ],
    )
  } finally {
    await generator.stop()
    await owner.end()
  }
}

async function makeProducts(post: Post): Promise<string[]> {
  const products: string[] = []
  for (let n = 0; n < 100; n++) {
    const product = { name: `Product ${n}`, description: 'Wheel-thrown', price: 10 + n, currency: 'eur' }
    const { id } = (await post<Made>('/shop/products', product)).data
    await post(`/shop/products/${id}/variants`, { stock: 100_000 })
    products.push(id)
  }
  return products
}

/** Ours and a bare handler in turns. @param warmedUp called when both have run once */
async function rates(
  generator: Generator,
  ours: Load,
  bare: Load,
  warmedUp: () => Promise<unknown> = async () => {},
): Promise<{ ours: number; ofBare: number }> {
  const measured: [number, number][] = []
  for (let round = 0; round < 4; round++) {
    const [one, other] = [await generator.run(ours), await generator.run(bare)]
    if (one.errors + other.errors > 0) throw new Error(one.firstError ?? other.firstError)
    // The first one warms both up.
    if (round === 0) await warmedUp()
    else measured.push([one.requestsPerSecond, other.requestsPerSecond])
  }
  return {
    ours: median(measured.map(([rate]) => rate)),
    ofBare: median(measured.map(([rate, other]) => rate / other)),
  }
}

type Post = <T>(path: string, body: object, member?: string) => Promise<T>

const poster =
  (origin: string, { authorization }: Tenant): Post =>
  async <T>(path: string, body: object, member?: string) => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      ...(member !== undefined && { 'x-user-id': member }),
    }
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const data = (await answer.json()) as T
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(data)}`)
    return data
  }

/** How often a second something is done that each does once, so many at a time. */
async function rateOf(
  all: readonly string[],
  work: (one: string, n: number) => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<number> {
  const started = performance.now()
  const queue = all.entries()
  const one = async () => {
    for (const [n, each] of queue) await work(each, n)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return (all.length / (performance.now() - started)) * 1_000
}

async function deadlocks(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.deadlocks)
}

/** Renewals of subscriptions whose period is over, as a worker works them off: bills, lines, moves and events included. */
async function renewalsPerSecond(
  rig: Rig,
  owner: pg.Client,
  tenant: Tenant,
  post: Post,
  members: readonly string[],
): Promise<number> {
  const plan = { name: 'Monthly', price: 9.5, currency: 'eur', interval: 'month' }
  const { id: plan_id } = (await post<Made>('/plans', plan)).data
  // Bills of a project are numbered one after the other, so that more at once would only wait for a connection.
  await rateOf(members, (member_id) => post('/subscriptions', { member_id, plan_id }), 8)
  await owner.query(
    `update subscriptions set status = 'active', open_bill_id = null, open_bill_reason = null, dunning_at = null,
      period_start = period_start - interval '40 days', anchor_at = anchor_at - interval '40 days',
      period_end = now() - interval '1 day', due_at = now() - interval '1 day' where project_id = $1`,
    [tenant.projectId],
  )
  await owner.query("update bills set status = 'void' where project_id = $1", [tenant.projectId])
  await owner.query('vacuum (analyze)')
  const config = parseConfig({ ...apiEnvironment(rig), LOG_LEVEL: 'silent' })
  const pool = openPool(config, { role: 'api', size: 2, onError: () => undefined })
  try {
    const run = {
      ...dataOf(pool, tenant.projectId, { kind: 'operator' }),
      projectId: tenant.projectId,
      deps: { config, log: makeLog('silent', 'worker'), catalogue: catalogueOf(areas) },
    }
    const left = async () =>
      Number(
        (await owner.query<{ n: string }>('select count(*) as n from subscriptions where due_at <= now()'))
          .rows[0]?.n,
      )
    const due = await left()
    const started = performance.now()
    for (let n = 0; n < due; n += 100) await advanceDueSubscriptions.workOff(run)
    const rate = (due / (performance.now() - started)) * 1_000
    if (due === 0 || (await left()) > 0) throw new Error('not everything was renewed')
    return rate
  } finally {
    await pool.end()
  }
}
