-- Where a project shows its discussions and its feedback: mails lead there. `{id}` stands for the id.
alter table projects
  add column discussion_url text check (discussion_url ~ '^https?://' and discussion_url like '%{id}%'),
  add column feedback_url text check (feedback_url ~ '^https?://' and feedback_url like '%{id}%');
