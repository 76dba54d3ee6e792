-- locks: none that requests wait for, while rows are read
alter table feedback validate constraint feedback_visibility_check;
alter table feedback validate constraint feedback_shown_as;
alter table feedback_comments validate constraint feedback_comments_visibility_check;
alter table feedback_comments validate constraint feedback_comments_shown_as;
alter table moderation_cases validate constraint moderation_cases_feedback_fkey;
alter table moderation_cases validate constraint moderation_cases_feedback_comment_fkey;
alter table moderation_cases validate constraint moderation_cases_about;
