import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createProject } from '#areas/projects/service.ts'
import { openPool } from '#platform/db/pool.ts'
import { findDueWork, workOffDue } from '#platform/jobs/schedules/work-off-due.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { SOON } from '#testkit/soon.ts'
import { purgeDeleted } from './purge-deleted.due.ts'

let env: JobsEnvironment
beforeAll(async () => {
  env = await startJobsEnvironment('postgres')
})
afterAll(() => env.close())

/** Members of every project, by email: when they were deleted and anonymized, in SQL. */
const MEMBERS = {
  live: ['null', 'null'],
  restorable: ["now() - interval '29 days 23 hours'", 'null'],
  gone: ["now() - interval '30 days 1 hour'", 'null'],
  anonymized: ["now() - interval '90 days'", "now() - interval '90 days'"],
  author: ["now() - interval '31 days'", 'null'],
  learner: ["now() - interval '31 days'", 'null'],
}

test('deleted members are purged after 30 days, in every project; restorable and anonymized ones stay, and those whom others refer to stay bare', async () => {
  const operators = openPool(env.config, { role: 'operator', size: 1, onError: () => undefined })
  for (const name of ['One', 'Other']) await createProject(operators, { name, tier: 'free' })
  await operators.end()
  for (const [email, [deleted, anonymized]] of Object.entries(MEMBERS))
    await env.sql(
      `insert into members (project_id, id, email, plan_id, plan_version, deleted_at, anonymized_at, created_at, updated_at)
       select project_id, gen_random_uuid(), $1, id, 1, ${deleted}, ${anonymized}, now(), now() from plans`,
      [email],
    )
  for (const address of ['gone', 'restorable'])
    await env.sql(
      `insert into mails (project_id, id, mail, to_address, state, finished_at)
       select project_id, gen_random_uuid(), 'x', $1, 'sent', now() from plans`,
      [address],
    )
  // Somebody else was invited with an address since its member was deleted.
  for (const [address, since] of [
    ['gone', "interval '1 day'"],
    ['live', "interval '40 days'"],
  ])
    await env.sql(
      `insert into invitations (project_id, id, email, expires_at, created_at)
       select project_id, gen_random_uuid(), $1, now() + interval '1 day', now() - ${since} from plans`,
      [address],
    )
  await env.sql(
    `insert into courses (project_id, id, title, slug, created_at, updated_at)
     select project_id, gen_random_uuid(), 'C', 'c', now(), now() from plans`,
  )
  await env.sql(`with learners as (
      select m.project_id, m.id as member_id, c.id as course_id from members m join courses c using (project_id)
      where email = 'learner'
    ), rated as (
      insert into course_ratings (project_id, id, course_id, member_id, rating, created_at, updated_at)
        select project_id, gen_random_uuid(), course_id, member_id, 5, now(), now() from learners
    ), certified as (
      insert into certificates (project_id, id, course_id, member_id, member_name, course_title, code, issued_at)
        select project_id, gen_random_uuid(), course_id, member_id, 'learner', 'C', uuid_send(gen_random_uuid()), now()
        from learners
    ), categories as (
      insert into discussion_categories (project_id, id, slug, name, created_at, updated_at)
        select project_id, gen_random_uuid(), 'all', 'All', now(), now() from plans returning project_id, id
    )
    select 1`)
  await env.sql(`insert into discussions (project_id, id, category_id, author_id, title, content, content_html, last_activity_at,
      shown_at, created_at, updated_at)
    select m.project_id, gen_random_uuid(), c.id, m.id, 'T', 'c', 'c', now(), now(), now(), now()
    from members m join discussion_categories c using (project_id) where email = 'author'`)
  const worker = env.start({ schedules: [findDueWork([purgeDeleted])], jobs: [workOffDue([purgeDeleted])] })
  const left = () =>
    env.sql<{ email: string; count: number }>(
      `select regexp_replace(email, '^.*@', '@') as email, count(*)::int from members group by 1 order by 1`,
    )
  // Two projects with two environments each, and the built-in one of operators.
  await vi.waitFor(
    async () =>
      expect(await left()).toEqual([
        { email: '@anonymized.invalid', count: 10 },
        { email: 'anonymized', count: 5 },
        { email: 'live', count: 5 },
        { email: 'restorable', count: 5 },
      ]),
    SOON,
  )
  // What other areas hold on them goes with them.
  const mails = await env.sql<{ address: string; count: number }>(
    `select regexp_replace(to_address, '^.*@', '@') as address, count(*)::int from mails group by 1 order by 1`,
  )
  expect(mails).toEqual([
    { address: '@anonymized.invalid', count: 5 },
    { address: 'restorable', count: 5 },
  ])
  const invited = 'select email, count(*)::int from invitations group by email order by email'
  expect(await env.sql(invited)).toEqual([
    { email: 'gone', count: 5 },
    { email: 'live', count: 5 },
  ])
  await worker.stop()
})
