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

alter table help_articles no force row level security;
alter table help_translations no force row level security;
alter table help_article_facets no force row level security;
insert into help_article_facets (project_id, facet, value, article_id)
  select project_id, 'label', label, id from help_articles, unnest(labels) label
  union select project_id, 'locale', locale, id from help_articles
  union select project_id, 'locale', locale, article_id from help_translations;
alter table help_articles force row level security;
alter table help_translations force row level security;
alter table help_article_facets force row level security;

-- Insights look back a year at the most; what is older says nothing to anybody.
create policy expired on help_views to guildhall_housekeeper using (day < current_date - 366);
grant select, delete on help_views to guildhall_housekeeper;
create policy expired on help_searches to guildhall_housekeeper using (day < current_date - 366);
grant select, delete on help_searches to guildhall_housekeeper;
create index help_views_by_day on help_views (day);
create index help_searches_by_day on help_searches (day);
