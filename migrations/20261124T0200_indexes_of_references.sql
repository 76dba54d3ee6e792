create index courses_by_thumbnail on courses (project_id, thumbnail_file_id) where thumbnail_file_id is not null;
create index lessons_by_file on lessons (project_id, file_id) where file_id is not null;
create index discussions_by_answer on discussions (project_id, answer_id) where answer_id is not null;
create index moderation_cases_of_comment on moderation_cases (project_id, comment_id) where comment_id is not null;
create index moderation_cases_of_discussion on moderation_cases (project_id, discussion_id);
create index post_revisions_of_comment on post_revisions (project_id, comment_id) where comment_id is not null;
create index quiz_attempts_of_version on quiz_attempts (project_id, quiz_id, version);
create index sessions_of_each_member on sessions (project_id, member_id, id);
create index subscription_previews_of on subscription_previews (project_id, subscription_id);
create index subscriptions_by_plan on subscriptions (project_id, plan_id);
create index subscriptions_by_next_plan on subscriptions (project_id, next_plan_id) where next_plan_id is not null;
create index subscriptions_by_account on subscriptions (project_id, account_id);
create index payments_by_account on payments (project_id, account_id);
create index grants_by_plan on grants (project_id, plan_id) where plan_id is not null;
create index invitations_by_email on invitations (project_id, email_key);
create index invitations_by_status on invitations (project_id, status, created_at desc, id desc);
-- contract: an index that no statement names
drop index sessions_of_member;
-- Open cases and decided ones are asked for by a condition that the index has.
drop index moderation_cases_queue;
create index moderation_cases_queue on moderation_cases (project_id, id) where decision is null;
create index moderation_cases_decided_queue on moderation_cases (project_id, id) where decision is not null;
