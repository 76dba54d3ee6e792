import { type Expression, sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { condition, equals, hasId } from '#platform/db/lists/list-filters.ts'
import { statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Pagination } from '#platform/http/page.ts'
import { parseId } from '#platform/ids.ts'
import type { Reader } from '../audience.ts'
import { categoryId } from '../ids.ts'
import type { SummaryRow } from '../rows.ts'
import type { ListQuery } from '../schema.ts'
import { articlesIn, summaryOf } from './queries.ts'

const COUNTED = new Set(['category_id', 'status', 'audiences'])

/** The total that counters keep; undefined where articles have to be counted. */
function kept(given: ReadonlySet<string>, values: Readonly<Record<string, unknown>>) {
  if ([...given].some((name) => !COUNTED.has(name))) return undefined
  const conditions: Expression<unknown>[] = [sql`true`]
  if (given.has('category_id')) conditions.push(sql`category_id = ${values.category_id}::uuid`)
  if (given.has('status')) conditions.push(sql`status = ${values.status}`)
  if (given.has('audiences')) conditions.push(sql`audience && ${values.audiences}::text[]`)
  return sql<number>`(select coalesce(sum(articles), 0)::int8 from help_article_counts
    where ${sql.join(conditions, sql` and `)})`
}

/** Articles with a label, or in a language: by an index that the policy lets in. */
const has = (facet: 'label' | 'locale', value: unknown) =>
  sql<boolean>`a.id in (select h.article_id from help_article_facets h where h.facet = ${sql.lit(facet)} and h.value = ${value})`

const list = defineList({
  label: 'help_articles',
  rows: () => articlesIn({ locales: [] }).select(summaryOf),
  key: 'a.id',
  filters: {
    category_id: hasId('a.category_id', (text) => parseId(categoryId, text)),
    status: equals<string>('a.status'),
    audiences: condition<readonly string[]>((value) => sql`a.audience && ${value}::text[]`),
    label: condition<string>((value) => has('label', value)),
    locale: condition<string>((value) => has('locale', value)),
  },
  kept,
})

const translated = statement('help_articles_in', (v: { ids: string[]; locales: readonly string[] }) =>
  articlesIn(v)
    .select(summaryOf)
    .where('a.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('a.id', 'desc'),
)

interface Page {
  rows: SummaryRow[]
  pagination: Pagination
}

/** One page of the articles that this reader may read, the newest first. */
export function listArticles(ctx: Context, reader: Reader, request: ListQuery): PromiseLike<Page> {
  const { audiences } = reader
  const gates = audiences === null ? {} : { audiences, status: 'published' }
  const page = list(ctx, { ...request, ...gates })
  const { locale } = request
  if (locale === undefined) return page
  return page.then(async ({ rows, pagination }) => ({
    rows: await ctx.tx.all(translated, { ids: rows.map(({ id }) => id), locales: [locale] }),
    pagination,
  }))
}
