-- runs: in batches
-- locks: none for long: open cases with reports, 1,000 at a time
-- Each report of before weighs 1.
update moderation_cases k set weight = 100 * k.reports
where k.project_id = app.current_project() and k.id in (
  select o.id from moderation_cases o
  where o.project_id = app.current_project() and o.decision is null and o.reports > 0 and o.weight = 0
  limit 1000)
returning k.id;
