import { sql } from 'kysely'
import { publishedPlans } from '#areas/plans/service.ts'
import { today } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import type { Reader } from '../audience.ts'
import type { ArticleRow } from '../rows.ts'

/** Who asks, and in which languages: the wanted ones in their order. */
export interface ReaderValues {
  audiences: readonly string[] | null
  locales: readonly string[]
}

/** The languages to answer in: `de-AT` is also content with `de`. */
export const wantedLocales = (locale: string | undefined): string[] =>
  locale === undefined ? [] : [...new Set([locale, locale.split('-')[0] ?? locale])]

/** Published articles that this reader may read; keys get all. */
export const readable = (v: { audiences: readonly string[] | null }) =>
  sql<boolean>`(${v.audiences}::text[] is null or (a.status = 'published' and a.audience && ${v.audiences}::text[]))`

/**
 * Articles as they are read: the live version, of an article without one its draft, or the translation into the first
 * of the wanted languages that there is.
 */
export const articlesIn = (v: { locales: readonly string[] }) =>
  query
    .selectFrom('help_articles as a')
    .leftJoin('help_article_versions as v', (on) =>
      on.onRef('v.article_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .leftJoinLateral(
      (article) =>
        article
          .selectFrom('help_translations as t')
          .select(['t.locale', 't.title', 't.content', 't.content_html', 't.revision'])
          .whereRef('t.article_id', '=', 'a.id')
          .where(sql<boolean>`t.locale = any (${v.locales}::text[]) and not a.locale = any (
          (${v.locales}::text[])[:array_position(${v.locales}::text[], t.locale)])`)
          .orderBy(sql`array_position(${v.locales}::text[], t.locale)`)
          .limit(1)
          .as('t'),
      (on) => on.onTrue(),
    )

export const summaryOf = [
  'a.id',
  'a.category_id',
  'a.slug',
  sql<string>`coalesce(t.title, v.title, a.title)`.as('title'),
  sql<string>`coalesce(t.locale, a.locale)`.as('locale'),
  'a.locale as original_locale',
  sql<
    string[]
  >`array(select a.locale union select o.locale from help_translations o where o.article_id = a.id order by 1)`.as(
    'locales',
  ),
  sql<boolean>`coalesce(t.revision < coalesce(v.revision, a.revision), false)`.as('is_outdated'),
  'a.labels',
  'a.visibility',
  'a.required_plans',
  publishedPlans(sql.ref('a.required_plans')).as('published_plans'),
  'a.status',
  'a.version',
  'a.helpful_count',
  'a.unhelpful_count',
  'a.published_at',
  'a.created_at',
  'a.updated_at',
] as const

export const contentOf = [
  sql<string>`coalesce(t.content, v.content, a.content)`.as('content'),
  sql<string>`coalesce(t.content_html, v.content_html, a.content_html)`.as('content_html'),
  sql<boolean>`coalesce(v.revision <> a.revision, false)`.as('has_draft'),
  'a.title as draft_title',
  'a.content as draft_content',
  'a.content_html as draft_html',
] as const

interface OneValues extends ReaderValues {
  id: string
  slug: string
}
type By = 'id' | 'slug'

const named = (by: By, v: { id: string; slug: string }) =>
  by === 'id'
    ? sql<boolean>`a.id = ${v.id}::uuid`
    : sql<boolean>`a.id = (select s.article_id from help_slugs s where s.slug = ${v.slug})`

/** Opening an article counts a view, in the same statement, unless a key does it. */
const one = statements('help_article', ({ by, counts }: { by: By; counts: boolean }) => (v: OneValues) => {
  const found = articlesIn(v)
    .select([...summaryOf, ...contentOf])
    .where(named(by, v))
    .where(readable(v))
  if (!counts) return found
  return query
    .with('found', () => found)
    .with('view', (cte) =>
      cte
        .insertInto('help_views')
        .columns(['article_id', 'views', 'day'])
        .expression(sql`select id, 1, ${today} from found`)
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'article_id', 'day', 'slot'])
            .doUpdateSet({ views: sql`help_views.views + 1` }),
        ),
    )
    .selectFrom('found')
    .selectAll()
})

/** An article that this reader may read. @param counts whether this is somebody who opens it @throws ApiError 404 */
export function getArticle(
  ctx: Context,
  name: { id: string } | { slug: string },
  reader: Reader,
  { locale, counts = false }: { locale?: string | undefined; counts?: boolean } = {},
) {
  const by: By = 'id' in name ? 'id' : 'slug'
  const values = { id: '', slug: '', ...name, audiences: reader.audiences, locales: wantedLocales(locale) }
  return ctx.tx.check(one({ by, counts }), values, (row): ArticleRow => {
    if (row === undefined) throw notFound('Article')
    return row
  })
}

const lock = statement('lock_help_article', (v: { id: string }) =>
  query
    .selectFrom('help_articles as a')
    .leftJoin('help_article_versions as v', (on) =>
      on.onRef('v.article_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select(['a.id', 'a.slug', 'a.locale', 'a.status', 'a.revision', 'a.version', 'a.title', 'a.content'])
    .select('v.revision as live_revision')
    .where('a.id', '=', v.id)
    .forNoKeyUpdate('a'),
)
/** An article that nobody else changes until this transaction ends. @throws ApiError 404 */
export const lockArticle = (ctx: Context, id: string, what = 'Article') => ctx.tx.one(lock, { id }, what)
