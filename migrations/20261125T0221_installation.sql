-- What is true of the whole installation. It has one row.
create table installation (
  only_one boolean primary key default true check (only_one),
  -- An HMAC of a fixed text under SECRET_KEY: a process with another key is told apart before it writes anything.
  key_fingerprint bytea not null
);
alter table installation enable row level security;
create policy readable on installation for select to guildhall_api using (true);
grant select on installation to guildhall_api;
