-- locks: notifications for a moment; rows are not checked

-- Members are notified of comments on feedback. Every row of before satisfies the new check, which is wider.
alter table notifications
  drop constraint notifications_target_type_check,
  add constraint notifications_target_type_check check (target_type in ('discussion', 'comment', 'feedback', 'feedback_comment',
    'order', 'course', 'certificate', 'member', 'message')) not valid;
