import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { plansOf } from '#testkit/areas/plans.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'

// Lists of a large help center look up what they show: behind row-level security, with others beside it.

const MANY = 20_000

let api: TestApi
let side: Side

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one, other] = await makeProjects(api)
    side = one.live
    const client = await api.owner.connect()
    // Written at once and without triggers: what they keep is written beside it.
    await client.query("set session_replication_role = 'replica'")
    for (const { projectId } of [side, other.live]) {
      await client.query(
        `insert into help_articles (project_id, id, slug, locale, labels, title, content, content_html, plain_text, status,
         version, published_at, created_at, updated_at)
       select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'article-' || n,
         case when n % 5000 = 0 then 'pt' else 'en' end, case when n % 4000 = 0 then '{rare,common}'::text[] else '{common}' end,
         'Title ' || n, 'Words', '<p>Words</p>', 'Words', 'published', 1, now(), now(), now()
       from generate_series(1, $2::int) n`,
        [projectId, MANY],
      )
      await client.query(
        `insert into help_article_facets (project_id, facet, value, article_id)
       select project_id, 'label', label, id from help_articles, unnest(labels) label where project_id = $1
       union all select project_id, 'locale', locale, id from help_articles where project_id = $1`,
        [projectId],
      )
    }
    await client.query("set session_replication_role = 'origin'")
    await client.query('vacuum analyze help_articles, help_article_facets')
    client.release()
  },
)

test.each([
  ['label=rare', 5],
  ['locale=pt', 4],
  ['label=rare&locale=pt', 1],
  ['label=rare&status=published', 5],
])('?%s finds its %i articles without reading all of them', async (query, found) => {
  let total = 0
  const plans = await plansOf(api, side.projectId, async () => {
    const { body } = await side.admin.get<{ pagination: { total: number } }>(`/help/articles?${query}`)
    total = body.pagination.total
  })
  expect(total).toBe(found)
  const lists = plans.filter(({ label }) => label.startsWith('help_articles'))
  expect(lists.length).toBeGreaterThan(0)
  for (const { plan, pages } of lists) {
    expect(plan).not.toContain('Seq Scan on help_articles')
    expect(pages).toBeLessThan(300)
  }
})
