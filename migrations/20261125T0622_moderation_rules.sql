-- locks: moderation_cases for a moment, to which a column without a default is added

-- What a project has its posts checked for, before anybody sees them.
create table moderation_rules (
  project_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('words', 'links', 'rate', 'age', 'duplicates')),
  name text not null default '' check (char_length(name) <= 80),
  enabled boolean not null default true,
  action text not null default 'hold' check (action in ('hold', 'refuse')),
  -- Of whom: of everybody, where neither is set.
  younger_than_hours integer check (younger_than_hours > 0),
  fewer_posts_than integer check (fewer_posts_than > 0),
  -- As they were sent, and as texts are compared with them: folded, in words with one space between.
  words text[] not null default '{}',
  folded text[] not null default '{}',
  max_links integer check (max_links >= 0),
  max_posts integer check (max_posts > 0),
  -- Of a rate, and how far back duplicates are looked for.
  per_minutes integer check (per_minutes > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id)
);
create index moderation_rules_enabled on moderation_rules (project_id, id) where enabled;
call app.tenant_table('moderation_rules');
call app.limited_table('moderation_rules', 100, 'moderation rules');

-- What recent posts say, so that equal and nearly equal ones are found. Only in projects with such a rule, and for a day.
create table post_fingerprints (
  project_id uuid not null,
  -- The discussion or the comment.
  id uuid not null,
  author_id uuid not null,
  -- Near-equal texts differ in few bits.
  simhash bigint not null,
  -- Of the folded text: short ones are compared by it alone.
  checksum bigint not null,
  is_short boolean not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint post_fingerprints_author_fkey foreign key (project_id, author_id)
    references members (project_id, id) on delete cascade
);
create index post_fingerprints_recent on post_fingerprints (project_id, created_at desc);
create index post_fingerprints_by_author on post_fingerprints (project_id, author_id, created_at desc);
call app.tenant_table('post_fingerprints');

-- The kinds of the rules that held a post; null where no rule did.
alter table moderation_cases add column held_by text[];
