-- runs: alone
-- A project has one hook.
create unique index concurrently if not exists moderation_rules_hook_key on moderation_rules (project_id) where kind = 'hook';
