import { sql } from 'kysely'
import { today } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

interface Values {
  days: number
  limit: number
}
const since = (days: number) => sql<string>`${today} - ${days}::int4`

const searches = statement('help_searches_without_result', (v: Values) =>
  query
    .selectFrom('help_searches')
    .select(['query', 'locale'])
    .select(sql<number>`sum(without_result)::int8`.as('searches'))
    .select(sql<string>`max(last_at)`.as('last_searched_at'))
    .where('day', '>', since(v.days) as never)
    .where('without_result', '>', 0)
    .groupBy(['query', 'locale'])
    .orderBy('searches', 'desc')
    .orderBy('query')
    .limit(v.limit),
)
const votes = statement('help_articles_with_low_votes', (v: Values) =>
  query
    .selectFrom('help_articles')
    .select(['id', 'slug', 'title', 'helpful_count', 'unhelpful_count'])
    .where('unhelpful_count', '>', 0)
    .orderBy(sql`unhelpful_count::float8 / (helpful_count + unhelpful_count)`, 'desc')
    .orderBy('unhelpful_count', 'desc')
    .orderBy('id')
    .limit(v.limit),
)
const views = statement('help_articles_by_views', (v: Values) =>
  query
    .selectFrom('help_views as w')
    .innerJoin('help_articles as a', 'a.id', 'w.article_id')
    .select(['a.id', 'a.slug', 'a.title'])
    .select(sql<number>`sum(w.views)::int8`.as('views'))
    .where('w.day', '>', since(v.days) as never)
    .groupBy(['a.id', 'a.slug', 'a.title'])
    .orderBy('views', 'desc')
    .orderBy('a.id')
    .limit(v.limit),
)
/** What readers looked for in vain, what did not help them, and what they read. */
export const readInsights = (ctx: Context, values: Values) =>
  ctx.tx
    .all(searches, values)
    .and(ctx.tx.all(votes, values))
    .and(ctx.tx.all(views, values))
    .map(([[searches, votes], views]) => ({ searches, votes, views }))
