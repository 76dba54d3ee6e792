-- runs: in batches
-- locks: none for long: subscriptions of before, 1,000 at a time
-- What subscriptions of before bring in a month counts since they began, at the price that they have now.
insert into mrr_changes (project_id, id, subscription_id, currency, amount_minor, occurred_at)
select missing.project_id, gen_random_uuid(), missing.id, missing.currency, missing.amount, missing.began_at
from (
  select s.project_id, s.id, s.started_at as began_at, part.currency, sum(part.amount) as amount
  from subscriptions s cross join lateral (
    select v.currency, app.monthly_minor(v.price_minor, v.interval, v.interval_count) as amount
    from plan_versions v
    where v.project_id = s.project_id and v.plan_id = s.plan_id and v.version = s.plan_version
      and s.status in ('active', 'past_due')
    union all
    select c.currency, -c.amount_minor from mrr_changes c
    where c.project_id = s.project_id and c.subscription_id = s.id
  ) part
  where s.project_id = app.current_project()
  group by s.project_id, s.id, part.currency having sum(part.amount) <> 0
  limit 1000
) missing
returning id;
