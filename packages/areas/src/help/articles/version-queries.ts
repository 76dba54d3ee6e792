import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const keep = statement('publish_help_article', (v: { id: string }) =>
  query
    .with('kept', (cte) =>
      cte
        .insertInto('help_article_versions')
        .columns([
          'article_id',
          'version',
          'revision',
          'title',
          'content',
          'content_html',
          'plain_text',
          'created_at',
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
/** Makes the draft of an article that is locked the version that readers meet. */
export const publishVersionRow = (ctx: Context, id: string) => ctx.tx.run(keep, { id })

const setArchived = statement('archive_help_article', (v: { id: string }) =>
  query.updateTable('help_articles').set({ status: 'archived', updated_at: now }).where('id', '=', v.id),
)
export const markArchived = (ctx: Context, id: string) => ctx.tx.run(setArchived, { id })

const columns = ['version', 'title', 'content', 'content_html', 'plain_text', 'created_at'] as const

/** What was published of an article, the latest first. */
export const listVersions = defineList({
  label: 'help_article_versions',
  rows: () =>
    query.selectFrom('help_article_versions as v').select(columns.map((column) => `v.${column}` as const)),
  key: 'v.version',
  keyType: 'int8',
  scope: { articleId: equals<string>('v.article_id') },
})

const one = statement('help_article_version', (v: { id: string; version: number }) =>
  query
    .selectFrom('help_article_versions')
    .select(columns)
    .where('article_id', '=', v.id)
    .where('version', '=', v.version),
)
/** @throws ApiError 404 */
export const getVersion = (ctx: Context, id: string, version: number) =>
  ctx.tx.one(one, { id, version }, 'Version')

const live = statement('findable_texts', (v: { id: string }) => ({
  compile: () =>
    sql<{ locale: string; title: string; plain_text: string; labels: string[]; audience: string[] }>`
      select a.locale, v.title, v.plain_text, a.labels, a.audience from help_articles a
        join help_article_versions v on v.article_id = a.id and v.version = a.version
        where a.id = ${v.id}::uuid and a.status = 'published'
      union all
      select t.locale, t.title, t.plain_text, a.labels, a.audience from help_articles a
        join help_translations t on t.article_id = a.id
        where a.id = ${v.id}::uuid and a.status = 'published'`.compile(query),
}))
/** What readers can find of an article: nothing unless it is published. */
export const listFindable = (ctx: Context, id: string) => ctx.tx.all(live, { id })
