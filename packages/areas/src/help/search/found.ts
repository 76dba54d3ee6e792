import { sql } from 'kysely'
import { answering, defineQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { SHOWN_CHARACTERS } from '#platform/search/plain-text.ts'
import type { SearchSource } from '#platform/search/source.ts'
import { ARTICLE } from '../articles/changes.ts'
import { listFindable } from '../articles/queries.ts'
import { audiencesOf } from '../audience.ts'
import { articleId } from '../ids.ts'

// What members find of the help center: the published text of each language.

const shown = defineQuery(
  'found_articles',
  (v: { ids: readonly string[]; audiences: readonly string[] | null }) => sql<{
    id: string
    locale: string
    title: string
    text: string
  }>`
    select a.id, each.locale, each.title, left(each.plain_text, ${sql.lit(SHOWN_CHARACTERS)}) as text
    from help_articles a join lateral (
      select a.locale, v.title, v.plain_text from help_article_versions v
        where v.article_id = a.id and v.version = a.version
      union all
      select t.locale, t.title, t.plain_text from help_translations t where t.article_id = a.id
    ) each on true
    where a.id = any (${v.ids}::uuid[]) and a.status = 'published' and a.audience <> '{}'
      and (${v.audiences}::text[] is null or a.audience && ${v.audiences}::text[])`,
)
const next = defineQuery('articles_to_find', (v: { after: string | null; limit: number }) =>
  query
    .selectFrom('help_articles')
    .select('id')
    .where(sql<boolean>`(${v.after}::uuid is null or id > ${v.after}::uuid)`)
    .orderBy('id')
    .limit(v.limit)
    .forShare(),
)

export const searchSource: SearchSource = {
  kind: ARTICLE,
  permission: 'read:help',
  audiencesOf: (viewer) => answering(audiencesOf(viewer)),
  show: ({ ids, viewer }) =>
    mapAnswer(shown({ ids, audiences: audiencesOf(viewer) }), (rows) =>
      rows.map((row) => {
        const publicId = toId(articleId, row.id)
        return { ...row, publicId, path: `/help/articles/${publicId}?locale=${row.locale}` }
      }),
    ),
  load: async (ctx, v) => {
    const ids = (await next(ctx, v)).map(({ id }) => id)
    const rows = ids.length === 0 ? [] : await listFindable(ctx, { ids })
    return { documents: rows.map((row) => ({ ...row, kind: ARTICLE })), last: ids.at(-1) }
  },
}
