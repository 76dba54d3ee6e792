/** `npm run bench -- shop`: a list of products, a cart, checkouts of one product that all want, and renewals. */
import type pg from 'pg'
import { areas } from '#areas/areas.ts'
import { advanceDueSubscriptions } from '#areas/billing/subscriptions/advance-due.due.ts'
import { catalogueOf } from '#platform/area.ts'
import { openPool } from '#platform/db/pool.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { benchOf, memoize } from './cases.ts'
import { loadMembers, makeTenant, type Tenant } from './data.ts'
import { againstBare } from './pairs.ts'
import { apiEnvironment, type Post, poster, type Stage, serveApi } from './stage.ts'

/** Customers who check out at the same moment. */
const AT_ONCE = 64
const PRODUCTS = 100

interface Made {
  readonly data: { readonly id: string }
}

const TABLE = `A shop with ${PRODUCTS} products, a second`

export const benchShop = benchOf({
  full: { orders: 3_200, renewals: 2_000, rounds: 3, seconds: 3 },
  quick: { orders: 640, renewals: 400, rounds: 3, seconds: 1 },
  async setUp(stage, { orders, renewals }) {
    const { rig, owner } = stage
    const tenant = await makeTenant(rig, ['admin'])
    await loadMembers(owner, [tenant], orders * 2)
    const { rows } = await owner.query<{ id: string }>(
      "update members set status = 'active' where project_id = $1 returning id",
      [tenant.projectId],
    )
    const members = rows.map(({ id }) => toId('member', id))
    const server = await serveApi(rig)
    const post = poster(server.origin, tenant)
    const products = await makeProducts(post)
    await owner.query('vacuum (analyze)')
    const requests = await againstBare(stage, { routes: 'shop', tenant, server }, [
      {
        ...{ name: 'GET 50 products', connections: 32, goal: 0.8 },
        load: (prefix) => ({ method: 'GET', paths: [`${prefix}/shop/products?limit=50`] }),
      },
      {
        ...{ name: 'Add to a cart', connections: AT_ONCE, goal: 0.6 },
        // As a worker does each 15 s: plans of empty tables read each cart of the project (decision 0007).
        warmedUp: () => owner.query('select app.analyze_grown_tables()'),
        load: (prefix) => ({
          ...{ method: 'POST', paths: [`${prefix}/shop/cart`], headers: { 'x-user-id': members } },
          body: products.map((product_id) => JSON.stringify({ product_id })),
        }),
      },
    ])
    const [hot = ''] = products
    const emptied = memoize(() => owner.query('delete from cart_items'))
    const checkOut = async (some: readonly string[], product: (n: number) => string) => {
      await emptied()
      return checkOuts(post, some, product)
    }
    return [
      ...requests,
      {
        ...{ table: TABLE, name: `checkout of one product, ${AT_ONCE} at once`, atLeast: 300 },
        measure: () => checkOut(members.slice(0, orders), () => hot),
      },
      {
        ...{ table: TABLE, name: `checkout of ${PRODUCTS} products, ${AT_ONCE} at once`, atLeast: 300 },
        measure: () => checkOut(members.slice(orders), (n) => products[n % PRODUCTS] ?? hot),
      },
      // Since the cluster was made for this bench.
      { table: TABLE, name: 'deadlocks', atMost: 0, measure: () => deadlocks(owner) },
      {
        ...{ table: TABLE, name: 'renewals by hand, one worker', atLeast: 1_000 },
        measure: () => renewalsPerSecond(stage, tenant, post, members.slice(0, renewals)),
      },
    ]
  },
})

async function makeProducts(post: Post): Promise<string[]> {
  const products: string[] = []
  for (let n = 0; n < PRODUCTS; n++) {
    const product = { name: `Product ${n}`, description: 'Wheel-thrown', price: 10 + n, currency: 'eur' }
    const { id } = (await post<Made>('/shop/products', product)).data
    await post(`/shop/products/${id}/variants`, { stock: 100_000 })
    products.push(id)
  }
  return products
}

/** Fills the carts, and then counts checkouts a second. */
async function checkOuts(
  post: Post,
  members: readonly string[],
  product: (n: number) => string,
): Promise<number> {
  await rateOf(members, (member, n) => post('/shop/cart', { product_id: product(n) }, member))
  return rateOf(members, (member) => post('/shop/checkout', {}, member))
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
  { rig, owner }: Stage,
  { projectId }: Tenant,
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
    [projectId],
  )
  await owner.query("update bills set status = 'void' where project_id = $1", [projectId])
  await owner.query('vacuum (analyze)')
  const config = parseConfig({ ...apiEnvironment(rig), LOG_LEVEL: 'silent' })
  const pool = openPool(config, { role: 'api', size: 2, onError: () => undefined })
  const countDue = async () => {
    const { rows } = await owner.query<{ n: string }>(
      'select count(*) as n from subscriptions where due_at <= now()',
    )
    return Number(rows[0]?.n)
  }
  try {
    const run = {
      ...dataOf(pool, projectId, { kind: 'operator' }),
      projectId,
      deps: { config, log: makeLog('silent', 'worker'), catalogue: catalogueOf(areas) },
    }
    const due = await countDue()
    const started = performance.now()
    for (let n = 0; n < due; n += 100) await advanceDueSubscriptions.workOff(run)
    const rate = (due / (performance.now() - started)) * 1_000
    if (due === 0 || (await countDue()) > 0) throw new Error('not everything was renewed')
    return rate
  } finally {
    await pool.end()
  }
}
