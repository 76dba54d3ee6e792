import type { Pool } from 'pg'
import type { Sent } from './traffic.ts'

// What is true of traffic, in plain SQL over everything that was sent: written from the definitions, and sharing nothing
// with what it is compared with.

/** Puts down what was sent to a project. */
export async function writeTruth(owner: Pool, zone: string, sent: readonly Sent[]): Promise<void> {
  await owner.query(`
    drop schema if exists truth cascade;
    create schema truth;
    create table truth.sent (n int, at timestamptz, arrival timestamptz, event_id text, ip text, ua text, bot boolean,
      member int, name text, path text, referrer text, source text, channel text, utm_source text, utm_medium text,
      utm_campaign text, country text, device text, browser text, os text, plan text)`)
  await owner.query(
    `insert into truth.sent select * from json_populate_recordset(null::truth.sent, $1::json)`,
    [JSON.stringify(sent.map(toRow))],
  )
  await owner.query(
    `create table truth.zone as select '${zone}'::text as zone;
    -- One of each id: the one that came first.
    create view truth.stored as
      select distinct on (coalesce(event_id, 'n' || n)) *, (at at time zone zone)::date as day
      from truth.sent, truth.zone order by coalesce(event_id, 'n' || n), arrival, n;
    -- The day's salt lives an hour longer than the day.
    create table truth.seen as
      select *, concat(day, case when arrival < ((day + 1)::timestamp at time zone zone) + interval '1 hour'
        then day else (arrival at time zone zone)::date end, ip, ua) as visitor
      from truth.stored;
    create index on truth.seen (visitor);
    -- A visit begins with an event that no other one of its visitor precedes by less than half an hour.
    create table truth.numbered as
      select a.*, visitor || ' ' || (
          select count(*) from truth.seen b where b.visitor = a.visitor and b.at <= a.at and not exists (
            select from truth.seen c where c.visitor = b.visitor and c.at < b.at and c.at > b.at - interval '30 minutes')
        ) as visit
      from truth.seen a;
    create index on truth.numbered (visit);
    create table truth.hits as
      select n.*, v.*, f.referrer as v_referrer, f.source as v_source, f.channel as v_channel,
        f.utm_source as v_utm_source, f.utm_medium as v_utm_medium, f.utm_campaign as v_utm_campaign
      from truth.numbered n
      join lateral (
        select count(*) filter (where name is null) as views,
          (count(*) filter (where name is null) = 1 and count(name) = 0)::int as bounced,
          round(extract(epoch from max(at) - min(at)) * 1000) as duration_ms,
          (select path from truth.numbered p where p.visit = n.visit and p.name is null order by at limit 1) as entry_page,
          (select path from truth.numbered p where p.visit = n.visit and p.name is null order by at desc limit 1) as exit_page
        from truth.numbered o where o.visit = n.visit
      ) v on true
      join lateral (
        select * from truth.numbered o where o.visit = n.visit order by (o.name is not null), o.at limit 1
      ) f on true`,
  )
}

const toRow = (sent: Sent, n: number) => {
  const { agent, origin, name, campaign, at, arrival } = sent
  const isTagged = name === null && campaign !== null
  return {
    ...sent,
    n,
    at: new Date(at).toISOString(),
    arrival: new Date(arrival).toISOString(),
    ua: agent.text,
    bot: agent.bot,
    device: agent.device,
    browser: agent.browser,
    os: agent.os,
    referrer: name === null ? origin.kept : null,
    source: isTagged ? 'news' : name === null ? origin.source : 'Direct',
    channel: isTagged ? 'Email' : name === null ? origin.channel : 'Direct',
    utm_source: isTagged ? 'news' : null,
    utm_medium: isTagged ? 'email' : null,
    utm_campaign: isTagged ? campaign : null,
  }
}

/** Numbers of a group, by the names of the metrics. */
export type TrueGroup = Record<string, number>

/** The SQL of what a dimension is of a hit. */
export const TRUE_DIMENSIONS: Readonly<Record<string, string>> = {
  page: 'case when name is null then path end',
  event: 'name',
  'property:plan': 'plan',
  entry_page: 'entry_page',
  exit_page: 'exit_page',
  referrer: 'v_referrer',
  source: 'v_source',
  channel: 'v_channel',
  utm_source: 'v_utm_source',
  utm_medium: 'v_utm_medium',
  utm_campaign: 'v_utm_campaign',
  country: 'country',
  device: 'device',
  browser: 'browser',
  os: 'os',
}

export interface TrueQuestion {
  /** Moments as SQL. */
  readonly from: string
  readonly until: string
  /** What groups are made by, as SQL that answers a text. */
  readonly by?: string
  readonly where?: string
}

/** Goals of the tests: the event `purchase`, and pages below `/docs/` and `/welcome`. */
const CONVERSION = `(name = 'purchase' or (name is null and (path like '/docs/%' or path = '/welcome')))`

/** Every metric by group, computed from what was sent. */
export async function trueGroups(
  owner: Pool,
  { from, until, by = `''`, where = 'not bot' }: TrueQuestion,
): Promise<Record<string, TrueGroup>> {
  const { rows } = await owner.query<{ g: string; metrics: TrueGroup }>(`
    with h as (
      select *, ${by} as g, coalesce(${CONVERSION}, false) as converts
      from truth.hits where at >= ${from} and at < ${until} and ${where}
    ), v as (select distinct g, visit, bounced, duration_ms, views from h)
    select g, json_build_object(
      'visitors', count(distinct visitor), 'visits', count(distinct visit),
      'pageviews', count(*) filter (where name is null), 'events', count(name),
      'bounce_rate', (select round(100.0 * sum(bounced) / count(*), 2) from v where v.g = h.g),
      'visit_duration', (select round(sum(duration_ms) / count(*) / 1000, 2) from v where v.g = h.g),
      'views_per_visit', (select round(sum(views) / count(*), 2) from v where v.g = h.g),
      'conversions', count(*) filter (where converts),
      'conversion_rate', round(100.0 * count(distinct visitor) filter (where converts) / count(distinct visitor), 2),
      'members', count(distinct member)) as metrics
    from h where g is not null group by g`)
  return Object.fromEntries(rows.map(({ g, metrics }) => [g, metrics]))
}

/**
 * How many made each step: of them there are events that reach the steps up to it, one after the other.
 * @param who the column that tells people apart
 * @param steps conditions on events
 */
export async function trueFunnel(
  owner: Pool,
  { from, until }: Pick<TrueQuestion, 'from' | 'until'>,
  who: 'visitor' | 'member',
  steps: readonly string[],
): Promise<number[]> {
  const chain = (length: number) => {
    const parts = steps.slice(0, length)
    const tables = parts.map((_, i) => `h s${i}`).join(', ')
    const conditions = parts.flatMap((_, i) => [
      `s${i}.who = p.who and s${i}.step${i}`,
      ...(i > 0 ? [`s${i}.at > s${i - 1}.at`] : []),
    ])
    return `(select count(*)::int from p where exists (select from ${tables} where ${conditions.join(' and ')}))`
  }
  const { rows } = await owner.query<{ counts: number[] }>(`
    with h as materialized (
      select ${who} as who, at, ${steps.map((condition, i) => `coalesce(${condition}, false) as step${i}`).join(', ')}
      from truth.hits where not bot and ${who} is not null and at >= ${from} and at < ${until}
    ), p as (select distinct who from h)
    select array[${steps.map((_, i) => chain(i + 1)).join(', ')}] as counts`)
  return rows[0]?.counts ?? []
}

/** Members that came again, by the beginning of the period in which they were first seen and the number of periods since. */
export async function trueRetention(
  owner: Pool,
  interval: 'day' | 'week' | 'month',
  zone: string,
): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ key: string; members: number }>(`
    with seen as (
      select distinct member, date_trunc('${interval}', at at time zone '${zone}') as period
      from truth.hits where not bot and member is not null
    ), cohorts as (select member, min(period) as cohort from seen group by member),
    later as (
      select member, cohort, case '${interval}' when 'day' then period::date - cohort::date
        when 'week' then (period::date - cohort::date) / 7
        else (extract(year from period) - extract(year from cohort)) * 12
          + extract(month from period) - extract(month from cohort) end as later
      from seen join cohorts using (member)
    )
    select to_char(cohort at time zone '${zone}' at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || later as key,
      count(*)::int as members
    from later group by 1`)
  return Object.fromEntries(rows.map(({ key, members }) => [key, members]))
}
