-- Monthly recurring revenue at any moment of the past (GET /stats/daily).
-- locks: subscriptions, against writers, for the moment in which a trigger is made

-- What a version of a plan brings in a month, in the currency's smallest unit, rounded half away from zero.
create function app.monthly_minor(price bigint, every text, intervals integer) returns bigint
  language sql immutable parallel safe
  return round(price::numeric / (intervals * case every when 'year' then 12 else 1 end))::bigint;

-- By how much a subscription changed the monthly recurring revenue, and when. The sum of its rows is what it brings in now: the price of
-- its plan, by the month, while it is active or past due, and nothing otherwise. Rows are never changed.
create table mrr_changes (
  project_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  amount_minor bigint not null check (amount_minor <> 0),
  occurred_at timestamptz not null,
  primary key (project_id, id),
  constraint mrr_changes_subscription_fkey foreign key (project_id, subscription_id)
    references subscriptions (project_id, id) on delete cascade
);
create index mrr_changes_by_time on mrr_changes (project_id, occurred_at) include (currency, amount_minor);
create index mrr_changes_of_subscription on mrr_changes (project_id, subscription_id);
call app.tenant_table('mrr_changes');
revoke update, delete on mrr_changes from guildhall_api;
-- guildhall project prove-money compares the sum with the subscription.
create policy audit on mrr_changes for select to guildhall_auditor using (true);
create policy audit on plan_versions for select to guildhall_auditor using (true);
grant select (project_id, id, subscription_id, currency, amount_minor) on mrr_changes to guildhall_auditor;
grant select (project_id, plan_id, version, price_minor, currency, interval, interval_count) on plan_versions
  to guildhall_auditor;
grant select (plan_version) on subscriptions to guildhall_auditor;

-- Whatever changes a subscription, in the same transaction.
create function app.subscription_mrr_changed() returns trigger language plpgsql as $$
begin
  insert into mrr_changes (project_id, id, subscription_id, currency, amount_minor, occurred_at)
    select new.project_id, gen_random_uuid(), new.id, v.currency,
      sum(side.sign * app.monthly_minor(v.price_minor, v.interval, v.interval_count)), app.project_now()
    from (
      select old.plan_id, old.plan_version, -1 as sign where tg_op <> 'INSERT' and old.status in ('active', 'past_due')
      union all
      select new.plan_id, new.plan_version, 1 where new.status in ('active', 'past_due')
    ) side (plan_id, version, sign)
      join plan_versions v on v.project_id = new.project_id and v.plan_id = side.plan_id and v.version = side.version
    group by v.currency
    having sum(side.sign * app.monthly_minor(v.price_minor, v.interval, v.interval_count)) <> 0;
  return null;
end $$;
create trigger mrr_begun after insert on subscriptions
  for each row when (new.status in ('active', 'past_due')) execute function app.subscription_mrr_changed();
create trigger mrr_changed after update of status, plan_id, plan_version on subscriptions
  for each row when (old.status is distinct from new.status or old.plan_id is distinct from new.plan_id
    or old.plan_version is distinct from new.plan_version)
  execute function app.subscription_mrr_changed();
