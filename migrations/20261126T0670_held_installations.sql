-- locks: installation for a moment

-- A copy that was restored does no work of its own until an operator tells it to: no job, no delivery, no schedule and no payment. So it
-- sends no mail and no webhook that the original has sent, and charges no card again.
alter table installation
  add column held_since timestamptz,
  -- For operators, such as: restored from a backup of 2026-11-23T12:00:00Z.
  add column held_because text;

-- Whoever looks for work looks here first.
create policy holding on installation for select to guildhall_relay, guildhall_webhooks, guildhall_housekeeper using (true);
grant select (held_since) on installation to guildhall_relay, guildhall_webhooks, guildhall_housekeeper;
-- Commands hold and release.
create policy operators on installation to guildhall_operator using (true) with check (true);
grant select (only_one, held_since, held_because), update (held_since, held_because) on installation to guildhall_operator;
