import { type Expression, sql } from 'kysely'
import { now, today } from '#platform/db/project-clock.ts'
import { defineQueries, defineQuery, deriveQuery, shapeAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { KEY, type Viewer } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { shownTruncated } from '#platform/lists/fit-page.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, condition, equals, hasId, shown } from '#platform/lists/list-filters.ts'
import { audiencesOf } from '../audience.ts'
import { categoryId } from '../ids.ts'
import type { ListQuery } from '../schema.ts'
import { articlesIn, fullArticlesIn, readable, toArticle } from './rows.ts'

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
  rows: ({ locales }) => articlesIn({ locales }),
  key: 'a.id',
  scope: { locales: shown<readonly string[]>() },
  filters: {
    category_id: hasId('a.category_id', (text) => parseId(categoryId, text)),
    status: equals<string>('a.status'),
    audiences: condition<readonly string[]>((value) => sql`a.audience && ${value}::text[]`),
    label: condition<string>((value) => has('label', value)),
    locale: condition<string>((value) => has('locale', value)),
    ...between('a.created_at'),
  },
  // As they are read: nobody may find out what a draft of a published article is called.
  search: {
    where: ({ pattern }) =>
      sql<boolean>`lower(coalesce(v.title, a.title)) like (select lower(${pattern}::text))`,
  },
  sorts: { created_at: ['a.created_at', 'timestamptz'] },
  kept,
})

/** One page of the articles that a reader may read, the newest first. */
export const listArticles = deriveQuery(({ viewer, ...request }: ListQuery & { viewer: Viewer }) => {
  const audiences = audiencesOf(viewer)
  return list({
    ...request,
    locales: request.locale === undefined ? [] : [request.locale],
    ...(audiences !== null && { audiences, status: 'published' }),
  })
})

/** Which article, for whom, and in which language. */
interface Asked {
  /** One of the two. */
  readonly id?: string
  readonly slug?: string
  readonly viewer: Viewer
  readonly locale?: string | undefined
  /** Whether this is somebody who opens it: a view is counted, in the same statement. */
  readonly counts?: boolean
}

/** The languages to answer in: `de-AT` is also content with `de`. */
const wantedLocales = (locale: string | undefined): string[] =>
  locale === undefined ? [] : [...new Set([locale, locale.split('-')[0] ?? locale])]

interface AskedValues {
  readonly id: string | undefined
  readonly slug: string | undefined
  readonly audiences: readonly string[] | null
  readonly locales: readonly string[]
}
const one = defineQueries(
  'help_article',
  ({ by, counts }: { by: 'id' | 'slug'; counts: boolean }) =>
    (v: AskedValues) => {
      const found = fullArticlesIn(v)
        .where(
          by === 'id'
            ? sql<boolean>`a.id = ${v.id}::uuid`
            : sql<boolean>`a.id = (select s.article_id from help_slugs s where s.slug = ${v.slug})`,
        )
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
    },
)

/** An article that this reader may read, as it is stored. @throws ApiError 404 */
export const findArticle = deriveQuery(({ id, slug, viewer, locale, counts = false }: Asked) =>
  one({ by: id === undefined ? 'slug' : 'id', counts }).one('Article')({
    ...{ id, slug, audiences: audiencesOf(viewer), locales: wantedLocales(locale) },
  }),
)
/** The same as this reader sees it. @throws ApiError 404 */
export const getArticle = deriveQuery((asked: Asked) =>
  shapeAnswer(findArticle(asked), (row) => toArticle(row, asked.viewer)),
)
/** The same as a key sees it. @throws ApiError 404 */
export const getEdited = deriveQuery(({ id }: { id: string }) => getArticle({ id, viewer: KEY }))

const lock = defineQuery('lock_help_article', (v: { id: string }) =>
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
export const lockArticle = lock.one('Article')
/** The same, for what has a language in its path, too. @throws ApiError 404 */
export const lockOriginal = lock.one('Article or language')

const columns = ['version', 'title', 'content', 'content_html', 'plain_text', 'created_at'] as const

/** What was published of an article, the latest first. */
export const listVersions = defineList({
  label: 'help_article_versions',
  rows: () =>
    query.selectFrom('help_article_versions as v').select(columns.map((column) => `v.${column}` as const)),
  key: 'v.version',
  keyType: 'int8',
  scope: { articleId: equals<string>('v.article_id') },
  long: { texts: ['content', 'plain_text'], html: { content_html: 'content' } },
  map: ({ truncated, ...row }) => ({ ...row, ...shownTruncated({ truncated }) }),
})

/** @throws ApiError 404 */
export const getVersion = defineQuery('help_article_version', (v: { id: string; version: number }) =>
  query
    .selectFrom('help_article_versions')
    .select(columns)
    .where('article_id', '=', v.id)
    .where('version', '=', v.version),
).one('Version')

interface FindableRow {
  id: string
  locale: string
  title: string
  plain_text: string
  labels: string[]
  audience: string[]
  category_id: string | null
  writtenAt: string
}
/** What readers can find of articles, in all their languages: nothing unless they are published. */
export const listFindable = defineQuery(
  'findable_texts',
  (v: { ids: readonly string[] }) => sql<FindableRow>`
      select a.id, a.locale, v.title, v.plain_text, a.labels, a.audience, a.category_id,
        coalesce(a.published_at, a.created_at)::text as "writtenAt" from help_articles a
        join help_article_versions v on v.article_id = a.id and v.version = a.version
        where a.id = any (${v.ids}::uuid[]) and a.status = 'published'
      union all
      select a.id, t.locale, t.title, t.plain_text, a.labels, a.audience, a.category_id,
        coalesce(a.published_at, a.created_at)::text from help_articles a
        join help_translations t on t.article_id = a.id
        where a.id = any (${v.ids}::uuid[]) and a.status = 'published'`,
).map(({ plain_text, labels, category_id, ...row }) => ({
  ...row,
  categories: [category_id],
  text: `${labels.join('\n')}\n${plain_text}`,
}))

/** Makes the draft of an article that is locked the version that readers meet. */
export const publishVersion = defineQuery('publish_help_article', (v: { id: string }) =>
  query
    .with('kept', (cte) =>
      cte
        .insertInto('help_article_versions')
        .columns([
          ...(['article_id', 'version', 'revision', 'title', 'content', 'content_html'] as const),
          ...(['plain_text', 'created_at'] as const),
        ])
        .expression(
          sql`select a.id, a.version + 1, a.revision, a.title, a.content, a.content_html, a.plain_text, ${now}
            from help_articles a
            left join help_article_versions v on v.article_id = a.id and v.version = a.version
            where a.id = ${v.id}::uuid and v.revision is distinct from a.revision`,
        )
        .returning('version'),
    )
    .updateTable('help_articles')
    .set({
      version: sql`coalesce((select version from kept), version)`,
      status: 'published',
      published_at: now,
      updated_at: now,
    })
    .where('id', '=', v.id),
)

export const markArchived = defineQuery('archive_help_article', (v: { id: string }) =>
  query.updateTable('help_articles').set({ status: 'archived', updated_at: now }).where('id', '=', v.id),
)
