-- How a project bills, one row a project at most. What is null is as in every project that has set nothing.
create table billing_settings (
  project_id uuid not null,
  id uuid not null,
  billing_url text check (char_length(billing_url) between 1 and 2000),
  renewal_notice_days integer check (renewal_notice_days between 0 and 60),
  retry_days integer[] check (cardinality(retry_days) between 1 and 10),
  member_may text[] check (member_may <@ '{subscribe,change,cancel,pause,change_payment_method}'),
  on_lost_dispute text check (on_lost_dispute in ('revoke', 'keep')),
  primary key (project_id, id),
  constraint billing_settings_project_key unique (project_id)
);
call app.tenant_table('billing_settings');
