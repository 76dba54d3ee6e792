import type { Pool } from 'pg'

/**
 * Counters of discussions that say something else than counting again does.
 * @param owner logs in as the database's owner
 */
export const driftsOf = async (owner: Pool, projectId: string): Promise<object[]> =>
  (
    await owner.query(
      `select 'discussion' as what, d.id::text from discussions d where project_id = $1 and (
         d.comment_count <> (select count(*) from comments c where c.project_id = $1 and c.discussion_id = d.id and c.status = 'visible')
         or d.likes <> (select count(*) from discussion_members m where m.project_id = $1 and m.discussion_id = d.id and m.liked)
         or d.last_activity_at <> greatest(d.created_at, (select max(c.created_at) from comments c
           where c.project_id = $1 and c.discussion_id = d.id and c.status = 'visible')))
       union all
       select 'comment', c.id::text from comments c where project_id = $1 and (
         c.likes <> (select count(*) from comment_likes l where l.project_id = $1 and l.comment_id = c.id)
         or c.reply_count <> (select count(*) from comments r where r.project_id = $1 and r.parent_id = c.id and r.status = 'visible'))
       union all
       select 'case', k.id::text from moderation_cases k where project_id = $1
         and (k.reports <> (select count(*) from reports r where r.project_id = $1 and r.case_id = k.id and r.counts)
           or k.weight <> (select coalesce(sum(r.weight), 0) from reports r
             where r.project_id = $1 and r.case_id = k.id and r.counts))
       union all
       select 'category', coalesce(n.category_id, d.category_id) || ' ' || coalesce(n.status, d.status) from
         (select category_id, status, sum(discussions) as kept from discussion_counts where project_id = $1
           group by 1, 2 having sum(discussions) <> 0) n
         full join (select category_id, status, count(*) as counted from discussions where project_id = $1 group by 1, 2) d
           using (category_id, status)
         where n.kept is distinct from d.counted`,
      [projectId],
    )
  ).rows
