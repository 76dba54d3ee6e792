-- What was promised: where the member's credit has changed since, it no longer holds.
alter table subscription_previews add column amount_minor bigint not null default 0;
