-- What version 0.1.0 reads and writes, and later ones do not. Databases that were upgraded before this file was written have none of it.
-- after: the version before has ended
-- locks: projects, mails, certificates, discussions and tables of notices for a moment: no row is read
-- contract: `migrate --contract` applies it, when no process of version 0.1.0 runs any more
drop trigger if exists settings_to_projects on discussion_settings;
drop trigger if exists settings_to_projects on feedback_settings;
drop trigger if exists settings_to_projects on profile_settings;
drop trigger if exists settings_to_projects on certificate_settings;
drop trigger if exists settings_from_projects on projects;
drop trigger if exists analytics_to_projects on analytics_settings;
drop trigger if exists analytics_from_projects on projects;
drop function if exists app.settings_to_projects();
drop function if exists app.settings_from_projects();
drop function if exists app.analytics_to_projects();
drop function if exists app.analytics_from_projects();
alter table projects
  drop column if exists report_threshold,
  drop column if exists discussion_url,
  drop column if exists feedback_url,
  drop column if exists profiles_public,
  drop column if exists display_name_from,
  drop column if exists profile_fields,
  drop column if exists certificate_url,
  drop column if exists analytics_retention_months,
  drop column if exists respect_do_not_track;
alter table mails drop column if exists to_key;
alter table certificates drop constraint if exists certificates_member_key_before;
drop table if exists feedback_notices;
alter table feedback_votes drop column if exists is_mailed;
alter table discussions drop column if exists digest_due_at;
alter table discussion_members drop column if exists last_mail_at;
