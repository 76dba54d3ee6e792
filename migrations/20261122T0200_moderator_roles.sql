-- Members with one of these roles moderate with their own token.
alter table projects add column moderator_roles text[] not null default '{admin,moderator}';
