import { sql } from 'kysely'
import { now } from '../db/project-clock.ts'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import { type DueWork, defineDueWork } from '../jobs/schedules/due-work.ts'
import { keepFindable } from './documents.ts'

/** Documents that one transaction makes. */
const AT_ONCE = 100

const next = defineQuery('next_search_fill', (v: { kinds: readonly string[] }) =>
  query.selectNoFrom(
    sql<string | null>`case when exists (
      select from unnest(${v.kinds}::text[]) kind
      where not exists (select from search_fills f where f.kind = kind and f.done_at is not null))
      then date_trunc('second', ${now}) end`.as('due_at'),
  ),
)
  .map(({ due_at }) => due_at)
  .single()

/** The first kind that is not filled, with its row locked: two workers take turns. */
const begin = defineQuery(
  'begin_search_fill',
  (v: { kinds: readonly string[] }) => sql<object>`
    insert into search_fills (kind) select kind from unnest(${v.kinds}::text[]) kind order by kind on conflict do nothing`,
)
const lockNext = defineQuery('lock_search_fill', (v: { kinds: readonly string[] }) =>
  query
    .selectFrom('search_fills')
    .select(['kind', 'after_id'])
    .where('kind', '=', sql<string>`any (${v.kinds}::text[])`)
    .where('done_at', 'is', null)
    .orderBy('kind')
    .limit(1)
    .forUpdate(),
).first()
const advance = defineQuery('advance_search_fill', (v: { kind: string; after: string | null }) =>
  query
    .updateTable('search_fills')
    .set({
      after_id: sql`coalesce(${v.after}::uuid, after_id)`,
      done_at: sql`case when ${v.after}::uuid is null then ${now} end`,
    })
    .where('kind', '=', v.kind),
)

/**
 * Lets what was written before this search be found: kind by kind, in transactions of a hundred documents, each of
 * which can be killed and repeated. Documents that are written meanwhile are kept by their writers.
 * @param kinds of all sources
 */
export const fillSearch = (kinds: readonly string[]): DueWork =>
  defineDueWork({
    name: 'search.fill-documents',
    next: (ctx) => next(ctx, { kinds }),
    workOff: (run) =>
      run.write(async (ctx) => {
        begin(ctx, { kinds })
        const place = await lockNext(ctx, { kinds })
        const source = run.deps.catalogue.searchSources.find(({ kind }) => kind === place?.kind)
        if (place === undefined || source === undefined) return
        const { documents, last } = await source.load(ctx, { after: place.after_id, limit: AT_ONCE })
        for (const document of documents) keepFindable(ctx, document)
        advance(ctx, { kind: source.kind, after: last ?? null })
      }),
  })
