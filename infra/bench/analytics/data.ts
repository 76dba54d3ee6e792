/** The data that the bench reports on: one project whose site has been looked at for twelve weeks. */
import type pg from 'pg'
import type { Tenant } from '../data.ts'

export const DAYS = 84
/** Of a visitor on a day. */
const EVENTS_PER_VISITOR = 6
export const PAGES = 200
/** Of which some are seen each day. */
const MEMBERS = 20_000

/**
 * Events of a day as they are stored: visitors come all day, look at some pages a minute apart, and do something now and
 * then; a fiftieth are bots, a tenth are members.
 */
const LOAD = `
  with events as (
    select n, n / ${EVENTS_PER_VISITOR} as person, n % ${EVENTS_PER_VISITOR} as step,
      ($1::date::timestamptz + (n / ${EVENTS_PER_VISITOR}) * (interval '1 day' / ($2::int / ${EVENTS_PER_VISITOR} + 1))
        + (n % ${EVENTS_PER_VISITOR}) * interval '70 seconds') as at
    from generate_series(0, $2::int - 1) as n
  )
  insert into analytics_events (id, at, received_at, name, visitor, bot, member_id, host, path, title, referrer,
      source, channel, country, device, browser, os, screen, properties)
    select gen_random_uuid(), at, at,
      case when step = 2 and person % 4 = 0 then 'signup' when step = 4 and person % 9 = 0 then 'pay' when step = 3 then 'play' end,
      (($1::date - date '1970-01-01')::bigint << 48) | (hashint8extended(person, $1::date - date '1970-01-01') & ((1::bigint << 48) - 1)),
      person % 50 = 7,
      case when person % 10 = 3 then md5('m' || (person * 7 + ($1::date - date '1970-01-01')) % ${MEMBERS})::uuid end,
      'www.example.com', '/pages/' || (person * 31 + step * 17) % ${PAGES}, 'A page of the site', null,
      (array['Google', 'Direct', 'X', 'news'])[1 + person % 4], (array['Organic Search', 'Direct', 'Organic Social', 'Email'])[1 + person % 4],
      (array['DE', 'US', 'FR', 'GB', 'IN'])[1 + person % 5], (array['desktop', 'mobile'])[1 + person % 2],
      (array['Chrome', 'Firefox', 'Safari'])[1 + person % 3], (array['Windows', 'iOS', 'Linux'])[1 + person % 3], '1920x1080',
      case when step = 3 then '{"plan": "supporter", "steps": 3}'::jsonb end
    from events where at < now()`

/**
 * Loads so many events, the same number each day; of today those that are past.
 * @returns how many there are
 */
export async function loadEvents(owner: pg.Client, { projectId }: Tenant, count: number): Promise<number> {
  await owner.query("select set_config('app.project_id', $1, false)", [projectId])
  await owner.query("set timezone = 'UTC'")
  const perDay = Math.round(count / DAYS)
  let loaded = 0
  for (let back = DAYS - 1; back >= 0; back--) {
    const { rows } = await owner.query<{ day: string }>(
      "select to_char(now() - $1 * interval '1 day', 'YYYY-MM-DD') as day",
      [back],
    )
    const day = rows[0]?.day ?? ''
    loaded += (await owner.query(LOAD, [day, perDay])).rowCount ?? 0
    await owner.query('insert into analytics_days (day, due_at) values ($1, now()) on conflict do nothing', [
      day,
    ])
  }
  await owner.query('insert into analytics_generations (generation) values (1) on conflict do nothing')
  return loaded
}
