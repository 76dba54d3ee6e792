import type { FanOut } from '#platform/events/fan-out.ts'

/**
 * Numbers what happened in each project, in the order in which relays take it from the outbox, and notifies whoever has open
 * streams. The row of `stream_positions` is locked until the commit: no two relays give the same number, a number is seen
 * after all smaller ones, and one that is rolled back is given again. Rows are locked in the order of projects, so that two relays
 * cannot deadlock.
 */
export const numberForStreams: FanOut = {
  ctes: `
    stream_counted as (
      insert into stream_positions as p (project_id, id, last)
      select project_id, project_id, count(*) from logged group by project_id order by project_id
      on conflict (project_id, id) do update set last = p.last + excluded.last
      returning p.project_id, p.last
    ), stream_numbered as (
      insert into stream_log (project_id, position, id, type, subject_id, occurred_at, numbered_at)
      select t.project_id, c.last - t.count + t.number, t.id, t.type, t.subject_id, t.occurred_at, clock_timestamp()
      from (
        select *, count(*) over (partition by project_id) as count,
          row_number() over (partition by project_id order by occurred_at, id) as number
        from logged
      ) as t
      join stream_counted c on c.project_id = t.project_id
    )`,
  // The notification leaves with the commit. Nobody else is signaled.
  signals: `
    select null::text as lane, null::text as consumer, c.project_id,
      pg_notify('guildhall_streams', c.project_id::text)::text as key
    from stream_counted as c`,
}
