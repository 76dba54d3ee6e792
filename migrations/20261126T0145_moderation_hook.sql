-- locks: moderation_rules and moderation_cases for a moment, to which columns without a default are added

-- A hook: an outside service that is asked about a post before others see it.
alter table moderation_rules
  drop constraint moderation_rules_kind_check,
  add constraint moderation_rules_kind_check check (kind in ('words', 'links', 'rate', 'age', 'duplicates', 'hook')),
  add column url text,
  -- What becomes of a post where the service gives no valid answer.
  add column on_timeout text check (on_timeout in ('hold', 'publish')),
  -- Sealed. The one before signs too, and is accepted, for a time.
  add column secret bytea,
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  add constraint moderation_rules_hook check (kind <> 'hook' or (url is not null and on_timeout is not null and secret is not null));

-- The question that a hook has not answered yet; null where none is asked. An answer to another question is ignored.
alter table moderation_cases add column asked uuid;
-- What the hook said of the post, or why it gave no valid answer.
alter table moderation_cases add column hook_note text;
