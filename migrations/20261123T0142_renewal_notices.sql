-- The end of the period of whose renewal the member was told.
alter table subscriptions add column noticed_period_end timestamptz;

create index subscriptions_by_notice on subscriptions (project_id, period_end)
  where status = 'active' and not cancel_at_period_end and noticed_period_end is distinct from period_end;
