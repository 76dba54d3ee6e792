import { sql } from 'kysely'
import { query, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { offsetOf } from '#platform/http/page.ts'
import type { Reader } from '../audience.ts'
import type { ListQuery } from '../schema.ts'
import { articlesIn, summaryOf } from './queries.ts'

/** Which conditions apply; each combination is a statement of its own. */
interface Variant {
  readonly category: boolean
  readonly status: boolean
  readonly gated: boolean
  readonly locale: boolean
  readonly label: boolean
}
interface FilterValues {
  category: string | null
  status: string
  audiences: readonly string[] | null
  locales: readonly string[]
  locale: string
  label: string
}

/** Names of columns are those of articles and of their counters. */
function asked({ category, status, gated }: Variant, v: FilterValues) {
  const conditions = [sql`true`]
  if (category) conditions.push(sql`category_id = ${v.category}::uuid`)
  if (status) conditions.push(sql`status = ${v.status}`)
  if (gated) conditions.push(sql`audience && ${v.audiences}::text[]`)
  return conditions
}

function matching(variant: Variant, v: FilterValues) {
  const conditions = asked(variant, v)
  if (variant.label) conditions.push(sql`labels @> array[${v.label}::text]`)
  if (variant.locale)
    conditions.push(sql`(help_articles.locale = ${v.locale} or exists (select from help_translations t
      where t.article_id = help_articles.id and t.locale = ${v.locale}))`)
  return query.selectFrom('help_articles').where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

const page = statements(
  'help_articles_page',
  (variant: Variant) => (v: FilterValues & { limit: number; offset: number }) =>
    articlesIn(v)
      .select(summaryOf)
      .innerJoin(
        matching(variant, v).select('id').orderBy('id', 'desc').limit(v.limit).offset(v.offset).as('page'),
        'page.id',
        'a.id',
      )
      .orderBy('a.id', 'desc'),
)
const counted = statements(
  'help_articles_total',
  (variant: Variant) => (v: FilterValues) =>
    query
      .selectFrom('help_article_counts')
      .select(sql<number>`coalesce(sum(articles), 0)::int8`.as('total'))
      .where(sql<boolean>`${sql.join(asked(variant, v), sql` and `)}`),
)
/** What no counter knows. */
const scanned = statements(
  'help_articles_scanned_total',
  (variant: Variant) => (v: FilterValues) => matching(variant, v).select(sql<number>`count(*)`.as('total')),
)

interface Filter extends Omit<ListQuery, 'category_id'> {
  /** A stored id; null where the text was none. */
  readonly category?: string | null
}

/** One page of the articles that this reader may read, the newest first, and how many there are in all. */
export function listArticles(ctx: Context, reader: Reader, filter: Filter) {
  const { category, locale, label } = filter
  const gated = reader.audiences !== null
  const status = gated ? 'published' : filter.status
  const variant = {
    category: category !== undefined,
    status: status !== undefined,
    gated,
    locale: locale !== undefined,
    label: label !== undefined,
  }
  const values = {
    category: category ?? null,
    status: status ?? '',
    audiences: reader.audiences,
    locales: locale === undefined ? [] : [locale],
    locale: locale ?? '',
    label: label ?? '',
  }
  const rows = ctx.tx.all(page(variant), { ...values, limit: filter.limit, offset: offsetOf(filter) })
  const total = ctx.tx.single((variant.locale || variant.label ? scanned : counted)(variant), values)
  return rows.and(total).map(([articles, { total }]) => ({ articles, total }))
}
