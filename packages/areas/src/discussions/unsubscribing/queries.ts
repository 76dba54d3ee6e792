import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Mark } from '../threads/marks.ts'

/** Members on one of the plans of the category `c`, and moderators: access.ts says the same. */
const mayEnter = sql<boolean>`(c.required_plans = '{}' or p.plan_id = any (c.required_plans)
  or p.role = any (project.moderator_roles))`

/**
 * What a link to unsubscribe is about; undefined where the discussion or the member is gone. The title is null where
 * the member may not see it any more.
 */
export const findSubscribed = defineQuery('subscribed_discussion', (v: Mark) =>
  query
    .selectFrom('discussions as d')
    .innerJoin('discussion_categories as c', 'c.id', 'd.category_id')
    .innerJoin('members as p', (on) => on.on('p.id', '=', sql<string>`${v.member_id}::uuid`))
    .innerJoin('projects as project', 'project.id', 'd.project_id')
    .select(sql<string | null>`case when d.status = 'visible' and ${mayEnter} then d.title end`.as('title'))
    .select(
      sql<string | null>`(select m.subscription from discussion_members m
        where m.discussion_id = d.id and m.member_id = p.id)`.as('subscription'),
    )
    .where('d.id', '=', v.discussion_id)
    .where('p.deleted_at', 'is', null),
).first()
