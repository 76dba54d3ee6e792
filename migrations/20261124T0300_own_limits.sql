-- Limits that an operator sets for one environment: requests per minute by name. What is left out is as the tier or the default
-- says (packages/platform/src/keys/rate-limits.ts).
alter table projects add column own_limits jsonb not null default '{}'
  constraint projects_own_limits check (jsonb_typeof(own_limits) = 'object');

-- contract: the trigger is made anew, so that a change of limits is announced as well
drop trigger announce_change on projects;
create trigger announce_change
  after delete or update of tier, rate_limit, own_limits, email_confirmation, allowed_redirect_urls, allowed_origins on projects
  for each row execute function app.announce_change();

-- A member's token names no key: processes keep the limits of members by project.
create function app.announce_member_limit() returns trigger language plpgsql as $$
begin
  perform pg_notify('guildhall_member_limits', new.id::text);
  return null;
end $$;
create trigger announce_member_limit
  after update of own_limits on projects
  for each row when (new.own_limits is distinct from old.own_limits)
  execute function app.announce_member_limit();
