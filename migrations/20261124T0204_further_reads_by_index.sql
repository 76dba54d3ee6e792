-- What is read in part of a table by one value more, or in another order, in projects of 30,000 rows in each table (decision 0121).
create index courses_by_level on courses (project_id, status, level, id);
create index courses_by_category on courses (project_id, status, category, id);
create index feedback_public_by_state on feedback (project_id, state, vote_count, id) where visibility = 'public';
-- The changelog is public: all of it, or of one type.
drop index feedback_done;
create index feedback_done on feedback (project_id, status_changed_at, id)
  where merged_into is null and status = 'done' and visibility = 'public';
create index feedback_done_by_type on feedback (project_id, type, status_changed_at, id)
  where merged_into is null and status = 'done' and visibility = 'public';
create index members_restorable_by_age on members (project_id, created_at, id) where deleted_at is not null and anonymized_at is null;
-- Those that are shown with a case.
create index reports_of_case on reports (project_id, case_id, id);
