import { sql } from 'kysely'
import { defineQuery } from '../db/query.ts'
import { configOf, MOST_MATCHES } from './search.ts'
import { queryOf } from './words.ts'

// The one search of everything that members can find: kinds of several areas, in one statement.

/** What is sought. */
export interface SoughtEverywhere {
  /** Each of them must fit; one can be alternatives, joined by `or`. */
  readonly parts: readonly string[]
  readonly config: string
  readonly isUnfinished: boolean
  readonly alsoPlain: boolean
  readonly kinds: readonly string[]
  /** What of each kind somebody may find: kinds, each beside a name of an audience. `*` is everything that anybody may find. */
  readonly gateKinds: readonly string[]
  readonly gateNames: readonly string[]
  /** A stored id. */
  readonly author: string | null
  readonly categories: readonly string[] | null
  readonly since: string | null
}

/** A text as it is asked. Nothing that can be typed is an error. */
export function typedAs(
  text: string,
): Pick<SoughtEverywhere, 'parts' | 'config' | 'isUnfinished' | 'alsoPlain'> {
  const { words, isUnfinished, isExact } = queryOf(text)
  return { parts: [words], config: configOf(undefined, text), isUnfinished, alsoPlain: !isExact }
}

/** Something that was found, with stored ids. */
export interface Match {
  readonly kind: string
  readonly id: string
  readonly locale: string
  readonly score: number
}

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Seconds in which something loses half of what its age gives it: a year. */
const HALF_LIFE = sql.lit(365 * 86_400)

/** Scores have six digits. They are floating-point numbers throughout: decimal ones take as long as the rest of a search. */
const PRECISION = sql.lit(1_000_000)

/**
 * One page of matches, and how many there are of each kind: at most 10,001 of each are looked at. Of equally good
 * matches the newest comes first.
 */
export const findEverywhere = defineQuery(
  'search_everywhere',
  (v: SoughtEverywhere & Page) => sql<{
    found: Record<string, number>
    matches: Match[]
  }>`
    with hits as materialized (
      select * from app.search_all(
        ${v.parts}::text[], ${v.config}::text::regconfig, ${v.isUnfinished}::bool, ${v.alsoPlain}::bool, ${v.kinds}::text[],
        ${v.gateKinds}::text[], ${v.gateNames}::text[], ${v.author}::text, ${v.categories}::text[], ${v.since}::timestamptz,
        ${sql.lit(MOST_MATCHES + 1)})
    ), scored as (
      select kind, id, locale, written_at, round(${PRECISION} * rank
        * (0.5 + 0.5 / (1 + greatest(date_part('epoch', (select app.project_now()) - written_at), 0) / ${HALF_LIFE}))) / ${PRECISION} as score
      from hits
    )
    select
      (select coalesce(json_object_agg(kind, n), '{}') from (select kind, count(*) as n from hits group by kind) counted) as found,
      (select coalesce(json_agg(page), '[]') from (
        select kind, id, locale, score from scored
        order by score desc, written_at desc, id desc, locale limit ${v.limit}::int8 offset ${v.offset}::int8
      ) page) as matches`,
).single()
