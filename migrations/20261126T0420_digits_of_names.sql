-- runs: in batches
-- locks: none for long: profiles whose skeleton has a digit, 1,000 at a time
-- Digits that people read as letters are these letters, as in names that are compared with them from now on.
update profiles p set name_skeleton = translate(p.name_skeleton, '23456789', 'zeasbtbg')
where p.project_id = app.current_project() and p.id in (
  select o.id from profiles o
  where o.project_id = app.current_project() and o.name_skeleton ~ '[2-9]'
  limit 1000)
returning p.id;
