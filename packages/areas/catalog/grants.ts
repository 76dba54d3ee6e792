import type { Role } from '#platform/db/logins.ts'

/** What a role may do with tables: `delete insert select update`, or `update(one, two)` where it is those columns alone. */
export type Grants = Readonly<Record<string, string>>

/** What the role that serves requests may do with a table that no list names. */
export const ALL_ROWS = 'delete insert select update'

/**
 * What the role that serves requests may do less than read and write all rows of the current project. A migration that
 * takes or gives a right changes this list with it, so that no right is given unseen.
 */
export const API_GRANTS: Grants = {
  accepted_differences: 'insert select update(reason)',
  audit_log: 'insert select',
  credit_entries: 'insert select update(reason)',
  events: 'insert select',
  form_versions: 'insert select',
  installation: 'select',
  jobs: 'select update',
  mail_suppressions: 'delete insert select',
  mails: 'insert select update',
  mrr_changes: 'insert select',
  outbox: 'insert',
  post_revisions: 'delete insert select',
  projects: 'select',
  request_log: 'delete select',
  stream_log: 'select',
  stream_positions: 'select',
}

/** What the other roles may do: nothing that is not listed. */
export const GRANTS: Readonly<Record<Exclude<Role, 'api' | 'reports'>, Grants>> = {
  keys: {
    api_keys: 'select update(last_used_at)',
    installation: 'select(wrapped_at, wrapped_key)',
    payment_accounts: 'select(id, project_id)',
    project_keys: 'select(created_at, id, wrapped)',
    project_removals: 'select(live_id, removed_at, test_id)',
    project_usage: 'insert select update(requests)',
    projects: 'select',
    request_counters: 'insert select update',
    request_log: 'insert',
    sessions: 'select(ended_at, id, project_id)',
    signing_keys: 'insert select update(published_until)',
    sso_connections: 'select(id, project_id)',
    team_members: 'select(grant_id, id, project_id)',
  },
  operator: {
    analytics_settings: 'insert select update',
    audit_log: 'insert select',
    billing_settings: 'insert select update',
    certificate_settings: 'insert select update',
    discussion_settings: 'insert select update',
    feedback_settings: 'insert select update',
    installation: 'select(held_because, held_since, only_one) update(held_because, held_since)',
    jobs: 'select(attempts, created_at, due_at, finished_at, id, lane, last_error, name, project_id, state)',
    outbox: 'select(created_at, id, retry_at)',
    plan_versions: 'insert',
    plans: 'insert',
    profile_settings: 'insert select update',
    project_acts: 'insert select',
    project_clocks: 'select',
    project_removals: 'delete insert select',
    project_usage: 'select',
    projects: 'insert select update',
    signing_keys: 'insert select update(published_until)',
    team_invitations: 'select',
    team_members: 'insert select',
    webhook_endpoints: 'select(failing_since, project_id) update(failing_since)',
  },
  relay: {
    analytics_days: 'select(due_at, lease_until, project_id)',
    events: 'select',
    installation: 'select(held_since, wrapped_at, wrapped_key)',
    jobs: 'insert select',
    outbox: 'delete select update(retry_at)',
    project_keys: 'select(created_at, id, wrapped)',
    projects: 'select(deleted_at, id, suspended_at)',
    stream_log: 'insert select',
    stream_positions: 'insert select update',
    webhook_deliveries: 'insert select',
    webhook_endpoints: 'select',
  },
  queue: {},
  housekeeper: {
    analytics_event_ids: 'delete select',
    analytics_salts: 'delete select',
    analytics_settings: 'select(analytics_retention_months, project_id)',
    events: 'delete select',
    exports: 'delete select(expires_at, project_id, status)',
    files: 'select(due_at, project_id)',
    help_searches: 'delete select',
    help_views: 'delete select',
    idempotency_keys: 'delete select',
    installation:
      'select(held_since, key_fingerprint, sealed_by_project_since, wrapped_at, wrapped_key) update(wrapped_at, wrapped_key)',
    jobs: 'delete select',
    mails: 'delete select update(error, finished_at, next_attempt_at, sealed_values, state)',
    one_time_tokens: 'delete select',
    passkey_challenges: 'delete select',
    project_keys: 'insert select update(resealed_at)',
    project_removals: 'select update(bytes, objects)',
    project_usage: 'delete select',
    projects: 'select(created_at, deleted_at, id, resumed_at, suspended_at)',
    refresh_tokens: 'delete select',
    request_counters: 'delete select(counted_at, process)',
    sessions: 'delete select',
    signing_keys: 'delete insert select update(private_key, published_until)',
    sso_assertions: 'delete select',
    sso_codes: 'delete select',
    sso_logins: 'delete select',
    stream_tickets: 'delete select',
    webhook_deliveries: 'delete select',
    webhook_stats: 'delete select',
  },
  webhooks: {
    events: 'select',
    installation: 'select(held_since)',
    outbox: 'select(created_at, id, kind, project_id, retry_at)',
    projects: 'select(deleted_at, id, suspended_at)',
    webhook_attempts: 'insert',
    webhook_deliveries:
      'select update(attempts, due_at, finished_at, is_retry, last_error, last_status, lease_token, lease_until, state, step)',
    webhook_endpoints:
      'select update(blocked_until, failing_announced, failing_since, lane, tokens, tokens_at)',
    webhook_stats: 'insert select update',
  },
  auditor: {
    accepted_differences: 'select(amount_minor, currency, id, member_id, project_id)',
    bill_lines: 'select(amount_minor, bill_id, given_back_minor, id, kind, project_id, source_line_id)',
    bill_refund_lines: 'select(amount_minor, id, line_id, project_id, refund_id)',
    bill_refunds: 'select(amount_minor, bill_id, destination, id, payment_refund_id, project_id, status)',
    bills: 'select(currency, id, member_id, payment_id, project_id, status, subscription_id, total_minor)',
    credit_balances: 'select(amount_minor, currency, id, member_id, project_id)',
    credit_entries: 'select(amount_minor, bill_id, currency, id, kind, member_id, project_id)',
    discounts: 'select(id, max_uses_per_member, project_id)',
    grants:
      'select(course_id, expires_at, features, id, member_id, plan_id, project_id, source_type, starts_at)',
    members: 'select(anonymized_at, deleted_at, id, project_id)',
    mrr_changes: 'select(amount_minor, currency, id, project_id, subscription_id)',
    orders:
      'select(currency, discount_id, id, member_id, paid_minor, payment_id, project_id, refunded_minor, status)',
    payments:
      'select(account_id, amount_minor, created_at, currency, failure, id, member_id, project_id, provider_reference, purpose, purpose_id, refunded_minor, status)',
    plan_trials: 'select(id, member_id, plan_id, project_id)',
    plan_versions: 'select(currency, interval, interval_count, plan_id, price_minor, project_id, version)',
    plans: 'select(id, project_id, trial_days, visibility)',
    projects: 'select(environment, id, live_id)',
    refunds: 'select(amount_minor, id, payment_id, project_id, status)',
    schema_migrations: 'select(applied_at, name)',
    subscription_moves: 'select(actor_kind, event, id, project_id, subscription_id)',
    subscriptions:
      'select(id, member_id, plan_id, plan_version, project_id, status, suspended_at, trial_plan_id)',
  },
}

/** Tables that belong to no project, with the reason. */
export const SHARED_TABLES: Readonly<Record<string, string>> = {
  project_acts: 'what operators did with projects; it outlives them',
  project_removals: 'what was removed of deleted projects; it outlives them',
  project_usage: 'what each side of a project has used; it outlives the project',
  request_counters: 'how far each process has counted requests',
  project_keys: 'keys of projects, wrapped by SECRET_KEY; every process reads those of all projects',
  projects: 'a row is a project; it is seen by itself alone',
  installation: 'one row about the installation; processes compare the fingerprint of their key with it',
  signing_keys: 'one set per installation; the role that serves requests cannot reach it',
  schema_migrations: 'about the database, not about any project; no role reaches it',
}
