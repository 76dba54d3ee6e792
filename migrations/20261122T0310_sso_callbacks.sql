-- One callback for each connection, so that an answer that was meant for one provider never reaches another.
-- Connections from before come back to the address that all of them had, until an operator says that the provider has
-- been told the new one.
alter table sso_connections add column uses_old_callback boolean not null default true;
alter table sso_connections alter column uses_old_callback set default false;

-- A provider's user is a member from before, who has not shown their own second factor since: until then every login by
-- the provider asks for it.
alter table sso_identities add column needs_factor boolean not null default false;
alter table sso_codes
  -- Whose second factor is to be shown before there is a session; null where none is.
  add column identity_id uuid,
  add foreign key (project_id, identity_id) references sso_identities (project_id, id) on delete cascade;
create index sso_codes_of_identity on sso_codes (project_id, identity_id) where identity_id is not null;
