import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { touchDays } from '../days.ts'
import type { Hit, Outcome } from './hit.ts'

/** The stored columns, with the types that their arrays are sent as. */
export const COLUMNS = {
  id: 'uuid',
  at: 'timestamptz',
  received_at: 'timestamptz',
  name: 'text',
  visitor: 'bigint',
  bot: 'boolean',
  member_id: 'uuid',
  session_id: 'text',
  host: 'text',
  path: 'text',
  title: 'text',
  referrer: 'text',
  source: 'text',
  channel: 'text',
  utm_source: 'text',
  utm_medium: 'text',
  utm_campaign: 'text',
  utm_term: 'text',
  utm_content: 'text',
  country: 'text',
  device: 'text',
  browser: 'text',
  os: 'text',
  screen: 'text',
  properties: 'text',
} as const
type Column = keyof typeof COLUMNS

type Values = Record<Column | 'event_key', readonly unknown[]> & { readonly members: readonly string[] }
interface Unstored {
  readonly n: number
  readonly known: boolean
  readonly pending: boolean
}

const names = Object.keys(COLUMNS) as Column[]
const stored = sql.raw(names.join(', '))
const selected = sql.raw(names.map((name) => (name === 'properties' ? 'properties::jsonb' : name)).join(', '))

/**
 * Stores events in one statement: those of members that there are, and that bring no id along that was known within 8
 * days. Answers the others.
 */
const storeHits = defineQuery(
  'write_hits',
  (v: Values) =>
    sql<Unstored>`with input as (
        select * from unnest(${sql.join(names.map((name) => sql`${v[name]}::${sql.raw(COLUMNS[name])}[]`))},
          ${v.event_key}::uuid[]) with ordinality as t (${stored}, event_key, n)
      ),
      known as materialized (
        select id, status from members where id = any (${v.members}::uuid[]) and deleted_at is null
      ),
      usable as (
        select * from input
        where member_id is null or member_id in (select id from known where status <> 'pending')
      ),
      fresh as (
        insert into analytics_event_ids as k (id, received_at)
          select event_key, received_at from usable where event_key is not null order by event_key
          on conflict (project_id, id) do update set received_at = excluded.received_at
            where k.received_at <= excluded.received_at - interval '8 days'
          returning id
      ),
      added as (
        insert into analytics_events (${stored}, generation)
          select ${selected}, (select generation from analytics_generations) from usable
          where event_key is null or event_key in (select id from fresh)
      )
      select n, (member_id is null or member_id in (select id from known)) as known,
        (member_id is not null and member_id in (select id from known where status = 'pending')) as pending
      from input
      where (event_key is not null and event_key not in (select id from fresh))
        or (member_id is not null and member_id not in (select id from known where status <> 'pending'))`,
)

/**
 * Stores events, and says which days have changed by it, in the caller's transaction.
 * @returns what became of each
 */
export async function writeHits(ctx: Context, hits: readonly Hit[]): Promise<Outcome[]> {
  const outcomes = new Array<Outcome>(hits.length).fill('accepted')
  touchDays(ctx, hits)
  // Of two with the same id the second is judged when the first is stored or not.
  for (const round of roundsOf(hits)) {
    const unstored = await storeHits(ctx, valuesOf(round.map((i) => hits[i] as Hit)))
    for (const each of unstored) outcomes[round[each.n - 1] as number] = outcomeOf(each)
  }
  return outcomes
}

/** The same for events that have different ids or none, in one round trip. */
export async function writeDistinctHits(data: ProjectData, hits: readonly Hit[]): Promise<Outcome[]> {
  const { unstored } = await data.write((ctx) => {
    touchDays(ctx, hits)
    // Nobody waits for the answer in here, so that all of it goes with the commit.
    return { unstored: storeHits(ctx, valuesOf(hits)) }
  })
  const outcomes = new Array<Outcome>(hits.length).fill('accepted')
  for (const each of await unstored) outcomes[each.n - 1] = outcomeOf(each)
  return outcomes
}

const outcomeOf = ({ known, pending }: Unstored): Outcome =>
  !known ? 'unknown_member' : pending ? 'pending_member' : 'duplicate'

function valuesOf(hits: readonly Hit[]): Values {
  const values = Object.fromEntries(
    [...names, 'event_key' as const].map((name) => [name, hits.map((hit) => hit[name])]),
  ) as unknown as Values
  return { ...values, members: [...new Set(hits.flatMap(({ member_id }) => member_id ?? []))] }
}

/** The places of events, in rounds in which no id comes twice. */
export function roundsOf(hits: readonly Hit[]): number[][] {
  const rounds: number[][] = []
  const seen = new Map<string, number>()
  for (const [i, { event_key }] of hits.entries()) {
    const round = event_key === null ? 0 : (seen.get(event_key) ?? 0)
    if (event_key !== null) seen.set(event_key, round + 1)
    rounds[round] ??= []
    rounds[round].push(i)
  }
  return rounds
}
