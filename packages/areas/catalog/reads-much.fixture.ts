/** Tables that never have as many rows as others in one project, with how many they have at the most. */
export const FEWER: Readonly<Record<string, number>> = {
  // One of each project.
  analytics_generations: 1,
  bill_numbers: 1,
  billing_settings: 1,
  certificate_settings: 1,
  discussion_settings: 1,
  analytics_settings: 1,
  feedback_settings: 1,
  profile_settings: 1,
  project_clocks: 1,
  stream_positions: 1,
  // One a day, for a few days.
  analytics_salts: 10,
  // A few for each value of what is counted.
  feedback_counts: 100,
  help_article_counts: 100,
  member_counts: 100,
  // Limits of a project, of which a first row is one.
  analytics_goals: 99,
  api_keys: 499,
  content_rules: 4_999,
  courses: 999,
  discussion_categories: 499,
  forms: 499,
  help_categories: 499,
  moderation_rules: 99,
  payment_accounts: 49,
  plans: 499,
  sso_connections: 99,
  webhook_endpoints: 199,
}

/** Values of columns as SQL, where those of a first row would be none that many rows have. */
export const FIXED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  courses: { status: "(array['draft', 'published', 'archived'])[1 + n % 3]" },
  // Nothing that has expired is unfinished for longer than a minute.
  exports: { status: "'expired'" },
  // Five at the most are not finished.
  community_imports: { state: "'completed'", finished_at: 'now()' },
  member_imports: { state: "'completed'", finished_at: 'now()' },
  // A case is about a discussion or about feedback.
  moderation_cases: { feedback_id: 'null', feedback_comment_id: 'null' },
}

const COUNTED = 'The total of a list is the number of rows that its filters leave.'
const BY_IDS = 'Dates bound what is read by the times in ids, which are not those of their rows here.'

/** Statements that read more rows than they answer, by label, each with the reason why that is right. */
export const MAY_READ_MUCH: Readonly<Record<string, string>> = {
  add_neighbouring_days: 'Another time zone moves every day of a project.',
  appealed_cases_total: COUNTED,
  bills_total: COUNTED,
  console_overview: 'Monthly recurring revenue is the sum of its changes.',
  console_things_by_name: 'It looks at the names of things of which a project has a limited number.',
  content_rules_total: COUNTED,
  team_invitations: 'The owners of a project invite few people.',
  request_log_page:
    'The newest requests are looked through for those of no operator, at most 7 days of them.',
  submissions_by_day: 'A count by day looks at every submission of these days.',
  daily_mrr: 'A sum by day adds up every change until the last day; the route is a report.',
  daily_sign_ups: 'A sum by day adds up every member of these days; the route is a report.',
  deleted_members_total: COUNTED,
  discounts_total: COUNTED,
  end_sessions_of_domains:
    'A new requirement of single sign-on is compared with the address of every member.',
  events_log: 'A reader that wants some types passes over the others; one index more would cost every event.',
  events_newest_first_page: 'The same reader, the newest first.',
  exports_page: 'Exports that need other permissions are passed over; they are kept for a month.',
  exports_total: COUNTED,
  feedback_page: 'By votes from a date on it is planned for the date; here one plan serves all dates.',
  feedback_total: COUNTED,
  files_page: BY_IDS,
  files_total: COUNTED,
  help_articles_total: COUNTED,
  invitations_page: 'Invitations expire without being written, so no index knows which have.',
  invitations_total: COUNTED,
  mail_suppressions_page: BY_IDS,
  mail_suppressions_total: COUNTED,
  mails_page: BY_IDS,
  mails_total: COUNTED,
  member_imports_page: BY_IDS,
  member_imports_total: COUNTED,
  members_created_recently: 'It counts who came within 30 days, by an index.',
  members_total: COUNTED,
  moderation_cases_page:
    'Cases of a time are looked for among those of a status; one index more would cost every report.',
  moderation_cases_total: COUNTED,
  orders_total: COUNTED,
  prerequisite_circle: 'It follows what a course requires, and what that requires, to the end.',
  subscriptions_total: COUNTED,
  suspensions_total: COUNTED,
  viewed_pages: 'A simulation counts every view of its days.',
}

/** The same for statements that read little in the short form, or are not asked in each run. */
export const MAY_READ_MUCH_OF_MANY: Readonly<Record<string, string>> = {
  courses_page: 'A search of courses looks at every published one.',
  help_articles_page: 'The plans that each article names are read, and here it names a hundred.',
  standings_in_courses: 'The grants of each member are read, of which one has a hundred here.',
  erase_feedback_votes: 'Each vote is looked for among the items that are merged into its item.',
}
