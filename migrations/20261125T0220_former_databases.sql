-- What a database from before version 0.1.0 has more than the baseline. In others this changes nothing.
-- contract: statements name the times of their rows, and nothing calls the function

-- A default is real time, and these tables go by their project's clock (decision 0008): a statement that forgets the time fails.
alter table plans alter column created_at drop default, alter column updated_at drop default;
alter table plan_versions alter column created_at drop default;
alter table members alter column created_at drop default, alter column updated_at drop default;
alter table member_passwords alter column updated_at drop default;
alter table invitations alter column created_at drop default;
alter table forms alter column created_at drop default, alter column updated_at drop default;
alter table form_versions alter column created_at drop default;
alter table form_submissions alter column created_at drop default;
alter table grants alter column created_at drop default;
alter table payment_accounts alter column created_at drop default, alter column updated_at drop default;
alter table payment_customers alter column updated_at drop default;
alter table payment_notices alter column received_at drop default;
alter table products alter column created_at drop default, alter column updated_at drop default;
alter table product_variants alter column created_at drop default, alter column updated_at drop default;
alter table stock_moves alter column created_at drop default;
alter table discounts alter column created_at drop default, alter column updated_at drop default;
alter table carts alter column updated_at drop default;
alter table cart_items alter column created_at drop default;
alter table orders alter column created_at drop default, alter column updated_at drop default;
alter table order_history alter column created_at drop default;
alter table order_refunds alter column created_at drop default;
alter table discussion_categories alter column created_at drop default, alter column updated_at drop default;
alter table discussions alter column last_activity_at drop default, alter column shown_at drop default, alter column created_at drop default, alter column updated_at drop default;
alter table comments alter column shown_at drop default, alter column created_at drop default, alter column updated_at drop default;
alter table post_revisions alter column created_at drop default;
alter table discussion_members alter column told_up_to drop default;
alter table comment_likes alter column created_at drop default;
alter table moderation_cases alter column created_at drop default;
alter table reports alter column created_at drop default;
alter table feedback alter column status_changed_at drop default, alter column created_at drop default, alter column updated_at drop default;
alter table feedback_votes alter column created_at drop default;
alter table feedback_status_changes alter column created_at drop default;
alter table feedback_notices alter column created_at drop default;
alter table feedback_comments alter column created_at drop default;
alter table help_categories alter column created_at drop default, alter column updated_at drop default;
alter table help_articles alter column created_at drop default, alter column updated_at drop default;
alter table help_article_versions alter column created_at drop default;
alter table help_translations alter column created_at drop default, alter column updated_at drop default;
alter table help_votes alter column created_at drop default;
alter table help_views alter column day drop default;
alter table help_searches alter column day drop default, alter column last_at drop default;
alter table content_rules alter column created_at drop default, alter column updated_at drop default;
alter table courses alter column created_at drop default, alter column updated_at drop default;
alter table course_modules alter column created_at drop default, alter column updated_at drop default;
alter table lessons alter column created_at drop default, alter column updated_at drop default;
alter table enrollments alter column updated_at drop default;
alter table lesson_progress alter column updated_at drop default;
alter table quizzes alter column created_at drop default, alter column updated_at drop default;
alter table quiz_versions alter column created_at drop default;
alter table quiz_attempts alter column started_at drop default;
alter table course_ratings alter column created_at drop default, alter column updated_at drop default;

drop function if exists app.search_submissions(uuid, text);
