-- A subscription stands still while its member is deleted and can be restored: since when, and what it was before.
alter table subscriptions
  add column suspended_at timestamptz,
  add column suspended_status text check (suspended_status in ('incomplete', 'trialing', 'active', 'past_due', 'paused')),
  add constraint subscriptions_suspended check ((suspended_at is null) = (suspended_status is null)
    and (suspended_at is null or status = 'paused'));
