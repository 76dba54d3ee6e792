-- runs: in batches
-- locks: none for long: mails of before, 1,000 at a time
-- Of all who have had the address, the one who had it when the mail was made. Each half has an index by address; without `offset 0`
-- an index by time would be read in its order, row by row.
update mails set member_id = (
  select had.id from (
    select m.id, m.created_at from members m
      where m.project_id = mails.project_id and m.email_key = lower(mails.to_address)
        and m.created_at <= mails.created_at and m.deleted_at is null
    union all
    select m.id, m.created_at from members m
      where m.project_id = mails.project_id and m.email_key = lower(mails.to_address)
        and m.created_at <= mails.created_at and m.deleted_at is not null and m.deleted_at > mails.created_at
    offset 0
  ) as had
  order by had.created_at desc limit 1
)
where project_id = app.current_project() and id = any (array(
  select id from mails where project_id = app.current_project() and member_id is null and stray_key is null order by id limit 1000
));
