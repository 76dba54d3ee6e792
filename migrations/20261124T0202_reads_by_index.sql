-- What one statement or another looked for among all rows of a project has an index (decision 0121).

-- Of members' archives, only the member that they are about.
alter table exports add column member_id uuid
  generated always as (case when kind = 'member_data' then (params ->> 'member_id')::uuid end) stored;
create index exports_of_member on exports (project_id, member_id) where member_id is not null;
create index exports_unexpired on exports (project_id, expires_at) where status in ('queued', 'running', 'completed');

alter table feedback add column email_key text generated always as (lower(email)) stored;
create index feedback_by_email on feedback (project_id, email_key) where email_key is not null;
create index feedback_by_type_and_votes on feedback (project_id, type, vote_count, id) where merged_into is null;
create index feedback_by_visibility_and_votes on feedback (project_id, visibility, vote_count, id) where merged_into is null;
create index feedback_on_roadmap on feedback (project_id, state, type, vote_count, id) where visibility = 'public';

-- What has not finished has no such time.
create index member_imports_by_finish on member_imports (project_id, finished_at);
create index member_imports_by_state on member_imports (project_id, state, id);

create index help_article_facets_by_value on help_article_facets (project_id, facet, value, article_id);
-- In the words of what asks for it.
drop index help_articles_by_unhelpful;
create index help_articles_by_votes on help_articles
  (project_id, (unhelpful_count::float8 / (helpful_count + unhelpful_count)) desc, unhelpful_count desc, id)
  where unhelpful_count > 0;

-- Bills are listed in the order of their ids.
drop index bills_by_status;
create index bills_by_status on bills (project_id, status, id);
