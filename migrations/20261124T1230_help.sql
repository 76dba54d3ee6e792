-- The help center: categories, articles with drafts, versions and translations, and what readers do with them.

-- Categories of articles, one within another.
create table help_categories (
  project_id uuid not null,
  id uuid not null,
  parent_id uuid,
  slug text not null check (char_length(slug) <= 80),
  name text not null check (char_length(name) between 1 and 120),
  description text not null default '' check (char_length(description) <= 2000),
  icon text not null default '' check (char_length(icon) <= 200),
  position integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint help_categories_slug_key unique (project_id, slug),
  constraint help_categories_parent_fkey foreign key (project_id, parent_id) references help_categories (project_id, id)
);
create index help_categories_by_position on help_categories (project_id, position, id);
create index help_categories_of_parent on help_categories (project_id, parent_id, position, id);
call app.tenant_table('help_categories');
call app.limited_table('help_categories', 500, 'help categories');

-- Who may read an article: a reader belongs to some of these audiences, and one of them must be the article's. What is
-- internal has none; keys need none.
create function app.help_audience(visibility text, required_plans uuid[]) returns text[]
  language sql immutable parallel safe
  return case
    when visibility = 'internal' then '{}'
    when cardinality(required_plans) > 0 then array(select 'plan:' || plan from unnest(required_plans) plan order by plan)
    else array[visibility]
  end;

-- Title and content are what is worked on; readers meet a published version of them.
create table help_articles (
  project_id uuid not null,
  id uuid not null,
  category_id uuid,
  slug text not null check (char_length(slug) <= 80),
  locale text not null,
  labels text[] not null default '{}',
  visibility text not null default 'public' check (visibility in ('public', 'members', 'internal')),
  required_plans uuid[] not null default '{}',
  audience text[] not null generated always as (app.help_audience(visibility, required_plans)) stored,
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  title text not null check (char_length(title) between 1 and 200),
  content text not null check (char_length(content) <= 50000),
  content_html text not null,
  plain_text text not null,
  -- Grows with every change of title or content, so that a translation can say of which it is.
  revision integer not null default 1,
  -- The version that readers meet: the latest. 0 until there is one.
  version integer not null default 0,
  helpful_count bigint not null default 0 check (helpful_count >= 0),
  unhelpful_count bigint not null default 0 check (unhelpful_count >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  primary key (project_id, id),
  constraint help_articles_category_fkey foreign key (project_id, category_id)
    references help_categories (project_id, id),
  constraint help_articles_published_has_version check (status <> 'published' or version > 0)
);
create index help_articles_by_status on help_articles (project_id, status, id);
create index help_articles_of_category on help_articles (project_id, category_id, status, id);
-- In the words of the query that asks for it.
create index help_articles_by_votes on help_articles
  (project_id, (unhelpful_count::float8 / (helpful_count + unhelpful_count)) desc, unhelpful_count desc, id)
  where unhelpful_count > 0;
call app.tenant_table('help_articles');

-- Every slug that an article has had. An old one still leads to it, until another article takes it.
create table help_slugs (
  project_id uuid not null,
  slug text not null,
  article_id uuid not null,
  is_current boolean not null,
  primary key (project_id, slug),
  constraint help_slugs_article_fkey foreign key (project_id, article_id)
    references help_articles (project_id, id) on delete cascade
);
create index help_slugs_of_article on help_slugs (project_id, article_id);
call app.tenant_table('help_slugs');

-- What was published, for good.
create table help_article_versions (
  project_id uuid not null,
  article_id uuid not null,
  version integer not null check (version > 0),
  revision integer not null,
  title text not null,
  content text not null,
  content_html text not null,
  plain_text text not null,
  created_at timestamptz not null,
  primary key (project_id, article_id, version),
  constraint help_article_versions_article_fkey foreign key (project_id, article_id)
    references help_articles (project_id, id) on delete cascade
);
call app.tenant_table('help_article_versions');

-- An article in another language.
create table help_translations (
  project_id uuid not null,
  id uuid not null,
  article_id uuid not null,
  locale text not null,
  title text not null check (char_length(title) between 1 and 200),
  content text not null check (char_length(content) <= 50000),
  content_html text not null,
  plain_text text not null,
  -- The revision of the article that it is a translation of.
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint help_translations_locale_key unique (project_id, article_id, locale),
  constraint help_translations_article_fkey foreign key (project_id, article_id)
    references help_articles (project_id, id) on delete cascade
);
call app.tenant_table('help_translations');

-- By which labels and languages articles are listed. Array operators are not leakproof, so that behind row-level security
-- no index on `labels` is of use; a comparison of texts is.
create table help_article_facets (
  project_id uuid not null,
  facet text not null check (facet in ('label', 'locale')),
  value text not null,
  article_id uuid not null,
  primary key (project_id, facet, value, article_id),
  constraint help_article_facets_article_fkey foreign key (project_id, article_id)
    references help_articles (project_id, id) on delete cascade
);
create index help_article_facets_of on help_article_facets (project_id, article_id);
create index help_article_facets_by_value on help_article_facets (project_id, facet, value, article_id);
call app.tenant_table('help_article_facets');

create function app.help_article_faceted() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from help_article_facets f
      where f.project_id = new.project_id and f.article_id = new.id and f.facet = 'label' and f.value <> all (new.labels);
  end if;
  insert into help_article_facets (project_id, facet, value, article_id)
    select new.project_id, 'label', label, new.id from unnest(new.labels) label
    union select new.project_id, 'locale', new.locale, new.id
    on conflict do nothing;
  return null;
end $$;
create trigger help_article_faceted after insert or update of labels on help_articles
  for each row execute function app.help_article_faceted();

-- Nobody translates an article into the language that it was written in.
create function app.help_translation_faceted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into help_article_facets (project_id, facet, value, article_id)
      values (new.project_id, 'locale', new.locale, new.article_id) on conflict do nothing;
  else
    delete from help_article_facets f where f.project_id = old.project_id and f.facet = 'locale'
      and f.value = old.locale and f.article_id = old.article_id;
  end if;
  return null;
end $$;
create trigger help_translation_faceted after insert or delete on help_translations
  for each row execute function app.help_translation_faceted();

-- Whether a reader was helped: a member, or a browser that names its session.
create table help_votes (
  project_id uuid not null,
  id uuid not null,
  article_id uuid not null,
  member_id uuid,
  session_id text check (char_length(session_id) between 1 and 100),
  helpful boolean not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint help_votes_of_member unique (project_id, article_id, member_id),
  constraint help_votes_of_session unique (project_id, article_id, session_id),
  constraint help_votes_article_fkey foreign key (project_id, article_id)
    references help_articles (project_id, id) on delete cascade,
  constraint help_votes_member_fkey foreign key (project_id, member_id)
    references members (project_id, id) on delete cascade,
  constraint help_votes_of_somebody check (member_id is not null or session_id is not null)
);
create index help_votes_by_member on help_votes (project_id, member_id) where member_id is not null;
call app.tenant_table('help_votes');

create function app.help_vote_counted() returns trigger language plpgsql as $$
begin
  update help_articles a
    set helpful_count = a.helpful_count + moved.helpful, unhelpful_count = a.unhelpful_count + moved.unhelpful
  from (
    select each.project_id, each.article_id, sum(each.step * each.helpful::int) as helpful,
      sum(each.step * (not each.helpful)::int) as unhelpful
    from (
      select old.project_id, old.article_id, old.helpful, -1 as step where tg_op <> 'INSERT'
      union all select new.project_id, new.article_id, new.helpful, 1 where tg_op <> 'DELETE'
    ) as each
    group by each.project_id, each.article_id
  ) as moved
  where a.project_id = moved.project_id and a.id = moved.article_id;
  return null;
end $$;
create trigger help_vote_counted after insert or update of helpful or delete on help_votes
  for each row execute function app.help_vote_counted();

-- Articles per category, status and audience: exact totals for every reader. Slotted like member_counts; articles of no
-- category are counted under a category of zeros.
create table help_article_counts (
  project_id uuid not null,
  category_id uuid not null,
  status text not null,
  audience text[] not null,
  slot smallint not null default pg_backend_pid() % 64,
  articles bigint not null,
  primary key (project_id, category_id, status, audience, slot)
) with (fillfactor = 50);
call app.tenant_table('help_article_counts');

create function app.help_article_counted() returns trigger language plpgsql as $$
begin
  insert into help_article_counts as c (project_id, category_id, status, audience, articles)
    select moved.project_id, coalesce(moved.category_id, '00000000-0000-0000-0000-000000000000'), moved.status,
      moved.audience, sum(moved.step)
    from (
      select old.project_id, old.category_id, old.status, old.audience, -1 as step where tg_op <> 'INSERT'
      union all select new.project_id, new.category_id, new.status, new.audience, 1 where tg_op <> 'DELETE'
    ) as moved
    group by 1, 2, 3, 4 order by 2, 3, 4
    on conflict (project_id, category_id, status, audience, slot) do update set articles = c.articles + excluded.articles;
  return null;
end $$;
create trigger help_article_inserted_or_deleted after insert or delete on help_articles
  for each row execute function app.help_article_counted();
create trigger help_article_moved after update on help_articles for each row
  when ((old.category_id, old.status, old.audience) is distinct from (new.category_id, new.status, new.audience))
  execute function app.help_article_counted();

-- How often members and visitors opened an article, per day.
create table help_views (
  project_id uuid not null,
  article_id uuid not null,
  day date not null,
  slot smallint not null default pg_backend_pid() % 64,
  views bigint not null,
  primary key (project_id, article_id, day, slot),
  constraint help_views_article_fkey foreign key (project_id, article_id)
    references help_articles (project_id, id) on delete cascade
) with (fillfactor = 50);
create index help_views_by_day on help_views (day);
call app.tenant_table('help_views');
-- Insights look back a year at the most; what is older says nothing to anybody.
create policy expired on help_views to guildhall_housekeeper using (day < current_date - 366);
grant select, delete on help_views to guildhall_housekeeper;

-- What was searched for, per day, and by nobody: a page of insights needs no names.
create table help_searches (
  project_id uuid not null,
  day date not null,
  locale text not null,
  query text not null check (char_length(query) <= 200),
  searches bigint not null,
  without_result bigint not null,
  last_at timestamptz not null,
  primary key (project_id, day, locale, query)
) with (fillfactor = 80);
create index help_searches_by_day on help_searches (day);
call app.tenant_table('help_searches');
create policy expired on help_searches to guildhall_housekeeper using (day < current_date - 366);
grant select, delete on help_searches to guildhall_housekeeper;
