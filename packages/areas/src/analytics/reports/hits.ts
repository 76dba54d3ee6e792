import { type RawBuilder, sql } from 'kysely'
import { storedPath } from '../visitors/page-path.ts'

export const BOTS = ['exclude', 'include', 'only'] as const
export type Bots = (typeof BOTS)[number]

/** What is asked of events `e`. */
export const BOT_CONDITIONS: { readonly [B in Bots]: RawBuilder<boolean> } = {
  exclude: sql`not e.bot`,
  only: sql`e.bot`,
  include: sql`true`,
}

/** What events are wanted. */
export interface Hits {
  /** Besides time, id and visitor. */
  readonly columns: readonly string[]
  readonly bots: Bots
  /** All events of the days of `open_days (no, starts, ends)`. */
  readonly open: boolean
  /**
   * Of the days of `grown_days (no, starts, ends, rolled)`, which have roll-ups with everything up to the generation
   * `rolled`: the events of visitors who have any since.
   */
  readonly grown: boolean
  /** Up to this generation; without it all. */
  readonly bound?: number
}

/** A column of events `e` as it is counted. */
function keptColumn(name: string): RawBuilder<unknown> {
  const column = sql.raw(`e.${name}`)
  return name === 'path' || name === 'referrer' ? sql`${storedPath(column)} as ${sql.raw(name)}` : column
}

/**
 * The common table expression `hits`: events with the number of their day. Of grown days each visitor that has changed is
 * there twice: as it is now, and under the negative number of the day as it was counted, to be taken away.
 */
export function hitsOf({ columns, bots, open, grown, bound }: Hits): RawBuilder<unknown> {
  const kept = sql.join(['at', 'id', 'visitor', ...columns].map(keptColumn))
  const isAsked = BOT_CONDITIONS[bots]
  const isBound = bound === undefined ? sql`` : sql`and e.generation <= ${bound}::bigint`
  const all = sql`select d.no as day_no, ${kept}
    from open_days d join analytics_events e on e.at >= d.starts and e.at < d.ends where ${isAsked} ${isBound}`
  if (!grown) return sql`hits as (${all})`
  // An upper bound too, so that PostgreSQL takes it for a range of few, and finds them by their index.
  const last =
    bound === undefined ? sql`(select generation from analytics_generations)` : sql`${bound}::bigint`
  return sql`
    fresh as materialized (
      select e.at, e.visitor, e.generation from analytics_events e
      where e.generation > (select min(rolled) from grown_days) and e.generation <= ${last} and ${isAsked}
    ),
    touched as materialized (
      select distinct d.no, d.starts, d.ends, d.rolled, f.visitor
      from grown_days d join fresh f on f.at >= d.starts and f.at < d.ends and f.generation > d.rolled
    ),
    theirs as materialized (
      select e.generation, ${kept} from analytics_events e
      where e.visitor = any (array(select visitor from touched)) and ${isAsked} ${isBound}
        and e.at >= (select min(starts) from touched) and e.at < (select max(ends) from touched)
    ),
    hits as (
      select t.no * l.layer as day_no, ${kept}
      from touched t join theirs e on e.visitor = t.visitor, (values (1), (-1)) as l (layer)
      where e.at >= t.starts and e.at < t.ends and (l.layer = 1 or e.generation <= t.rolled)
      ${open ? sql`union all ${all}` : sql``}
    )`
}
