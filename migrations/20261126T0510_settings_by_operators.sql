-- locks: none

-- Operators change the settings of a side of a project, and note it in the audit log, in one transaction. It works by the clock of the side.
grant select, insert, update on
  analytics_settings, billing_settings, certificate_settings, discussion_settings, feedback_settings, profile_settings
  to guildhall_operator;
grant select on project_clocks to guildhall_operator;
