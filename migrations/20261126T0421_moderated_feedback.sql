-- locks: feedback, feedback_comments, moderation_cases and post_fingerprints for a moment, to which columns without a default and checks that are not validated yet are added

-- Feedback is held, hidden and removed as discussions are. What waits is stored as private, which its author and the team see; what
-- was removed is `removed`, which the team sees. This is what it is when others see it; null where nothing waits.
alter table feedback add column shown_as text;
alter table feedback drop constraint feedback_visibility_check;
alter table feedback add constraint feedback_visibility_check check (visibility in ('public', 'private', 'removed')) not valid;
alter table feedback add constraint feedback_shown_as check
  (coalesce(shown_as in ('public', 'private'), visibility <> 'removed')) not valid;
alter table feedback_comments add column shown_as text;
alter table feedback_comments drop constraint feedback_comments_visibility_check;
alter table feedback_comments add constraint feedback_comments_visibility_check check (visibility in ('public', 'private', 'removed')) not valid;
alter table feedback_comments add constraint feedback_comments_shown_as check
  (coalesce(shown_as in ('public', 'private'), visibility <> 'removed')) not valid;

-- A case is about a discussion or a comment in it, or about an item of feedback or a comment on it.
alter table moderation_cases alter column discussion_id drop not null;
alter table moderation_cases add column feedback_id uuid;
-- Null where it is about the item itself.
alter table moderation_cases add column feedback_comment_id uuid;
alter table moderation_cases add constraint moderation_cases_feedback_fkey foreign key (project_id, feedback_id)
  references feedback (project_id, id) on delete cascade not valid;
alter table moderation_cases add constraint moderation_cases_feedback_comment_fkey foreign key (project_id, feedback_comment_id)
  references feedback_comments (project_id, id) on delete cascade not valid;
alter table moderation_cases add constraint moderation_cases_about check ((discussion_id is null) <> (feedback_id is null)) not valid;

-- Visitors send feedback without a name.
alter table post_fingerprints alter column author_id drop not null;
