import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { DateRange } from '#platform/http/date-range.ts'

interface Values extends DateRange {
  formId: string
}

/** Submissions of a form in a range of time, without spam. */
const received = (v: Values) =>
  query
    .selectFrom('form_submissions')
    .select('data')
    .where('form_id', '=', v.formId)
    .where('status', '=', 'received')
    .where(sql<boolean>`(${v.from}::timestamptz is null or created_at >= ${v.from})`)
    .where(sql<boolean>`(${v.until}::timestamptz is null or created_at < ${v.until})`)

/** How often each field was answered, and what its numbers are. */
export const countAnswers = defineQuery('submission_answers', (v: Values) =>
  query
    .selectFrom(received(v).as('s'))
    .innerJoinLateral(sql<{ key: string; value: unknown }>`jsonb_each(s.data)`.as('e'), (on) => on.onTrue())
    .select([
      'e.key as field',
      sql<number>`count(*)`.as('answered'),
      // A field can have had another type in an earlier version.
      sql<number | null>`min((e.value)::float8) filter (where jsonb_typeof(e.value) = 'number')`.as('min'),
      sql<number | null>`max((e.value)::float8) filter (where jsonb_typeof(e.value) = 'number')`.as('max'),
      sql<number | null>`avg((e.value)::float8) filter (where jsonb_typeof(e.value) = 'number')`.as(
        'average',
      ),
    ])
    .groupBy('e.key'),
)

/** How often each value was given. @param fields ids of the fields whose single values are counted */
export const countChoices = defineQuery('submission_choices', (v: Values & { fields: string[] }) =>
  query
    .selectFrom(received(v).as('s'))
    .innerJoinLateral(sql<{ field: string }>`unnest(${v.fields}::text[])`.as<'c'>(sql`c(field)`), (on) =>
      on.onTrue(),
    )
    .innerJoinLateral(
      sql<{ value: string }>`jsonb_array_elements_text(
        case jsonb_typeof(s.data -> c.field) when 'array' then s.data -> c.field
        else jsonb_build_array(s.data -> c.field) end)`.as<'o'>(sql`o(value)`),
      (on) => on.onTrue(),
    )
    .select(['c.field', 'o.value', sql<number>`count(*)`.as('count')])
    .where(sql<boolean>`s.data ? c.field`)
    .groupBy(['c.field', 'o.value']),
)

/** Submissions in a range of time by their status. */
export const countStatuses = defineQuery('submission_totals', (v: Values) =>
  query
    .selectFrom('form_submissions')
    .select(['status', sql<number>`count(*)`.as('submissions')])
    .where('form_id', '=', v.formId)
    .where(sql<boolean>`(${v.from}::timestamptz is null or created_at >= ${v.from})`)
    .where(sql<boolean>`(${v.until}::timestamptz is null or created_at < ${v.until})`)
    .groupBy('status'),
)
