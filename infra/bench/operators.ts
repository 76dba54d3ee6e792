/** `npm run bench -- operators`: what the console asks the API for, in a large project, without a browser. */
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { toId } from '#platform/ids.ts'
import { freePort } from '../ports.ts'
import { benchOf, type Figure, memoize } from './cases.ts'
import { loadMembers } from './data.ts'
import { logInByHttp, makeOperatedProject } from './operator-project.ts'
import { serveApi, vacuumAndCheckpoint } from './stage.ts'

/** An operator may ask 600 times a minute. */
const PACE_MS = 110
/** Of PostgreSQL and the API together, on an idle machine. */
const P50_MS = 100

/** Orders of as many members, one in ten minutes; two thirds are paid. */
const ORDERS = `
  insert into orders (id, number, member_id, cart_id, cart_version, status, currency, subtotal_minor, discount_minor, tax_minor,
    total_minor, paid_minor, reserved_until, created_at, updated_at, line_names)
  select uuidv7(at - now()), 'B-' || n, member.id, uuidv7(), 1, case when n % 3 = 0 then 'canceled' else 'paid' end, 'usd', 1000, 0, 0,
    1000, case when n % 3 = 0 then 0 else 1000 end, at, at, at, 'Thing ' || n % 500
  from (select id, row_number() over (order by id) as n from members where project_id = app.current_project() limit $1) as member,
    lateral (select now() - ($1 - n) * interval '10 minutes' as at) as joined`

const MAILS = `
  insert into mails (id, mail, to_address, to_name, state, created_at, finished_at)
  select uuidv7(at - now()), 'member.welcome', 'member-' || n % 100000 || '@example.com', 'Member ' || n % 100000, 'sent', at, at
  from generate_series(1, $1::int) as n, lateral (select now() - ($1 - n) * interval '8 seconds' as at) as sent`

export const benchOperators = benchOf({
  full: { rows: 100_000, asked: 40 },
  quick: { rows: 10_000, asked: 20 },
  async setUp(stage, { rows, asked }) {
    const { rig, owner, place } = stage
    const { id, projectId } = await makeOperatedProject(place)
    await loadMembers(owner, [{ projectId, authorization: '' }], rows)
    await owner.query(ORDERS, [rows / 2])
    await owner.query(MAILS, [rows * 3])
    await vacuumAndCheckpoint(stage)
    const port = await freePort()
    const { origin } = await serveApi(rig, 'api', { BASE_URL: `http://127.0.0.1:${port}` }, port)
    const headers = await logInByHttp(origin, id)
    const paths = pathsOf(id, await middleMember(owner, projectId))
    const table = `What the console asks for: ${rows.toLocaleString('en')} members, ${(rows / 2).toLocaleString('en')} orders, ${(rows * 3).toLocaleString('en')} mails`
    return Object.entries(paths).flatMap(([name, path]): Figure[] => {
      const times = memoize(() =>
        timesOf(`${origin}${path}`, path.startsWith('/console') ? headers.console : headers.api, asked),
      )
      const at = async (share: number) => {
        const sorted = (await times()).toSorted((a, b) => a - b)
        return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
      }
      return [
        { table, name, unit: 'ms', digits: 1, atMost: P50_MS, measure: () => at(0.5) },
        { table, name: `${name}, p95`, unit: 'ms', digits: 1, measure: () => at(0.95) },
      ]
    })
  },
})

async function middleMember(owner: pg.Client, projectId: string): Promise<string> {
  const { rows } = await owner.query<{ member_id: string }>(
    'select member_id from orders where project_id = $1 order by id desc limit 1',
    [projectId],
  )
  return toId('member', rows[0]?.member_id ?? '')
}

/** What each screen asks for. */
function pathsOf(id: string, member: string): Record<string, string> {
  const own = `/console/api/projects/${id}`
  const found = (text: string) => `${own}/search?q=${encodeURIComponent(text)}&environment=live`
  const today = new Date().toISOString().slice(0, 10)
  const before = new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10)
  const daily = (metric: string) =>
    `/api/v1/stats/daily?metric=${metric}&start_date=${before}&end_date=${today}`
  const members = (query: string) => `/api/v1/members?limit=20${query}`
  return {
    'the operator': '/console/api/me',
    overview: `${own}/overview?environment=live`,
    '90 days of revenue': daily('revenue'),
    '90 days of orders': daily('orders'),
    '90 days of sign-ups': daily('sign_ups'),
    '90 days of MRR': daily('mrr'),
    '⌘K: an address': found('member-4711@example.com'),
    '⌘K: a word of a name': found('Member'),
    '⌘K: a number of an order': found('B-4711'),
    '⌘K: nothing': found('nobody has this'),
    'timeline of a member': `${own}/members/${member}/timeline?environment=live`,
    members: members(''),
    'members, page 2': members('&page=2'),
    'members, page 2,500': members('&page=2500'),
    'members by address': members('&sort=email'),
    'members by name': members('&sort=full_name'),
    'members, a filter': members('&status=pending'),
    'members, a search': members('&search=member-4711'),
    mails: '/api/v1/mails?limit=20',
    'mails, a search': '/api/v1/mails?limit=20&search=member-4711@',
    orders: '/api/v1/orders?limit=20',
    'orders, a search': '/api/v1/orders?limit=20&search=B-4711',
  }
}

/** How long each of so many requests takes, one after the other, in ms. @throws Error where one is refused */
async function timesOf(url: string, headers: Record<string, string>, asked: number): Promise<number[]> {
  const times: number[] = []
  // The first ones fill caches and plans.
  for (let i = -5; i < asked; i++) {
    const begun = performance.now()
    const answer = await fetch(url, { headers })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
    const took = performance.now() - begun
    if (i >= 0) times.push(took)
    await setTimeout(Math.max(0, PACE_MS - took))
  }
  return times
}
