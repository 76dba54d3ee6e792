import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { makeProjects } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { HelpCenter } from '../help-center.fixture.ts'
import { forgetInsights } from './forget-insights.schedule.ts'

let api: TestApi
withOwnApi(
  () => ({}),
  (opened) => {
    api = opened
  },
)

test('views and searches of more than a year ago are deleted in every project, and no others', async () => {
  for (const { live } of await makeProjects(api)) {
    await new HelpCenter(live).article({ title: 'Old' })
    for (const age of [0, 366, 367, 800]) {
      await api.owner.query(
        `insert into help_views (project_id, article_id, day, slot, views)
         select project_id, id, current_date - $2::int, 1, 1 from help_articles where project_id = $1`,
        [live.projectId, age],
      )
      await api.owner.query(
        `insert into help_searches (project_id, day, locale, query, searches, without_result, last_at)
         values ($1, current_date - $2::int, '', 'x', 1, 0, now())`,
        [live.projectId, age],
      )
    }
  }
  await runSchedule(forgetInsights, api.config)
  for (const table of ['help_views', 'help_searches']) {
    const { rows } = await api.owner.query(
      `select current_date - day as age, count(*)::int4 as projects from ${table} group by 1 order by 1`,
    )
    expect([table, rows]).toEqual([table, [0, 366].map((age) => ({ age, projects: 2 }))])
  }
})
