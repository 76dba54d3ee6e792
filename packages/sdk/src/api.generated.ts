// Made by `node infra/sdk/main.ts` of the API's document: do not edit it. `npm run check` compares it.
import type { Options, Pages } from './calls.ts'

/** One of the known words, or one that a newer API has. */
export type Open<Words extends string> = Words | (string & {})

/** Send `token`, or send `email` and `code` */
export interface AcceptInvitation {
  /** The `token` of the link in the mail, or the `token` that our page added to `redirect_url` */
  token?: string | undefined
  /** The address; send it with `code`, and without `token` */
  email?: string | undefined
  /** The 6 digits in the mail */
  code?: string | undefined
  /** The random text from which your site made the `code_challenge`. It is required if the mail was requested with a `code_challenge` */
  code_verifier?: string | undefined
  /** Common passwords are refused */
  password?: string | undefined
  /** The full name */
  full_name?: string | undefined
}
export interface Address {
  /** The name */
  name?: string
  /** The company */
  company?: string
  /** The street and the number */
  line1?: string
  /** The rest of the street address */
  line2?: string
  /** The postal code */
  postal_code?: string
  /** The city */
  city?: string
  /** The state or the region */
  region?: string
  /** The country: an ISO 3166 code */
  country?: string
  /** The telephone number */
  phone?: string
}
export interface AnalyticsDateRange {
  /** The first day or moment. Default: 30 days before the end */
  start_date?: string | undefined
  /** The last day or moment; a day is included as a whole. Default: today */
  end_date?: string | undefined
}
export interface AnalyticsFilter {
  /** The dimension that is compared */
  dimension: string
  /** `matches` takes the wildcards `*` and `**`. Default: `is` */
  operator?: AnalyticsFilterOperator | undefined
  /** The values */
  values: string[]
}
export type AnalyticsFilterOperator = 'is' | 'is_not' | 'contains' | 'not_contains' | 'matches'
export interface AnalyticsOrder {
  /** A metric or a dimension of this query */
  field: string
  /** Default: `desc` */
  direction?: AnalyticsOrderDirection | undefined
}
export type AnalyticsOrderDirection = 'asc' | 'desc'
export interface AnalyticsPoint {
  /** When it begins */
  start: string
  /** Visitors; for several days the sum of the visitors of each day */
  visitors?: number
  /** Visits: series of events of one visitor without a gap of 30 minutes */
  visits?: number
  /** Page views */
  pageviews?: number
  /** Custom events */
  events?: number
  /** Percent of visits with one page view and no event */
  bounce_rate?: number
  /** Average seconds from the first to the last event of a visit */
  visit_duration?: number
  /** Average number of page views of a visit */
  views_per_visit?: number
  /** Events that count for a goal */
  conversions?: number
  /** Percent of visitors who reached a goal */
  conversion_rate?: number
  /** Members, each counted once over the whole range */
  members?: number
}
export interface AnalyticsQuery {
  /** The numbers that are asked for */
  metrics: AnalyticsQueryMetric[]
  /** Up to three dimensions of breakdowns, and one of `time:hour`, `time:day`, `time:week` and `time:month` */
  dimensions?: string[] | undefined
  /** The conditions that every counted event fits */
  filters?: AnalyticsFilter[] | undefined
  /** The days or moments that are counted */
  date_range?: AnalyticsDateRange | undefined
  /** The IANA time zone of the dates. Default: the time zone of the project */
  timezone?: string | undefined
  /** How the rows are sorted */
  order_by?: AnalyticsOrder[] | undefined
  /** Also returns the values of the previous period of equal length */
  compare?: 'previous' | undefined
  /** The goal whose conversions are counted. Default: all goals */
  goal?: string | undefined
  /** Whether bots are counted. Default: `exclude` */
  bots?: BotFilter | undefined
  /** The largest number of groups in the answer. Default: 100 */
  limit?: number | undefined
}
export type AnalyticsQueryMetric = 'visitors' | 'visits' | 'pageviews' | 'events' | 'bounce_rate' | 'visit_duration' | 'views_per_visit' | 'conversions' | 'conversion_rate' | 'members'
export interface AnalyticsQueryRow {
  /** The value of each dimension; for a time dimension the start of the interval */
  dimensions: Record<string, string | null>
  /** The numbers that are asked for */
  metrics: Metrics
  /** The same of the time before */
  previous?: Metrics
}
export interface AnalyticsStats {
  /** Visitors; for several days the sum of the visitors of each day */
  visitors?: number
  /** Visits: series of events of one visitor without a gap of 30 minutes */
  visits?: number
  /** Page views */
  pageviews?: number
  /** Custom events */
  events?: number
  /** Percent of visits with one page view and no event */
  bounce_rate?: number
  /** Average seconds from the first to the last event of a visit */
  visit_duration?: number
  /** Average number of page views of a visit */
  views_per_visit?: number
  /** Events that count for a goal */
  conversions?: number
  /** Percent of visitors who reached a goal */
  conversion_rate?: number
  /** Members, each counted once over the whole range */
  members?: number
  /** The same of the time before */
  previous?: Metrics
}
export interface AnalyticsTimeseries {
  /** The length of each step */
  interval: Open<AnalyticsTimeseriesInterval>
  /** The IANA time zone of the dates */
  timezone: string
  /** The points */
  points: AnalyticsPoint[]
  /** The values of the previous period */
  previous?: AnalyticsPoint[]
}
export type AnalyticsTimeseriesInterval = 'hour' | 'day' | 'week' | 'month'
export interface Answer {
  /** The id of a comment */
  comment_id: string | null
}
export interface ApiKey {
  /** The id of an API key */
  id: string
  /** The name */
  name: string
  /** The type */
  type: Open<ApiKeyType>
  /** The first characters of the key */
  prefix: string
  /** The permissions of a secret key; empty for a public key */
  permissions?: string[]
  /** The capabilities of a public key; empty for a secret key */
  capabilities?: string[]
  /** Addresses and ranges that may use the key; empty: every address may */
  allowed_ips: string[]
  /** Origins that may use the key; empty: the allowed origins of the project */
  allowed_origins: string[]
  /** The member or user that created it; null if unknown */
  created_by: string | null
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string | null
  /** When it was revoked; null if it was not */
  revoked_at: string | null
  /** Updated every few seconds while the key is used */
  last_used_at: string | null
}
export interface ApiKeyCreatedEvent {
  /** The type */
  type: 'api_key.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an API key */
    id: string
    /** The name */
    name: string
    /** The type */
    type: Open<ApiKeyType>
    /** The first characters of the key */
    prefix: string
  }
}
export interface ApiKeyRevokedEvent {
  /** The type */
  type: 'api_key.revoked'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an API key */
    id: string
    /** The name */
    name: string
    /** The type */
    type: Open<ApiKeyType>
    /** The first characters of the key */
    prefix: string
  }
}
export interface ApiKeyRotatedEvent {
  /** The type */
  type: 'api_key.rotated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an API key */
    id: string
    /** The name */
    name: string
    /** The type */
    type: Open<ApiKeyType>
    /** The first characters of the key */
    prefix: string
  }
}
export type ApiKeyType = 'public' | 'secret'
export interface Appeal {
  /** The id of an appeal */
  id: string
  /** The words of the author for the moderators */
  text: string
  /** When it was created */
  created_at: string
  /** The id of a case */
  case_id: string
  /** The id of the discussion, item of feedback or comment */
  target_id: string
}
export interface AppealCreatedEvent {
  /** The type */
  type: 'appeal.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an appeal */
    id: string
    /** The id of a case */
    case_id: string
    /** The id of the discussion, item of feedback or comment */
    target_id: string
    /** The author of the post */
    author_id: string
  }
}
export type AppealDecidedDataDecision = 'upheld' | 'overturned'
export interface AppealDecidedEvent {
  /** The type */
  type: 'appeal.decided'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an appeal */
    id: string
    /** The id of a case */
    case_id: string
    /** The id of the discussion, item of feedback or comment */
    target_id: string
    /** The author of the post */
    author_id: string
    /** The decision */
    decision: Open<AppealDecidedDataDecision>
    /** Why */
    reason: string | null
    /** The id of the member or key that decided */
    decided_by: string | null
  }
}
export interface Approval {
  /** Why */
  reason?: string | undefined
}
export interface Article {
  /** The id of an article */
  id: string
  /** The id of a category of the help center */
  category_id: string | null
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The title */
  title: string
  /** The language of this title and content */
  locale: string
  /** The language in which the article was written */
  original_locale: string
  /** All languages of the article */
  locales: string[]
  /** True if this is a translation of an earlier version of the article */
  is_outdated: boolean
  /** Labels; articles with the same labels are related */
  labels: string[]
  /** `public`: everybody can read it; `members`: only members; `internal`: only secret keys */
  visibility: Open<ArticleVisibility>
  /** A reader must be on one of these plans; empty: no plan is needed. Only secret keys see plans here that are not public */
  required_plans: string[]
  /** The status */
  status: Open<ArticleStatus>
  /** The published version; 0 if the article was never published */
  version: number
  /** The number of readers who found the article helpful */
  helpful_count: number
  /** The number of readers who did not find the article helpful */
  unhelpful_count: number
  /** When it was published; null until then */
  published_at: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Markdown */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** Only for secret keys: the draft, if it is not published yet; null: there are no changes to publish */
  draft?: ArticleDraft | null
}
export interface ArticleArchivedEvent {
  /** The type */
  type: 'article.archived'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ArticleSummary
}
export interface ArticleChanges {
  /** The title */
  title?: string | undefined
  /** Markdown */
  content?: string | undefined
  /** The id of a category of the help center */
  category_id?: string | null | undefined
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** Labels; articles with the same labels are related */
  labels?: string[] | undefined
  /** `public`: everybody can read it; `members`: only members; `internal`: only secret keys */
  visibility?: ArticleVisibility | undefined
  /** A reader must be on one of these plans; empty: no plan is needed */
  required_plans?: string[] | undefined
}
export interface ArticleDeletedEvent {
  /** The type */
  type: 'article.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an article */
    id: string
  }
}
export interface ArticleDraft {
  /** The title */
  title: string
  /** Markdown */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
}
export interface ArticlePublishedEvent {
  /** The type */
  type: 'article.published'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ArticleSummary
}
export type ArticleStatus = 'draft' | 'published' | 'archived'
export interface ArticleSummary {
  /** The id of an article */
  id: string
  /** The id of a category of the help center */
  category_id: string | null
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The title */
  title: string
  /** The language of this title and content */
  locale: string
  /** The language in which the article was written */
  original_locale: string
  /** All languages of the article */
  locales: string[]
  /** True if this is a translation of an earlier version of the article */
  is_outdated: boolean
  /** Labels; articles with the same labels are related */
  labels: string[]
  /** `public`: everybody can read it; `members`: only members; `internal`: only secret keys */
  visibility: Open<ArticleVisibility>
  /** A reader must be on one of these plans; empty: no plan is needed. Only secret keys see plans here that are not public */
  required_plans: string[]
  /** The status */
  status: Open<ArticleStatus>
  /** The published version; 0 if the article was never published */
  version: number
  /** The number of readers who found the article helpful */
  helpful_count: number
  /** The number of readers who did not find the article helpful */
  unhelpful_count: number
  /** When it was published; null until then */
  published_at: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface ArticleUpdatedEvent {
  /** The type */
  type: 'article.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ArticleSummary
}
export interface ArticleVersion {
  /** The number of the version, from 1 */
  version: number
  /** The title */
  title: string
  /** Markdown */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** When the version was published */
  created_at: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
}
export type ArticleVisibility = 'public' | 'members' | 'internal'
export type AscendingOrder = 'asc' | 'desc'
export interface AskedQuestion {
  /** An id that you choose. The questions of a quiz have different ids */
  id: string
  /** The type */
  type: Open<AskedQuestionType>
  /** The text */
  text: string
  /** The points for a correct answer */
  points: number
  /** The options */
  options?: {
    /** An id that you choose. The options of a question have different ids */
    id: string
    /** The text */
    text: string
  }[]
}
export type AskedQuestionType = 'single' | 'multiple' | 'text' | 'number'
export interface Attempt {
  /** The id of an attempt at a quiz */
  id: string
  /** The id of a quiz */
  quiz_id: string
  /** The id of a lesson */
  lesson_id: string
  /** The id of an enrollment */
  enrollment_id: string
  /** The id of the member who learns */
  student_id: string
  /** The number of the attempt, counted for each member */
  number: number
  /** `expired`: the time ended before the attempt was submitted */
  status: Open<AttemptStatus>
  /** When it began */
  started_at: string
  /** When the time of the attempt ends; answers up to 5 seconds later are accepted */
  expires_at: string | null
  /** Null until the attempt is submitted */
  submitted_at: string | null
  /** The questions */
  questions: AskedQuestion[]
  /** Null until the attempt is submitted */
  result: QuizResult | null
}
export type AttemptStatus = 'in_progress' | 'submitted' | 'expired'
export interface AuthUnderAttackEvent {
  /** The type */
  type: 'auth.under_attack'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of the project */
    id: string
    /** The number of wrong codes in the last ten minutes. The real number can be greater */
    wrong_codes: number
    /** How many codes are checked per minute until this ends */
    codes_per_minute: number
  }
}
export interface Author {
  /** The id of a member */
  id: string
  /** The chosen name. Without one it is "Member" and four letters of the id, or the full name if the project shows full names. "Former member" if the member was deleted */
  display_name: string
  /** The address of the picture. The address of an uploaded picture works for an hour or longer; read the profile again after that */
  avatar_url: string | null
  /** The role and the plan of the member. The role `member` and the default plan have no badge */
  badges: Badge[]
}
export interface Badge {
  /** The kind of the badge */
  kind: Open<BadgeKind>
  /** The role, or the name of the plan */
  name: string
}
export type BadgeKind = 'role' | 'plan'
export interface Batch {
  /** The events, or how many there are */
  events: BatchItem[]
}
export interface BatchItem {
  /** An event needs `event`, a page view needs `url`. Default: `event` */
  type?: BatchItemType | undefined
  /** The name of the event */
  event?: string | undefined
  /** The address of the page. The query is not stored, except for campaign tags (`utm_*`) */
  url?: string | undefined
  /** The title */
  title?: string | undefined
  /** The size of the screen */
  screen?: string | undefined
  /** The address of the previous page, as the browser sends it */
  referrer?: string | undefined
  /** Free-form data: at most 50 keys, 16 KiB and 5 levels */
  properties?: Record<string, unknown> | undefined
  /** The member who caused the event. With a token it must be the member of the token; with a public key it is not allowed */
  user_id?: string | undefined
  /** An id that you choose for the session */
  session_id?: string | undefined
  /** An id that you choose for the event. A second event with the same id within 8 days is not stored */
  event_id?: string | undefined
  /** When the event happened: at most 7 days ago and at most 5 minutes ahead. Default: now */
  timestamp?: string | undefined
  /** The IP address of your visitor; allowed with a secret key only. It gives the country, is hashed, and is never stored */
  ip?: string | undefined
  /** The user agent of your visitor; allowed with a secret key only. It is read and never stored */
  user_agent?: string | undefined
  /** Another name of `user_id` */
  member_id?: string | undefined
}
export interface BatchItemResult {
  /** `duplicate`: an event with this `event_id` is stored already; `ignored`: the visitor asks not to be tracked, and the project respects that */
  status: Open<BatchItemResultStatus>
  /** Why the event was rejected; absent otherwise */
  code?: string
  /** The field */
  field?: string
  /** Why it failed */
  error?: string
}
export type BatchItemResultStatus = 'accepted' | 'duplicate' | 'ignored' | 'rejected'
export type BatchItemType = 'event' | 'pageview'
export interface BeginAttemptRequest {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface BeginPasskeyLoginRequest {
  /** The domain of the passkey. It must be the domain of a page in the allowed redirect URLs and origins of the project, or a parent domain. Default: the domain of the page that sends the request */
  rp_id?: string | undefined
}
export interface BeginPasskeyRequest {
  /** The domain of the passkey. It must be the domain of a page in the allowed redirect URLs and origins of the project, or a parent domain. Default: the domain of the page that sends the request */
  rp_id?: string | undefined
}
export interface BeginTotpRequest {
  /** The name */
  name?: string | undefined
}
export interface BegunFactor {
  /** The id */
  id: string
  /** An authenticator app, or a passkey */
  type: Open<FactorType>
  /** The name */
  name: string
  /** The secret in Base32; it is shown only in this answer */
  secret: string
  /** The secret as a URI; show it as a QR code */
  uri: string
}
export interface Bill {
  /** The id of a bill */
  id: string
  /** The number of the bill in the project; numbers have no gaps */
  number: number
  /** The id of the subscription */
  subscription_id: string
  /** The id of a member */
  member_id: string
  /** `void`: nobody has to pay it; `uncollectible`: nobody paid it in time, and a late payment is still accepted */
  status: Open<BillStatus>
  /** `first`: the subscription begins when this bill is paid; `renewal`: the bill of a further period; `change`: the bill of a change of plan */
  reason: Open<BillReason>
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The total is the sum of the lines */
  lines: BillLine[]
  /** The sum */
  total: number
  /** The amount that was refunded to the payer or to credit, refunds under way included */
  amount_refunded: number
  /** When it is due */
  due_at: string
  /** When it was paid; null until then */
  paid_at: string | null
  /** When it was created */
  created_at: string
  /** The refunds of the bill, earliest first */
  refunds: BillRefund[]
  /** The payments of the bill, earliest first */
  payments: Payment[]
}
export interface BillCreatedEvent {
  /** The type */
  type: 'bill.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: BillData
}
export interface BillData {
  /** The id of a bill */
  id: string
  /** The number of the bill in the project; numbers have no gaps */
  number: number
  /** The id of the subscription */
  subscription_id: string
  /** The id of a member */
  member_id: string
  /** `void`: nobody has to pay it; `uncollectible`: nobody paid it in time, and a late payment is still accepted */
  status: Open<BillStatus>
  /** `first`: the subscription begins when this bill is paid; `renewal`: the bill of a further period; `change`: the bill of a change of plan */
  reason: Open<BillReason>
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The total is the sum of the lines */
  lines: BillLine[]
  /** The sum */
  total: number
  /** The amount that was refunded to the payer or to credit, refunds under way included */
  amount_refunded: number
  /** When it is due */
  due_at: string
  /** When it was paid; null until then */
  paid_at: string | null
  /** When it was created */
  created_at: string
}
export interface BillDisputedEvent {
  /** The type */
  type: 'bill.disputed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Bill
}
export interface BillDraftLine {
  /** `credit`: credit that the member had, or credit that is kept for the next bill */
  kind: Open<BillDraftLineKind>
  /** A text of some sentences */
  description: string
  /** The id of a plan */
  plan_id: string | null
  /** When the period begins */
  period_start: string | null
  /** When the period ends */
  period_end: string | null
  /** Negative if the line reduces the bill */
  amount: number
}
export type BillDraftLineKind = 'period' | 'proration' | 'credit'
export interface BillLine {
  /** The id of a line of a bill */
  id: string
  /** `credit`: credit that the member had, or credit that is kept for the next bill */
  kind: Open<BillLineKind>
  /** A text of some sentences */
  description: string
  /** The id of a plan */
  plan_id: string | null
  /** When the period begins */
  period_start: string | null
  /** When the period ends */
  period_end: string | null
  /** Negative if the line reduces the bill */
  amount: number
}
export type BillLineKind = 'period' | 'proration' | 'credit'
export interface BillPaidEvent {
  /** The type */
  type: 'bill.paid'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: BillData
}
export type BillReason = 'first' | 'renewal' | 'change'
export interface BillRefund {
  /** The id of a refund */
  id: string
  /** The amount, in the currency beside it */
  amount: number
  /** `payment`: the money goes back to its payer; `credit`: the member has it for the next bills */
  to: Open<BillRefundTo>
  /** `failed`: the payer does not have the money, so that it can be refunded again */
  status: Open<BillRefundStatus>
  /** `request`: with this API; `provider`: an operator refunded it there; `dispute`: a bank gave it back */
  cause: Open<BillRefundCause>
  /** The refunded amount of each line of the bill */
  lines: {
    /** The id of a line of a bill */
    id: string
    /** The amount, in the currency beside it */
    amount: number
  }[]
  /** Why */
  reason: string | null
  /** When it was created */
  created_at: string
}
export type BillRefundCause = 'request' | 'provider' | 'dispute'
export type BillRefundStatus = 'pending' | 'succeeded' | 'failed'
export type BillRefundTo = 'payment' | 'credit'
export type BillSort = 'created_at' | 'number'
export type BillStatus = 'open' | 'paid' | 'void' | 'uncollectible'
export interface BillUncollectibleEvent {
  /** The type */
  type: 'bill.uncollectible'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: BillData
}
export interface BillVoidedEvent {
  /** The type */
  type: 'bill.voided'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: BillData
}
export interface Blocker {
  /** The id of a lesson */
  lesson_id: string | null
  /** The title */
  title: string | null
  /** The type */
  type: Open<BlockerType> | null
  /** The rule of its completion */
  completion_rule: Open<BlockerCompletionRule> | null
  /** Whole percent, rounded down */
  progress_percentage: number
  /** When it opens */
  opens_at: string | null
  /** `no_lessons`: the course has no lessons; `quiz_missing`: the lesson has no quiz to pass */
  reason: Open<BlockerReason>
}
export type BlockerCompletionRule = 'view' | 'percent' | 'quiz' | 'manual'
export type BlockerReason = 'not_open_yet' | 'not_started' | 'in_progress' | 'quiz_not_passed' | 'quiz_missing' | 'no_lessons'
export type BlockerType = 'video' | 'text' | 'quiz' | 'file'
export type BotFilter = 'exclude' | 'include' | 'only'
export interface BreakdownItem {
  /** The value */
  value: string
  /** Visitors; for several days the sum of the visitors of each day */
  visitors?: number
  /** Visits: series of events of one visitor without a gap of 30 minutes */
  visits?: number
  /** Page views */
  pageviews?: number
  /** Custom events */
  events?: number
  /** Percent of visits with one page view and no event */
  bounce_rate?: number
  /** Average seconds from the first to the last event of a visit */
  visit_duration?: number
  /** Average number of page views of a visit */
  views_per_visit?: number
  /** Events that count for a goal */
  conversions?: number
  /** Percent of visitors who reached a goal */
  conversion_rate?: number
  /** Members, each counted once over the whole range */
  members?: number
}
export interface BulkDecided {
  /** How many succeeded */
  succeeded: number
  /** How many failed */
  failed: number
  /** One result for each operation, in the same order */
  results: {
    /** The id of a case */
    id: string
    /** Whether it was done */
    success: boolean
    /** Why the operation failed; absent if it succeeded */
    error?: string
    /** The code of the error; absent if it succeeded */
    code?: string
  }[]
}
export interface BulkDecision {
  /** The id of a case */
  id: string
  /** What is decided */
  action: BulkDecisionAction
  /** Why, in words for the author. `remove` needs it */
  reason?: string | undefined
}
export type BulkDecisionAction = 'approve' | 'remove'
export interface BulkDecisions {
  /** The operations, in their order */
  operations: BulkDecision[]
}
export interface BulkFeedback {
  /** The operations, in their order */
  operations: BulkFeedbackOperation[]
}
/** `set_status` needs `status` and can have `note` and `notify_voters`; `merge` needs `into` */
export interface BulkFeedbackOperation {
  /** The id of a feedback item */
  id: string
  /** The act, which is done as by its own request */
  action: BulkFeedbackOperationAction
  /** The status */
  status?: BulkFeedbackOperationStatus | undefined
  /** A note on the status in plain text. It is shown with the status, sent in mails, and shown in the changelog */
  note?: string | undefined
  /** True sends a mail to the voters. Default: true if the status changes */
  notify_voters?: boolean | undefined
  /** The item that this item duplicates; null: it is no longer a duplicate */
  into?: string | null | undefined
}
export type BulkFeedbackOperationAction = 'set_status' | 'merge' | 'delete'
export type BulkFeedbackOperationStatus = 'new' | 'under_review' | 'planned' | 'in_progress' | 'done' | 'declined'
export interface BulkFeedbackResult {
  /** How many succeeded */
  succeeded: number
  /** How many failed */
  failed: number
  /** One result for each operation, in the same order */
  results: {
    /** The id of a feedback item */
    id: string
    /** Whether it was done */
    success: boolean
    /** Why the operation failed; absent if it succeeded */
    error?: string
    /** The code of the error; absent if it succeeded */
    code?: string
  }[]
}
/** `update` needs `visibility` */
export interface BulkFileOperation {
  /** The id of a file */
  id: string
  /** The act, which is done as by its own request */
  action: BulkFileOperationAction
  /** The new visibility; `update` needs it */
  visibility?: BulkFileOperationVisibility | undefined
}
export type BulkFileOperationAction = 'update' | 'delete'
export type BulkFileOperationVisibility = 'private' | 'public'
export interface BulkFiles {
  /** The operations, in their order */
  operations: BulkFileOperation[]
}
export interface BulkFilesResult {
  /** How many succeeded */
  succeeded: number
  /** How many failed */
  failed: number
  /** One result for each operation, in the same order */
  results: {
    /** The id of a file */
    id: string
    /** Whether it was done */
    success: boolean
    /** Why the operation failed; absent if it succeeded */
    error?: string
    /** The code of the error; absent if it succeeded */
    code?: string
  }[]
}
/** `update` needs `changes`; `delete` can have `mode` */
export interface BulkOperation {
  /** `invite` sends a member who has never logged in and has no password the mail of the invitation again, with a new link, or a first one */
  action: BulkOperationAction
  /** The id of a member */
  id: string
  /** The fields that change, with their new values */
  changes?: MemberChanges | undefined
  /** Only for the action `delete`. Default: `soft` */
  mode?: BulkOperationMode | undefined
}
export type BulkOperationAction = 'update' | 'delete' | 'invite'
export type BulkOperationMode = 'soft' | 'anonymize'
/** `fulfill` can have `tracking_number` and `tracking_url`; `cancel` can have `reason` */
export interface BulkOrderOperation {
  /** The id of an order */
  id: string
  /** The act, which is done as by its own request */
  action: BulkOrderOperationAction
  /** The number of the parcel */
  tracking_number?: string | undefined
  /** The address of the page that follows the parcel */
  tracking_url?: string | undefined
  /** Why */
  reason?: string | undefined
}
export type BulkOrderOperationAction = 'fulfill' | 'complete' | 'cancel'
export interface BulkOrders {
  /** The operations, in their order */
  operations: BulkOrderOperation[]
}
export interface BulkOrdersResult {
  /** How many succeeded */
  succeeded: number
  /** How many failed */
  failed: number
  /** One result for each operation, in the same order */
  results: {
    /** The id of an order */
    id: string
    /** Whether it was done */
    success: boolean
    /** Why the operation failed; absent if it succeeded */
    error?: string
    /** The code of the error; absent if it succeeded */
    code?: string
  }[]
}
export interface BulkRequest {
  /** The operations, in their order */
  operations: BulkOperation[]
}
export interface BulkResult {
  /** How many succeeded */
  succeeded: number
  /** How many failed */
  failed: number
  /** One result for each operation, in the same order */
  results: {
    /** The id of a member */
    id: string
    /** Whether it was done */
    success: boolean
    /** Why the operation failed; absent if it succeeded */
    error?: string
    /** The code of the error; absent if it succeeded */
    code?: string
  }[]
}
export interface Caption {
  /** The id of a file */
  id: string
  /** The name */
  name: string
  /** The content type, such as `video/mp4` */
  content_type: string
  /** The size in bytes */
  size: number
  /** This URL reads the file for an hour */
  url: string
  /** The language as a BCP 47 tag */
  language: string
  /** The words that people see */
  label: string
}
export interface Cart {
  /** The lines */
  lines: CartLine[]
  /** The currency: an ISO 4217 code in lower case */
  currency: string | null
  /** Null if the cart has no discount */
  discount: {
    /** The code that customers enter; upper and lower case are the same */
    code: string
    /** The amount that the discount takes off */
    amount: number
  } | null
  /** The price before the discount */
  subtotal: number
  /** The tax that the total includes */
  tax: number
  /** The amount to pay */
  total: number
  /** The changes since items were added, and the faults that prevent checkout */
  faults: {
    /** The id of a cart item */
    item_id: string | null
    /** The fault */
    fault: Open<CartFaultFault>
    /** A sentence for people */
    message: string
  }[]
}
export interface CartDiscount {
  /** The code */
  code: string
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export type CartFaultFault = 'price_changed' | 'out_of_stock' | 'unavailable' | 'currency_changed' | 'discount_invalid' | 'amount_too_small'
export interface CartItem {
  /** The id of a cart item */
  id: string
  /** The id of a product */
  product_id: string
  /** How many */
  quantity: number
  /** When it was created */
  created_at: string
}
export interface CartItemChange {
  /** How many */
  quantity: number
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface CartLine {
  /** The id of a cart item */
  id: string
  /** The id of a product */
  product_id: string
  /** The id of a variant */
  variant_id: string | null
  /** The name */
  name: string
  /** The name of the variant; null without one */
  variant_name: string
  /** The number in stock keeping; null without one */
  sku: string | null
  /** How many */
  quantity: number
  /** The price of one unit in the currency, with at most as many decimals as the currency has; tax is included */
  price: number
  /** The amount that the discount takes off */
  discount: number
  /** The sum */
  total: number
  /** When it was created */
  created_at: string
}
export interface CaseAppeal {
  /** The id of an appeal */
  id: string
  /** The words of the author for the moderators */
  text: string
  /** When it was created */
  created_at: string
  /** `upheld`: the post is or stays removed; `overturned`: the post is shown; null until a moderator decides */
  decision: Open<CaseAppealDecision> | null
  /** When it was decided; null until then */
  decided_at: string | null
}
export type CaseAppealDecision = 'upheld' | 'overturned'
export type CaseDecision = 'approved' | 'removed'
export type CaseHeldBy = 'words' | 'links' | 'rate' | 'age' | 'duplicates' | 'hook'
export type CaseInclude = 'author' | 'attachments'
export type CaseKind = 'reported' | 'held'
export type CaseOrder = 'asc' | 'desc'
export type CaseSort = 'age' | 'weight'
export type CaseStatus = 'visible' | 'pending' | 'removed'
export interface Certificate {
  /** The id of a certificate */
  id: string
  /** The id of a course */
  course_id: string
  /** The id of an enrollment */
  enrollment_id: string | null
  /** The id of the member who learns */
  student_id: string
  /** The name on the day of the certificate; empty after the data of the member was erased */
  student_name: string
  /** The title of the course */
  course_title: string
  /** The code to verify the certificate: 80 random bits */
  code: string
  /** When it was issued */
  issued_at: string
  /** Null if the certificate was not revoked */
  revoked_at: string | null
  /** The id of the certificate that replaces this one; null if none does */
  replaced_by: string | null
}
export interface CertificateIssuedEvent {
  /** The type */
  type: 'certificate.issued'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Certificate
}
export interface CertificateReplacedEvent {
  /** The type */
  type: 'certificate.replaced'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Certificate
}
export interface CertificateRevokedEvent {
  /** The type */
  type: 'certificate.revoked'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Certificate
}
export interface ChangePassword {
  /** The present password */
  current_password: string
  /** Common passwords are refused */
  password: string
}
export interface ChangePreview {
  /** The id of this preview: send it to make the change at this price */
  preview_id: string
  /** The id of a plan */
  plan_id: string
  /** When the change takes effect */
  when: Open<ChangePreviewWhen>
  /** `when_paid`: the provider charges the amount first */
  takes_effect: Open<ChangePreviewTakesEffect>
  /** When the change takes effect: now, or at the end of the period */
  date: string
  /** The rank of the new plan, compared with the present plan. Without `when`, only a change to a higher rank takes effect now. Every other change waits for the end of the period */
  rank: Open<ChangePreviewRank>
  /** The amount is the sum of the lines */
  lines: BillDraftLine[]
  /** The exact amount that the change will charge */
  amount: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The bill of the next period after the change; null: none follows */
  next_bill: NextBill | null
  /** A change with this preview charges this amount until this time */
  expires_at: string
}
export type ChangePreviewRank = 'higher' | 'lower' | 'equal'
export type ChangePreviewTakesEffect = 'now' | 'when_paid' | 'period_end'
export type ChangePreviewWhen = 'now' | 'period_end'
export interface ChangedDiscussion {
  /** The id of a discussion */
  id: string
  /** The title */
  title: string
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** The id of a member */
  author_id: string
  /** The slug of a category */
  category: string
  /** How many members like it */
  likes: number
  /** When it was created */
  created_at: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The beginning of the text, without its format: at most 300 characters */
  excerpt: string
  /** The number of visible comments */
  comment_count: number
  /** The time of the newest comment, or of the creation of the discussion */
  last_activity_at: string
  /** Whether it is shown first */
  is_pinned: boolean
  /** True if new comments are refused */
  is_locked: boolean
  /** `pending` means that the discussion waits for a moderator */
  status: Open<DiscussionStatus>
  /** The id of a comment */
  answer_id: string | null
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was last changed */
  updated_at: string
  /** When the text was last edited; null if it never was */
  edited_at: string | null
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  viewer?: DiscussionViewer
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
  /** Only if this request created the category, because no category had the sent name */
  category_created?: true
}
export interface ChangedEntitlements {
  /** The id of a member */
  id: string
  /** The id of a member */
  member_id: string
  /** True while the status of the member is `active`; otherwise the member is entitled to nothing */
  active: boolean
  /** The plan of the member. It decides the limits and a part of the features */
  plan: {
    /** The id of a plan */
    id: string
    /** The name */
    name: string
    /** Lower-case words joined by hyphens; unique in the project */
    slug: string
    /** The order of plans: a change to a plan with a higher rank is an upgrade */
    rank: number
    /** The status */
    status: Open<EntitlementsPlanStatus>
    /** The source */
    source: {
      /** The source of the plan; `default`: nothing else gives a plan */
      type: Open<EntitlementsPlanSourceType>
      /** The subscription or the order line from which the grant comes; null if there is none */
      id: string | null
    }
    /** When the plan ends, with all grants of it that follow on one another; null: no planned end */
    ends_at: string | null
  }
  /** Keys of the features that the member has, by the plan and by grants; empty unless `active` */
  features: string[]
  /** The numbers and settings of the plan; empty unless `active` */
  limits: Record<string, unknown>
  /** All grants of the member, earliest first, with their source and end. The list includes grants of plans that are not the plan of the member, and grants that begin later: a pass that was bought again begins when the first one ends. */
  grants: Grant[]
}
export interface ChangelogEntry {
  /** The id of a feedback item */
  feedback_id: string
  /** The type of the item */
  type: Open<ChangelogEntryType>
  /** The title. It can mention members as `message` does */
  title?: string
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message: string
  /** A note on the status in plain text. It is shown with the status, sent in mails, and shown in the changelog */
  note: string | null
  /** The number of members who voted for the item or for an item that is merged into it; each member counts once */
  vote_count: number
  /** When the status became `done` */
  done_at: string
}
export type ChangelogEntryType = 'feedback' | 'bug' | 'feature' | 'question'
export interface Checkout {
  /** The addresses of delivery and of the bill */
  addresses?: {
    /** The address of the delivery */
    shipping?: {
      /** The name */
      name?: string | undefined
      /** The company */
      company?: string | undefined
      /** The street and the number */
      line1?: string | undefined
      /** The rest of the street address */
      line2?: string | undefined
      /** The postal code */
      postal_code?: string | undefined
      /** The city */
      city?: string | undefined
      /** The state or the region */
      region?: string | undefined
      /** The country: an ISO 3166 code */
      country?: string | undefined
      /** The telephone number */
      phone?: string | undefined
    } | undefined
    /** The address of the bill */
    billing?: {
      /** The name */
      name?: string | undefined
      /** The company */
      company?: string | undefined
      /** The street and the number */
      line1?: string | undefined
      /** The rest of the street address */
      line2?: string | undefined
      /** The postal code */
      postal_code?: string | undefined
      /** The city */
      city?: string | undefined
      /** The state or the region */
      region?: string | undefined
      /** The country: an ISO 3166 code */
      country?: string | undefined
      /** The telephone number */
      phone?: string | undefined
    } | undefined
  } | undefined
  /** A note in the words of its author */
  note?: string | undefined
  /** The account with which the order is paid. Default: the default account of the project */
  payment_account_id?: string | undefined
  /** Whether the provider saves the buyer's card for later purchases. Default: false. The cards of subscriptions do not change */
  save_payment_method?: boolean | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface Comment {
  /** The id of a comment */
  id: string
  /** The id of a discussion */
  discussion_id: string
  /** The id of a comment */
  parent_id: string | null
  /** Empty if the comment was removed, or is hidden from the reader */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The beginning of the text, without its format: at most 300 characters */
  excerpt: string
  /** The id of a member */
  author_id: string | null
  /** A removed comment stays at its place without its content. A hidden comment with replies stays in the same way. A comment that a moderator refused stays only for its author and for moderators */
  status: Open<CommentStatus>
  /** How many members like it */
  likes: number
  /** The number of replies that everybody sees */
  reply_count: number
  /** The ids of the files of the post */
  attachments: string[]
  /** When the comment was written. If it waited for a moderator: when the moderator approved it */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** When the text was last edited; null if it never was */
  edited_at: string | null
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  viewer?: CommentViewer
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
}
export interface CommentChanges {
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content?: string | undefined
  /** The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody */
  attachments?: string[] | undefined
}
export interface CommentCreatedEvent {
  /** The type */
  type: 'comment.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: CommentData
}
export interface CommentData {
  /** The id of a comment */
  id: string
  /** The id of a discussion */
  discussion_id: string
  /** The id of a comment */
  parent_id: string | null
  /** Empty if the comment was removed, or is hidden from the reader */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The beginning of the text, without its format: at most 300 characters */
  excerpt: string
  /** The id of a member */
  author_id: string | null
  /** A removed comment stays at its place without its content. A hidden comment with replies stays in the same way. A comment that a moderator refused stays only for its author and for moderators */
  status: Open<CommentStatus>
  /** How many members like it */
  likes: number
  /** The number of replies that everybody sees */
  reply_count: number
  /** The ids of the files of the post */
  attachments: string[]
  /** When the comment was written. If it waited for a moderator: when the moderator approved it */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** When the text was last edited; null if it never was */
  edited_at: string | null
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  viewer?: CommentViewer
}
export type CommentField = 'id' | 'discussion_id' | 'parent_id' | 'content' | 'content_html' | 'excerpt' | 'author_id' | 'status' | 'likes' | 'reply_count' | 'attachments' | 'created_at' | 'updated_at' | 'edited_at' | 'truncated' | 'viewer' | 'author' | 'files'
export type CommentInclude = 'author' | 'attachments'
export interface CommentRemovedEvent {
  /** The type */
  type: 'comment.removed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a comment */
    id: string
    /** The id of a discussion */
    discussion_id: string
    /** The id of a member */
    author_id: string
  }
}
export type CommentStatus = 'visible' | 'pending' | 'removed'
export interface CommentUpdatedEvent {
  /** The type */
  type: 'comment.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: CommentData
}
/** The comment, as the member of the token relates to it */
export interface CommentViewer {
  /** Whether the caller likes it */
  liked: boolean
  /** True if the member has muted the author; lists then leave out the content */
  muted: boolean
}
export interface CommentWithReplies {
  /** The id of a comment */
  id: string
  /** The id of a discussion */
  discussion_id: string
  /** The id of a comment */
  parent_id: string | null
  /** Empty if the comment was removed, or is hidden from the reader */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The beginning of the text, without its format: at most 300 characters */
  excerpt: string
  /** The id of a member */
  author_id: string | null
  /** A removed comment stays at its place without its content. A hidden comment with replies stays in the same way. A comment that a moderator refused stays only for its author and for moderators */
  status: Open<CommentStatus>
  /** How many members like it */
  likes: number
  /** The number of replies that everybody sees */
  reply_count: number
  /** The ids of the files of the post */
  attachments: string[]
  /** When the comment was written. If it waited for a moderator: when the moderator approved it */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** When the text was last edited; null if it never was */
  edited_at: string | null
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  viewer?: CommentViewer
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
  /** The first replies, the oldest first, down to the level `depth`; each names its `parent_id`. If the `reply_count` of a comment is greater than the number of replies here, `parent_id` lists all of them. Empty with `view=flat` */
  replies: Comment[]
}
export type CommentWithRepliesField = 'id' | 'discussion_id' | 'parent_id' | 'content' | 'content_html' | 'excerpt' | 'author_id' | 'status' | 'likes' | 'reply_count' | 'attachments' | 'created_at' | 'updated_at' | 'edited_at' | 'truncated' | 'viewer' | 'author' | 'files' | 'replies'
export type CommentWithRepliesSort = 'oldest' | 'newest' | 'top'
export type CommentWithRepliesView = 'tree' | 'flat'
export interface CommunityImport {
  /** The id of an import */
  id: string
  /** `failed`: the import has stopped; `error` says why. The rows that were created are kept */
  status: Open<CommunityImportStatus>
  /** Whether it is only tried: nothing is changed */
  dry_run: boolean
  /** The number of lines that are done */
  lines: number
  /** The number of lines that created something; in a dry run, that would create something */
  created: number
  /** The number of lines with faults */
  faulty: number
  /** Why the import failed */
  error: string | null
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
  /** The faults of the first faulty lines */
  faults: CommunityImportFault[]
  /** The ids of the file that were taken, with the new ids, and members who were found by their address: at most 500 entries */
  map: MovedId[]
  /** Send it as `map_after` for more of the map; null at its end */
  map_next: string | null
}
export interface CommunityImportFault {
  /** The number of the line, from 1 */
  line: number
  /** The type of the line */
  record: string
  /** The field; empty for the whole line */
  field: string
  /** The rule that is broken */
  rule: string
  /** A sentence for people */
  message: string
}
export interface CommunityImportProgress {
  /** The id of an import */
  id: string
  /** `failed`: the import has stopped; `error` says why. The rows that were created are kept */
  status: Open<CommunityImportStatus>
  /** Whether it is only tried: nothing is changed */
  dry_run: boolean
  /** The number of lines that are done */
  lines: number
  /** The number of lines that created something; in a dry run, that would create something */
  created: number
  /** The number of lines with faults */
  faulty: number
  /** Why the import failed */
  error: string | null
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
}
export type CommunityImportStatus = 'queued' | 'running' | 'completed' | 'failed'
export interface CommunityImportedEvent {
  /** The type */
  type: 'community.imported'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: CommunityImportProgress
}
export interface ConfirmTotpRequest {
  /** The id of a second factor */
  factor_id: string
  /** The current code of the authenticator app */
  code: string
}
export interface ConfirmedFactor {
  /** The second factor */
  factor: {
    /** The id */
    id: string
    /** An authenticator app, or a passkey */
    type: Open<ConfirmedFactorFactorType>
    /** The name */
    name: string
    /** When it was confirmed */
    confirmed_at: string | null
  }
  /** Codes for a member who loses the second factor; they are shown only in this answer. Empty if the member has codes already */
  recovery_codes: string[]
}
export type ConfirmedFactorFactorType = 'totp' | 'passkey'
export interface ContentManifest {
  /** The version, for `If-None-Match` */
  etag: string
  /** A JWS in compact form, `typ` `content-manifest+jws`, signed with a key of /.well-known/jwks.json */
  manifest: string
}
export interface ContentRuleCreatedEvent {
  /** The type */
  type: 'content_rule.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ProtectionRuleInFull
}
export interface ContentRuleDeletedEvent {
  /** The type */
  type: 'content_rule.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a rule */
    id: string
  }
}
export interface ContentRuleUpdatedEvent {
  /** The type */
  type: 'content_rule.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ProtectionRuleInFull
}
export interface Course {
  /** The id of a course */
  id: string
  /** The title */
  title: string
  /** A text of some sentences */
  description: string
  /** Absent if it is not set */
  thumbnail_url?: string
  /** The category */
  category: string
  /** The level of knowledge that the course expects */
  level: Open<CourseLevel>
  /** The duration of the course in hours */
  duration_hours: number
  /** The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves */
  price: number
  /** The number of members who are or were enrolled, without canceled enrollments */
  enrolled_count: number
  /** The mean of all ratings, with two decimals; 0 without ratings */
  rating: number
  /** The status */
  status: Open<CourseStatus>
  /** Present with `include=currency` */
  currency?: string
  /** Present with `include=created_at` */
  created_at?: string
}
export interface CourseChanges {
  /** The title */
  title?: string | undefined
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
  /** The id of a file */
  thumbnail_file_id?: string | null | undefined
  /** Null or an empty string removes the value */
  category?: string | null | undefined
  /** The level of knowledge that the course expects */
  level?: CourseLevel | undefined
  /** The duration of the course in hours */
  duration_hours?: number | undefined
  /** The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves */
  price?: number | undefined
  /** The currency: an ISO 4217 code in lower case */
  currency?: string | undefined
  /** Access ends this number of days after the enrollment; null: it does not end */
  access_days?: number | null | undefined
  /** The largest number of members who are enrolled and have not completed the course; null: no limit. A grant enrolls a member beyond this limit, because it was paid for */
  capacity?: number | null | undefined
  /** Courses that a member must complete first */
  prerequisites?: string[] | undefined
  /** True: a member who completes the course gets a certificate */
  certificates?: boolean | undefined
}
export interface CourseDetail {
  /** The id of a course */
  id: string
  /** The title */
  title: string
  /** A text of some sentences */
  description: string
  /** Absent if it is not set */
  thumbnail_url?: string
  /** The category */
  category: string
  /** The level of knowledge that the course expects */
  level: Open<CourseLevel>
  /** The duration of the course in hours */
  duration_hours: number
  /** The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves */
  price: number
  /** The number of members who are or were enrolled, without canceled enrollments */
  enrolled_count: number
  /** The mean of all ratings, with two decimals; 0 without ratings */
  rating: number
  /** The status */
  status: Open<CourseStatus>
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** When it was created */
  created_at: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The id of a file */
  thumbnail_file_id: string | null
  /** Access ends this number of days after the enrollment; null: it does not end */
  access_days: number | null
  /** The largest number of members who are enrolled and have not completed the course; null: no limit. A grant enrolls a member beyond this limit, because it was paid for */
  capacity: number | null
  /** Courses that a member must complete first */
  prerequisites: string[]
  /** True: a member who completes the course gets a certificate */
  certificates: boolean
  /** The number of ratings */
  rating_count: number
  /** When it was last changed */
  updated_at: string
  /** The modules, in their order */
  modules: OutlineModule[]
  /** The enrollment of the member */
  enrollment?: {
    /** The id of an enrollment */
    id: string
    /** The status */
    status: Open<CourseEnrollmentStatus>
    /** Whole percent, rounded down */
    progress_percentage: number
    /** When the enrollment began */
    enrolled_at: string
    /** When the access ends; null: it does not end */
    expires_at: string | null
    /** When the lesson was completed; null if it is not completed */
    completed_at: string | null
  } | null
}
export type CourseEnrollmentStatus = 'active' | 'completed' | 'expired' | 'canceled'
export type CourseInclude = 'currency' | 'created_at'
export type CourseLevel = 'beginner' | 'intermediate' | 'advanced'
export interface CourseModule {
  /** The id of a module */
  id: string
  /** The id of a course */
  course_id: string
  /** The title */
  title: string
  /** A text of some sentences */
  description: string
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface CoursePublishedEvent {
  /** The type */
  type: 'course.published'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FullCourse
}
export type CourseSort = 'created_at' | 'title'
export type CourseStatus = 'draft' | 'published' | 'archived'
export type CreateFeedbackInclude = 'title' | 'attachments'
export interface CreatedMember {
  /** The id of a member */
  id: string
  /** The email address */
  email: string
  /** `member`, `admin` or a role that you define */
  role: string
  /** The status */
  status: Open<MemberStatus>
  /** Free-form data */
  metadata: Record<string, unknown>
  /** When the member was created */
  joined_date: string
}
export interface CreditBalance {
  /** A currency: an ISO 4217 code in lower case */
  currency: string
  /** The sum of all entries in this currency. Below zero: the next bill charges it */
  amount: number
}
export interface CreditEntry {
  /** The id of an entry */
  id: string
  /** The id of a member */
  member_id: string
  /** A currency: an ISO 4217 code in lower case */
  currency: string
  /** An amount above zero is credit that the member got; an amount below zero is credit that was used, taken or is owed */
  amount: number
  /** `operator`: given or taken with POST; `carried_over`: the balance before there was a ledger; `line`: time that was paid for and given up; `refund`: a bill was refunded to credit; `used`: a bill used it; `owed`: too small to be charged, so a later bill charges it; `billed`: what was owed is on a bill; `returned`: a bill ended unpaid, or was reduced, and gave back what it had used; `taken_back`: money that had become credit went back to its payer */
  kind: Open<CreditEntryKind>
  /** The bill that made or used the credit */
  bill_id: string | null
  /** The paid line from which the credit comes */
  bill_line_id: string | null
  /** The refund of a bill from which the credit comes */
  refund_id: string | null
  /** Why an operator gave or took the credit */
  reason: string | null
  /** The actor who made the entry: `secret_key`, `member`, `operator` or `system` */
  by: string
  /** When it was created */
  created_at: string
}
export type CreditEntryKind = 'operator' | 'carried_over' | 'line' | 'refund' | 'used' | 'owed' | 'billed' | 'returned' | 'taken_back'
export interface CursorPagination {
  /** The largest number of records on a page */
  limit: number
  /** Null on the last page */
  next_cursor: string | null
}
export interface DailySeries {
  /** The currency of amounts; null for counts */
  currency: string | null
  /** The sum of all days; of `mrr` the value of the last day */
  total: number
  /** Every day of the range, the oldest first */
  days: DailyValue[]
}
export interface DailyStats {
  /** The metric of the answer */
  metric: Open<DailyStatsMetric>
  /** The time zone of the project: a day begins and ends by it */
  timezone: string
  /** The first day */
  start_date: string
  /** The last day */
  end_date: string
  /** One series for each currency in which there is money, by the name of the currency; of counts one */
  series: DailySeries[]
}
export type DailyStatsMetric = 'revenue' | 'mrr' | 'orders' | 'sign_ups'
export interface DailyValue {
  /** The day */
  date: string
  /** The amount or the count of the day */
  value: number
}
export type DeleteMemberMode = 'soft' | 'anonymize'
export interface Deleted {
  /** The id */
  id: string
  /** Always true */
  deleted: true
}
export interface Discount {
  /** The id of a discount */
  id: string
  /** The code that customers enter; upper and lower case are the same */
  code: string
  /** The percentage of the price, rounded half up once */
  percent: number | null
  /** The amount in its currency; never more than the price of the products */
  amount: number | null
  /** The currency: an ISO 4217 code in lower case */
  currency: string | null
  /** The discount is valid from this time on */
  starts_at: string | null
  /** The discount is valid before this time */
  ends_at: string | null
  /** How often it can be used; null for no limit */
  max_uses: number | null
  /** How often each member can use it; null for no limit */
  max_uses_per_member: number | null
  /** The products for which the discount counts; empty: all products */
  product_ids: string[]
  /** The number of orders with the discount, including orders that wait for payment */
  used: number
  /** Whether it is in use */
  is_active: boolean
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface DiscountChanges {
  /** The code that customers enter; upper and lower case are the same */
  code?: string | undefined
  /** The percentage of the price, rounded half up once */
  percent?: number | null | undefined
  /** The amount in its currency; never more than the price of the products */
  amount?: number | null | undefined
  /** A currency: an ISO 4217 code in lower case */
  currency?: string | null | undefined
  /** The discount is valid from this time on */
  starts_at?: string | null | undefined
  /** The discount is valid before this time */
  ends_at?: string | null | undefined
  /** The largest number of uses by all members; null: no limit */
  max_uses?: number | null | undefined
  /** The largest number of uses by one member; null: no limit */
  max_uses_per_member?: number | null | undefined
  /** The products for which the discount counts; empty: all products */
  product_ids?: string[] | undefined
  /** Whether it is in use */
  is_active?: boolean | undefined
}
export type DiscountSort = 'created_at' | 'code'
export interface Discussion {
  /** The id of a discussion */
  id: string
  /** The title */
  title: string
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** The id of a member */
  author_id: string
  /** The slug of a category */
  category: string
  /** How many members like it */
  likes: number
  /** When it was created */
  created_at: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The beginning of the text, without its format: at most 300 characters */
  excerpt: string
  /** The number of visible comments */
  comment_count: number
  /** The time of the newest comment, or of the creation of the discussion */
  last_activity_at: string
  /** Whether it is shown first */
  is_pinned: boolean
  /** True if new comments are refused */
  is_locked: boolean
  /** `pending` means that the discussion waits for a moderator */
  status: Open<DiscussionStatus>
  /** The id of a comment */
  answer_id: string | null
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was last changed */
  updated_at: string
  /** When the text was last edited; null if it never was */
  edited_at: string | null
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  viewer?: DiscussionViewer
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
}
export interface DiscussionAnsweredEvent {
  /** The type */
  type: 'discussion.answered'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: DiscussionData
}
export interface DiscussionCategory {
  /** The id of a category */
  id: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The position in lists; categories with the same position are sorted by age */
  position: number
  /** Whether a plan opens this category */
  requires_plan: boolean
  /** The plans that open this category; one is enough. Only secret keys see plans here that are not public */
  required_plans: string[]
  /** True: the first post of a member waits for a moderator */
  moderated: boolean
  /** The number of visible discussions */
  discussion_count: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface DiscussionCategoryChanges {
  /** The name */
  name?: string | undefined
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
  /** The position in lists; categories with the same position are sorted by age */
  position?: number | undefined
  /** Only members on one of these plans can read and write in this category; empty: everybody can */
  required_plans?: string[] | undefined
  /** True: the first post of a member waits for a moderator */
  moderated?: boolean | undefined
}
export interface DiscussionChanges {
  /** The title */
  title?: string | undefined
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content?: string | undefined
  /** The slug of a category. With a secret key, a category that does not exist is created */
  category?: string | undefined
  /** The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody */
  attachments?: string[] | undefined
}
export interface DiscussionCreatedEvent {
  /** The type */
  type: 'discussion.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: DiscussionData
}
export interface DiscussionData {
  /** The id of a discussion */
  id: string
  /** The title */
  title: string
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** The id of a member */
  author_id: string
  /** The slug of a category */
  category: string
  /** How many members like it */
  likes: number
  /** When it was created */
  created_at: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The beginning of the text, without its format: at most 300 characters */
  excerpt: string
  /** The number of visible comments */
  comment_count: number
  /** The time of the newest comment, or of the creation of the discussion */
  last_activity_at: string
  /** Whether it is shown first */
  is_pinned: boolean
  /** True if new comments are refused */
  is_locked: boolean
  /** `pending` means that the discussion waits for a moderator */
  status: Open<DiscussionStatus>
  /** The id of a comment */
  answer_id: string | null
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was last changed */
  updated_at: string
  /** When the text was last edited; null if it never was */
  edited_at: string | null
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  viewer?: DiscussionViewer
}
export type DiscussionField = 'id' | 'title' | 'content' | 'author_id' | 'category' | 'likes' | 'created_at' | 'content_html' | 'excerpt' | 'comment_count' | 'last_activity_at' | 'is_pinned' | 'is_locked' | 'status' | 'answer_id' | 'attachments' | 'updated_at' | 'edited_at' | 'truncated' | 'viewer' | 'author' | 'files'
export type DiscussionInclude = 'author' | 'attachments'
export interface DiscussionRemovedEvent {
  /** The type */
  type: 'discussion.removed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a discussion */
    id: string
    /** The id of a member */
    author_id: string
    /** The slug of a category */
    category: string
  }
}
export type DiscussionSort = 'latest' | 'newest' | 'top' | 'unanswered'
export type DiscussionStatus = 'visible' | 'pending' | 'removed'
export interface DiscussionUnansweredEvent {
  /** The type */
  type: 'discussion.unanswered'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: DiscussionData
}
export interface DiscussionUpdatedEvent {
  /** The type */
  type: 'discussion.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: DiscussionData
}
/** The discussion, as the member of the token relates to it */
export interface DiscussionViewer {
  /** Whether the caller likes it */
  liked: boolean
  /** True if the member gets mails about new comments */
  subscribed: boolean
  /** True if there are new comments since the member last read the discussion */
  unread: boolean
  /** The first comment that the member has not read; null if there is none. `around` lists the page that it is on */
  first_unread_id: string | null
  /** True if the member has muted the author; lists then leave out the content */
  muted: boolean
}
export interface DisputeClosedEvent {
  /** The type */
  type: 'dispute.closed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: DisputeData
}
export interface DisputeData {
  /** The id of a payment */
  id: string
  /** The id of a member */
  member_id: string
  /** The id of the bill */
  bill_id: string | null
  /** The object of the payment: a bill or an order */
  order_id: string | null
  /** `requires_action`: the payer must enter or confirm something, with `client_secret`; `pending`: the payment is not decided yet */
  status: Open<DisputeStatus>
  /** The amount, in the currency beside it */
  amount: number
  /** The refunds of the order, finished or under way */
  amount_refunded: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The id at the payment provider */
  provider_reference: string | null
  /** Why the payment failed, in the words of the provider */
  failure: string | null
  /** `lost`: the payer got the money back */
  dispute: Open<DisputeDispute>
  /** The reason of the dispute, in the words of the provider */
  dispute_reason: string | null
  /** When it was created */
  created_at: string
  /** The product or service that the payer disputes */
  disputed_amount: number
  /** The dispute at the provider */
  dispute_reference: string
}
export type DisputeDispute = 'open' | 'won' | 'lost'
export interface DisputeOpenedEvent {
  /** The type */
  type: 'dispute.opened'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: DisputeData
}
export type DisputeStatus = 'requires_action' | 'pending' | 'succeeded' | 'failed' | 'canceled'
/** Send `token`, or send `email` and `code` */
export interface EmailProof {
  /** The `token` of the link in the mail, or the `token` that our page added to `redirect_url` */
  token?: string | undefined
  /** The address; send it with `code`, and without `token` */
  email?: string | undefined
  /** The 6 digits in the mail */
  code?: string | undefined
  /** The random text from which your site made the `code_challenge`. It is required if the mail was requested with a `code_challenge` */
  code_verifier?: string | undefined
  /** The password of a member who confirms an address for the first time. With a link, send the password of the sign-up again, or another one: without this field the member has no password, and the answer has `password_set: false`. With a code, the password of the sign-up becomes valid without this field */
  password?: string | undefined
}
export interface EmailRequest {
  /** The email address */
  email: string
  /** The page behind the link leads to this URL. The project must allow it */
  redirect_url?: string | undefined
  /** The SHA-256 of a random `code_verifier`, in base64url (PKCE, S256). Your site keeps the `code_verifier` and sends it with the token or the code: they log in only together */
  code_challenge?: string | undefined
}
export interface EnableWebhookRequest {
  /** Also delivers events from this time on that the endpoint missed: those that were never sent to it, and those whose delivery was given up or waits for a retry. At most 30 days ago; `disabled_at` is a good choice. Without it, only waiting deliveries are sent, each when it is due */
  recover_since?: string | undefined
}
export interface Enrollment {
  /** The id of an enrollment */
  id: string
  /** The id of a course */
  course_id: string
  /** The id of the member who learns */
  student_id: string
  /** `active`; `completed`: all required lessons are completed, and the status stays; `expired`: the access has ended; `canceled` */
  status: Open<EnrollmentStatus>
  /** Whole percent, rounded down */
  progress_percentage: number
  /** The actor who enrolled the member: the member, a key, or a grant (an order or a plan) */
  source: Open<EnrollmentSource>
  /** The reason for the enrollment, or its last reason: an order line, a feature `course:<slug>` of the plan or of a grant, a key, or a price of 0. The enrollment ends when its reason ends */
  basis: Open<EnrollmentBasis>
  /** When the enrollment began */
  enrolled_at: string
  /** When the access ends; null: no end is known */
  expires_at: string | null
  /** When the course was completed; null if it is not completed */
  completed_at: string | null
  /** The id of a certificate */
  certificate_id: string | null
}
export type EnrollmentBasis = 'order_line' | 'feature' | 'key' | 'free'
export interface EnrollmentChanges {
  /** When the access ends; null: it does not end */
  expires_at?: string | null | undefined
  /** `active` reopens an enrollment that was canceled or has expired. It ends at `expires_at` if a secret key has set that and it is in the future */
  status?: EnrollmentChangesStatus | undefined
}
export type EnrollmentChangesStatus = 'active' | 'canceled'
export interface EnrollmentCompletedEvent {
  /** The type */
  type: 'enrollment.completed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Enrollment
}
export type EnrollmentCoursesLevel = 'beginner' | 'intermediate' | 'advanced'
export interface EnrollmentCreatedEvent {
  /** The type */
  type: 'enrollment.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Enrollment
}
export interface EnrollmentExpiredEvent {
  /** The type */
  type: 'enrollment.expired'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Enrollment
}
export interface EnrollmentProgress {
  /** The id of an enrollment */
  enrollment_id: string
  /** `active`; `completed`: all required lessons are completed, and the status stays; `expired`: the access has ended; `canceled` */
  status: Open<EnrollmentStatus>
  /** Whole percent, rounded down */
  progress_percentage: number
  /** The lessons, in their order */
  lessons: ProgressOfLesson[]
}
export type EnrollmentSource = 'self' | 'key' | 'grant'
export type EnrollmentStatus = 'active' | 'completed' | 'expired' | 'canceled'
export interface Entitlements {
  /** The id of a member */
  member_id: string
  /** True while the status of the member is `active`; otherwise the member is entitled to nothing */
  active: boolean
  /** The plan of the member. It decides the limits and a part of the features */
  plan: {
    /** The id of a plan */
    id: string
    /** The name */
    name: string
    /** Lower-case words joined by hyphens; unique in the project */
    slug: string
    /** The order of plans: a change to a plan with a higher rank is an upgrade */
    rank: number
    /** The status */
    status: Open<EntitlementsPlanStatus>
    /** The source */
    source: {
      /** The source of the plan; `default`: nothing else gives a plan */
      type: Open<EntitlementsPlanSourceType>
      /** The subscription or the order line from which the grant comes; null if there is none */
      id: string | null
    }
    /** When the plan ends, with all grants of it that follow on one another; null: no planned end */
    ends_at: string | null
  }
  /** Keys of the features that the member has, by the plan and by grants; empty unless `active` */
  features: string[]
  /** The numbers and settings of the plan; empty unless `active` */
  limits: Record<string, unknown>
  /** All grants of the member, earliest first, with their source and end. The list includes grants of plans that are not the plan of the member, and grants that begin later: a pass that was bought again begins when the first one ends. */
  grants: Grant[]
}
export type EntitlementsPlanSourceType = 'default' | 'operator' | 'subscription' | 'order_line'
export type EntitlementsPlanStatus = 'active' | 'archived'
export type ErrorLimitScope = 'key' | 'member' | 'address' | 'authentication' | 'project' | 'operator'
export interface Event {
  /** The id of an event; deliveries send it as `webhook-id` */
  id: string
  /** The type */
  type: string
  /** When the event happened */
  timestamp: string
  /** The object of the event; GET /api/v1/webhooks/event-types has the schema */
  data: Record<string, unknown>
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
}
export interface EventCursor {
  /** The largest number of records on a page */
  limit: number
  /** Whether there is another page */
  has_more: boolean
  /** Send it as `after` to get the next events, now or later; null if there is no event at all */
  next_after: string | null
}
export interface EventType {
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The JSON Schema of the whole message */
  schema: Record<string, unknown>
  /** An example of the message */
  example: Record<string, unknown>
}
export interface ExchangeSso {
  /** The `code` that was added to `redirect_url`. It works once, for five minutes */
  code: string
  /** The random text whose SHA-256 is the `code_challenge` */
  code_verifier: string
}
export interface Export {
  /** The id of an export */
  id: string
  /** The data that is exported */
  kind: string
  /** The format of the file */
  format: string
  /** A `completed` export has a `url`. After a day it is `expired`, and its file is deleted */
  status: Open<ExportStatus>
  /** The name of the file */
  file_name: string
  /** The number of rows that are written */
  rows: number
  /** The number of rows that are expected; null if it is not known */
  total_rows: number | null
  /** The size of the file in bytes; null until it is complete */
  size: number | null
  /** Why the export failed */
  error: string | null
  /** When it was created */
  created_at: string
  /** When it was completed; null until then */
  completed_at: string | null
  /** When the file is deleted */
  expires_at: string | null
  /** Everybody who knows this URL can read the file until `url_expires_at`. Get the export again for a new URL. It leads to the object storage */
  url: string | null
  /** When the `url` stops working */
  url_expires_at: string | null
}
export interface ExportCompletedEvent {
  /** The type */
  type: 'export.completed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ExportData
}
export interface ExportData {
  /** The id of an export */
  id: string
  /** The data that is exported */
  kind: string
  /** The format of the file */
  format: string
  /** A `completed` export has a `url`. After a day it is `expired`, and its file is deleted */
  status: Open<ExportStatus>
  /** The name of the file */
  file_name: string
  /** The number of rows that are written */
  rows: number
  /** The number of rows that are expected; null if it is not known */
  total_rows: number | null
  /** The size of the file in bytes; null until it is complete */
  size: number | null
  /** Why the export failed */
  error: string | null
  /** When it was created */
  created_at: string
  /** When it was completed; null until then */
  completed_at: string | null
  /** When the file is deleted */
  expires_at: string | null
}
export interface ExportFailedEvent {
  /** The type */
  type: 'export.failed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ExportData
}
export type ExportFormSubmissionsStatus = 'received' | 'spam'
export type ExportFormat = 'csv' | 'json'
export type ExportMembersStatus = 'active' | 'inactive' | 'pending'
export type ExportStatus = 'queued' | 'running' | 'completed' | 'failed' | 'expired'
export interface Factor {
  /** The id */
  id: string
  /** An authenticator app, or a passkey */
  type: Open<FactorType>
  /** The name */
  name: string
  /** When it was created */
  created_at: string
  /** Null if it was never used */
  last_used_at: string | null
}
export interface FactorSummary {
  /** The id */
  id: string
  /** An authenticator app, or a passkey */
  type: Open<FactorType>
  /** The name */
  name: string
}
export type FactorType = 'totp' | 'passkey'
export interface Feedback {
  /** The id of a feedback item */
  id: string
  /** The type of the item */
  type: Open<FeedbackType>
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message: string
  /** The email address of the sender */
  email?: string
  /** The status of the item; `duplicate` if it is merged into another item */
  status: Open<FeedbackStatus>
  /** Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it */
  moderation_status?: Open<FeedbackModerationStatus>
  /** When it was created */
  created_at: string
  /** Present with `include=title`, if the item has a title */
  title?: string
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
}
export interface FeedbackChanges {
  /** The type of the item */
  type?: FeedbackType | undefined
  /** The title. It can mention members as `message` does */
  title?: string | null | undefined
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message?: string | undefined
  /** Only secret keys, moderators and the sender see a private item */
  visibility?: FeedbackVisibility | undefined
  /** These keys are added or replaced; a key set to null is removed; other keys are kept */
  metadata?: Record<string, unknown> | undefined
  /** The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody */
  attachments?: string[] | undefined
}
export interface FeedbackComment {
  /** The id of a comment on feedback */
  id: string
  /** The id of a feedback item */
  feedback_id: string
  /** Markdown */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The member who wrote the comment; null if it was written in the name of the team only */
  author_id: string | null
  /** True for a comment in the name of the team */
  official: boolean
  /** `private`: seen by secret keys and moderators only */
  visibility: Open<FeedbackVisibility>
  /** Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it */
  moderation_status?: Open<FeedbackModerationStatus>
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was created */
  created_at: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  /** In lists: the comment, as the member of the token relates to it */
  viewer?: {
    /** True if the member has muted the author; lists then leave out the content */
    muted: boolean
  }
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
}
export interface FeedbackCommentData {
  /** The id of a comment on feedback */
  id: string
  /** The id of a feedback item */
  feedback_id: string
  /** Markdown */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The member who wrote the comment; null if it was written in the name of the team only */
  author_id: string | null
  /** True for a comment in the name of the team */
  official: boolean
  /** `private`: seen by secret keys and moderators only */
  visibility: Open<FeedbackVisibility>
  /** Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it */
  moderation_status?: Open<FeedbackModerationStatus>
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was created */
  created_at: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
}
export type FeedbackCommentInclude = 'author' | 'attachments'
export interface FeedbackCommentRemovedEvent {
  /** The type */
  type: 'feedback.comment_removed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a comment on feedback */
    id: string
    /** The id of a feedback item */
    feedback_id: string
    /** The member who wrote the comment; null if it was written in the name of the team only */
    author_id: string | null
  }
}
export interface FeedbackCommentedEvent {
  /** The type */
  type: 'feedback.commented'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FeedbackCommentData
}
export interface FeedbackCreatedEvent {
  /** The type */
  type: 'feedback.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FeedbackData
}
export interface FeedbackData {
  /** The id of a feedback item */
  id: string
  /** The type of the item */
  type: Open<FeedbackType>
  /** The title. It can mention members as `message` does */
  title?: string
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message: string
  /** The member who sent the item; only for secret keys and moderators */
  user_id?: string
  /** Free-form data; only for secret keys */
  metadata?: Record<string, unknown>
  /** Only secret keys, moderators and the sender see a private item */
  visibility: Open<FeedbackVisibility>
  /** Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it */
  moderation_status?: Open<FeedbackModerationStatus>
  /** The status of the item; `duplicate` if it is merged into another item */
  status: Open<FeedbackStatus>
  /** The note that was written with the present status */
  status_note: string | null
  /** The id of a feedback item */
  merged_into: string | null
  /** The number of members who voted for the item or for an item that is merged into it; each member counts once */
  vote_count: number
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface FeedbackDeletedEvent {
  /** The type */
  type: 'feedback.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a feedback item */
    id: string
  }
}
export interface FeedbackItem {
  /** The id of a feedback item */
  id: string
  /** The type of the item */
  type: Open<FeedbackType>
  /** The title. It can mention members as `message` does */
  title?: string
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message: string
  /** The email address of the sender; only for secret keys */
  email?: string
  /** The member who sent the item; only for secret keys and moderators */
  user_id?: string
  /** Free-form data; only for secret keys */
  metadata?: Record<string, unknown>
  /** Only secret keys, moderators and the sender see a private item */
  visibility: Open<FeedbackVisibility>
  /** Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it */
  moderation_status?: Open<FeedbackModerationStatus>
  /** The status of the item; `duplicate` if it is merged into another item */
  status: Open<FeedbackStatus>
  /** The note that was written with the present status */
  status_note: string | null
  /** The id of a feedback item */
  merged_into: string | null
  /** The number of members who voted for the item or for an item that is merged into it; each member counts once */
  vote_count: number
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** The beginning of `message`: at most 300 characters */
  excerpt: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  /** The item, as the member of the token relates to it */
  viewer?: {
    /** True if the vote of this member is counted for the item */
    voted: boolean
    /** In lists: true if the member has muted the sender; the message is left out then */
    muted?: boolean
  }
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
}
export type FeedbackItemField = 'id' | 'type' | 'title' | 'message' | 'email' | 'user_id' | 'metadata' | 'visibility' | 'moderation_status' | 'status' | 'status_note' | 'merged_into' | 'vote_count' | 'attachments' | 'created_at' | 'updated_at' | 'excerpt' | 'truncated' | 'viewer' | 'author' | 'files'
export type FeedbackItemInclude = 'author' | 'attachments'
export type FeedbackItemSort = 'top' | 'new'
export interface FeedbackMergedEvent {
  /** The type */
  type: 'feedback.merged'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FeedbackData
}
export type FeedbackModerationStatus = 'pending' | 'removed'
export type FeedbackStatus = 'new' | 'under_review' | 'planned' | 'in_progress' | 'done' | 'declined' | 'duplicate'
export interface FeedbackStatusChange {
  /** The id of a change of status */
  id: string
  /** The status before */
  previous_status: Open<FeedbackStatusChangePreviousStatus>
  /** The status */
  status: Open<FeedbackStatusChangeStatus>
  /** A note on the status in plain text. It is shown with the status, sent in mails, and shown in the changelog */
  note: string | null
  /** True if the voters got a mail */
  notified_voters: boolean
  /** The moderator who changed the status; null if a key or an operator did */
  changed_by: string | null
  /** When it was created */
  created_at: string
}
export type FeedbackStatusChangePreviousStatus = 'new' | 'under_review' | 'planned' | 'in_progress' | 'done' | 'declined'
export type FeedbackStatusChangeStatus = 'new' | 'under_review' | 'planned' | 'in_progress' | 'done' | 'declined'
export interface FeedbackStatusChanged {
  /** The id of a feedback item */
  id: string
  /** The type of the item */
  type: Open<FeedbackType>
  /** The title. It can mention members as `message` does */
  title?: string
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message: string
  /** The member who sent the item; only for secret keys and moderators */
  user_id?: string
  /** Free-form data; only for secret keys */
  metadata?: Record<string, unknown>
  /** Only secret keys, moderators and the sender see a private item */
  visibility: Open<FeedbackVisibility>
  /** Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it */
  moderation_status?: Open<FeedbackModerationStatus>
  /** The status of the item; `duplicate` if it is merged into another item */
  status: Open<FeedbackStatus>
  /** The note that was written with the present status */
  status_note: string | null
  /** The id of a feedback item */
  merged_into: string | null
  /** The number of members who voted for the item or for an item that is merged into it; each member counts once */
  vote_count: number
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** The change of the status */
  change: FeedbackStatusChange
}
export interface FeedbackStatusChangedEvent {
  /** The type */
  type: 'feedback.status_changed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FeedbackStatusChanged
}
export type FeedbackType = 'feedback' | 'bug' | 'feature' | 'question'
export interface FeedbackUnmerged {
  /** The id of a feedback item */
  id: string
  /** The type of the item */
  type: Open<FeedbackType>
  /** The title. It can mention members as `message` does */
  title?: string
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message: string
  /** The member who sent the item; only for secret keys and moderators */
  user_id?: string
  /** Free-form data; only for secret keys */
  metadata?: Record<string, unknown>
  /** Only secret keys, moderators and the sender see a private item */
  visibility: Open<FeedbackVisibility>
  /** Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it */
  moderation_status?: Open<FeedbackModerationStatus>
  /** The status of the item; `duplicate` if it is merged into another item */
  status: Open<FeedbackStatus>
  /** The note that was written with the present status */
  status_note: string | null
  /** The id of a feedback item */
  merged_into: string | null
  /** The number of members who voted for the item or for an item that is merged into it; each member counts once */
  vote_count: number
  /** The ids of the files of the post */
  attachments: string[]
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** The id of a feedback item */
  unmerged_from: string
}
export interface FeedbackUnmergedEvent {
  /** The type */
  type: 'feedback.unmerged'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FeedbackUnmerged
}
export interface FeedbackUpdatedEvent {
  /** The type */
  type: 'feedback.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FeedbackData
}
export type FeedbackVisibility = 'public' | 'private'
export interface FieldCondition {
  /** The id of a field that comes before this one */
  field: string
  /** How the value is compared */
  operator: Open<FieldConditionOperator>
  /** The value to compare with; not allowed with `is_empty` and `is_not_empty` */
  value?: string | number | boolean
}
export interface FieldConditionInput {
  /** The id of a field that comes before this one */
  field: string
  /** How the value is compared */
  operator: FieldConditionOperator
  /** The value to compare with; not allowed with `is_empty` and `is_not_empty` */
  value?: string | number | boolean | undefined
}
export type FieldConditionOperator = 'equals' | 'not_equals' | 'contains' | 'not_contains' | 'greater_than' | 'less_than' | 'is_empty' | 'is_not_empty'
export interface FieldOption {
  /** The value that is submitted */
  value: string
  /** The text that people read. Default: the value */
  label?: string
}
export interface FieldSummary {
  /** The id of a field of this form */
  id: string
  /** The words that people see */
  label: string
  /** The type */
  type: Open<FieldType>
  /** The number of submissions with a value */
  answered: number
  /** How often each value was chosen. Options are in their order, and options of earlier versions come last. Ratings and checkboxes have counts too */
  values?: {
    /** The value */
    value: string
    /** The words that people see */
    label: string
    /** How many there are */
    count: number
  }[]
  /** The smallest value; for numbers and ratings */
  min?: number
  /** The largest value */
  max?: number
  /** The average of all values */
  average?: number
}
export type FieldType = 'text' | 'textarea' | 'email' | 'url' | 'phone' | 'number' | 'date' | 'select' | 'multi_select' | 'checkbox' | 'radio' | 'rating' | 'file' | 'password' | 'hidden' | 'consent' | 'section'
export interface FieldValidation {
  /** The smallest number, the earliest date, or the smallest number of choices */
  min?: number | string
  /** The largest number or rating (default 5), the latest date, or the largest number of choices */
  max?: number | string
  /** The smallest number of characters */
  min_length?: number
  /** The largest number of characters */
  max_length?: number
  /** A regular expression in RE2 syntax that must match the whole text. RE2 has no look-around and no back-references, and always runs in linear time */
  pattern?: string
  /** Allowed file types, like `image/*`; the type of a file is detected from its bytes */
  allowed_types?: string[]
  /** The largest file in bytes. Default: 10 MiB */
  max_size?: number
}
export interface File {
  /** The id of a file */
  id: string
  /** The name that people see */
  name: string
  /** Bytes */
  size: number
  /** The type that was detected from the bytes; while `pending`, the announced type */
  content_type: string
  /** The SHA-256 of the bytes in hexadecimal; null while `pending` */
  checksum_sha256: string | null
  /** `public`: everybody who knows the `url` can read the file; `private`: only keys and signed URLs can */
  visibility: Open<FileVisibility>
  /** The address of the bytes. Everybody can read a public file; a private file needs a key with `read:storage`. A member who uploads gets a signed link, which works for an hour or longer. Null while `pending` */
  url: string | null
  /** The member to whom the file belongs */
  owner_id: string | null
  /** `pending` until all bytes have arrived and were checked */
  status: Open<FileStatus>
  /** When it was created */
  created_at: string
}
export interface FileChanges {
  /** The name that people see; not a path */
  name?: string | undefined
  /** `public`: everybody who knows the `url` can read the file; `private`: only keys and signed URLs can */
  visibility?: FileVisibility | undefined
}
export interface FileCreatedEvent {
  /** The type */
  type: 'file.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: File
}
export interface FileDeletedEvent {
  /** The type */
  type: 'file.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a file */
    id: string
  }
}
export interface FileDetail {
  /** The id of a file */
  id: string
  /** The name that people see */
  name: string
  /** Bytes */
  size: number
  /** The type that was detected from the bytes; while `pending`, the announced type */
  content_type: string
  /** The SHA-256 of the bytes in hexadecimal; null while `pending` */
  checksum_sha256: string | null
  /** `public`: everybody who knows the `url` can read the file; `private`: only keys and signed URLs can */
  visibility: Open<FileVisibility>
  /** The address of the bytes. Everybody can read a public file; a private file needs a key with `read:storage`. A member who uploads gets a signed link, which works for an hour or longer. Null while `pending` */
  url: string | null
  /** The member to whom the file belongs */
  owner_id: string | null
  /** `pending` until all bytes have arrived and were checked */
  status: Open<FileStatus>
  /** When it was created */
  created_at: string
  /** The things that use the file. Present with `include=used_by` */
  used_by?: FileUse[]
}
export interface FilePreview {
  /** The address of the smaller picture. It works as long as that of the file */
  url: string
  /** Pixels */
  width: number
  /** Pixels */
  height: number
}
export type FileSort = 'created_at' | 'name' | 'size'
export type FileStatus = 'pending' | 'ready'
export interface FileUse {
  /** The type of the user, like `product`, `lesson`, `form_submission` or `avatar` */
  type: string
  /** How many of this type use it */
  count: number
}
export type FileVisibility = 'private' | 'public'
export interface Form {
  /** The id of a form */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The purpose of the form; a `signup` form creates members */
  type: Open<FormType>
  /** The status */
  status: Open<FormStatus>
  /** The fields, in the order in which they are shown */
  fields: FormField[]
  /** The settings */
  settings: FormSettings
  /** The version that visitors see; 0 until the form is published */
  version: number
  /** The number of submissions, without spam */
  submission_count: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** When this version was published */
  published_at: string | null
}
export interface FormArchivedEvent {
  /** The type */
  type: 'form.archived'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Form
}
export interface FormChanges {
  /** The name */
  name?: string | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
  /** The purpose of the form; a `signup` form creates members */
  type?: FormType | undefined
  /** The fields, in the order in which they are shown */
  fields?: FormFieldInput[] | undefined
  settings?: FormSettingsChanges | undefined
}
export interface FormCreatedEvent {
  /** The type */
  type: 'form.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Form
}
export interface FormDeletedEvent {
  /** The type */
  type: 'form.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a form */
    id: string
  }
}
export interface FormDetail {
  /** The id of a form */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The fields, in the order in which they are shown */
  fields: FormField[]
  /** The settings */
  settings: FormSettings
  /** When it was created */
  created_at: string
  /** Present with `include=type` */
  type?: Open<FormType>
  /** Present with `include=status` */
  status?: Open<FormStatus>
  /** Present with `include=version` */
  version?: number
  /** Present with `include=submission_count` */
  submission_count?: number
  /** Present with `include=updated_at` */
  updated_at?: string
  /** When this version was published. Present with `include=published_at` */
  published_at?: string | null
}
export interface FormField {
  /** The id is unique in the form. Values and columns of exports are stored under it */
  id: string
  /** The type */
  type: Open<FormFieldType>
  /** The words that people see */
  label: string
  /** True: the field needs a value while it is shown. A required checkbox or consent must be ticked */
  required?: boolean
  /** The text in the empty field */
  placeholder?: string
  /** The text below the field */
  help_text?: string
  /** The value if none is submitted */
  default?: string[] | string | number | boolean
  /** The options of a select, multi_select or radio field */
  options?: FieldOption[]
  /** The rules for a value */
  validation?: FieldValidation
  visible_if?: VisibleIf
}
export interface FormFieldInput {
  /** The id is unique in the form. Values and columns of exports are stored under it */
  id: string
  /** The type */
  type: FormFieldType
  /** The words that people see */
  label: string
  /** True: the field needs a value while it is shown. A required checkbox or consent must be ticked */
  required?: boolean | undefined
  /** The text in the empty field */
  placeholder?: string | undefined
  /** The text below the field */
  help_text?: string | undefined
  /** The value if none is submitted */
  default?: string[] | string | number | boolean | undefined
  /** The options of a select, multi_select or radio field */
  options?: FieldOption[] | undefined
  /** The rules for a value */
  validation?: FieldValidation | undefined
  visible_if?: VisibleIfInput | undefined
}
export type FormFieldType = 'text' | 'textarea' | 'email' | 'url' | 'phone' | 'number' | 'date' | 'select' | 'multi_select' | 'checkbox' | 'radio' | 'rating' | 'file' | 'password' | 'hidden' | 'consent' | 'section'
export interface FormListItem {
  /** The id of a form */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The purpose of the form; a `signup` form creates members */
  type: Open<FormType>
  /** The status */
  status: Open<FormStatus>
  /** The number of submissions, without spam */
  submission_count: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export type FormListItemSort = 'created_at' | 'name' | 'updated_at'
export interface FormPublishedEvent {
  /** The type */
  type: 'form.published'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Form
}
/** The data that a page needs to show the form */
export interface FormSchema {
  /** The id of a form */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The purpose of the form; a `signup` form creates members */
  type: Open<FormType>
  /** The version that visitors see; 0 until the form is published */
  version: number
  /** The fields, in the order in which they are shown */
  fields: FormField[]
  /** The settings */
  settings: {
    /** The words on the button */
    submit_button_text?: string
    /** The text that people read after they have sent the form */
    success_message?: string
    /** The address to which the browser goes then */
    redirect_url?: string
  }
  /** The name of an input that the page hides from people */
  honeypot?: string
  /** Send it with the submission; it says when the form was shown */
  token: string
}
export interface FormSettings {
  /** The words on the button */
  submit_button_text?: string
  /** The text that people read after they have sent the form */
  success_message?: string
  /** The address to which the page leads after a submission */
  redirect_url?: string
  /** How spam is found */
  spam?: SpamSettings
  signup?: SignUpSettings
}
/** These settings are changed; a setting set to null is removed; other settings are kept */
export interface FormSettingsChanges {
  /** The words on the button */
  submit_button_text?: string | null | undefined
  /** The text that people read after they have sent the form */
  success_message?: string | null | undefined
  /** The address to which the page leads after a submission */
  redirect_url?: string | null | undefined
  /** How spam is found */
  spam?: SpamSettingsChange | null | undefined
  /** For forms of type `signup`: which fields give the values of the member */
  signup?: SignUpSettingsChange | null | undefined
}
export type FormStatus = 'published' | 'draft' | 'archived'
export interface FormSubmission {
  /** The id of a submission */
  id: string
  /** The id of a form */
  form_id: string
  /** The version of the form that was submitted */
  form_version: number
  /** `spam` submissions are kept separately */
  status: Open<FormSubmissionStatus>
  /** Values by field id. Files are URLs; passwords are never included */
  data: Record<string, unknown>
  /** The member who submitted the form; null if it is unknown */
  member_id: string | null
  /** The known data of the request */
  metadata: {
    /** The client address */
    ip: string
    /** The name of the browser, as it sends it */
    user_agent: string
    /** The address of the page that linked here */
    referrer: string
  }
  /** When it was created */
  created_at: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
}
export interface FormSubmissionCreatedEvent {
  /** The type */
  type: 'form_submission.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FormSubmission
}
export interface FormSubmissionDeletedEvent {
  /** The type */
  type: 'form_submission.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a submission */
    id: string
    /** The id of a form */
    form_id: string
  }
}
export type FormSubmissionInclude = 'form_version' | 'status'
export type FormSubmissionStatus = 'received' | 'spam'
export interface FormSubmissionUpdatedEvent {
  /** The type */
  type: 'form_submission.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: FormSubmission
}
export interface FormSummary {
  /** The number of submissions in the range */
  submissions: number
  /** The number of spam submissions in the range */
  spam: number
  /** The fields */
  fields: FieldSummary[]
}
export type FormType = 'signup' | 'contact' | 'feedback' | 'custom'
export interface FormUpdatedEvent {
  /** The type */
  type: 'form.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Form
}
export interface FormVersion {
  /** The version that visitors see; 0 until the form is published */
  version: number
  /** The fields, in the order in which they are shown */
  fields: FormField[]
  /** The settings */
  settings: FormSettings
  /** When it was created */
  created_at: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
}
export interface FoundItem {
  /** The kind of the item */
  type: Open<FoundItemType>
  /** The id of the item */
  id: string
  /** The title. A comment has the title of its discussion */
  title: string
  /** The title as HTML that is safe to show in any page; matches are in `<mark>` */
  title_html: string
  /** A part of the text as HTML that is safe to show in any page; matches are in `<mark>` */
  snippet: string
  /** The path of the resource below `/api/v1` */
  url_path: string
  /** How well it fits: the greater, the better. Comparable within one answer */
  score: number
}
export type FoundItemType = 'discussion' | 'comment' | 'feedback' | 'article' | 'course' | 'product'
export interface FullCourse {
  /** The id of a course */
  id: string
  /** The title */
  title: string
  /** A text of some sentences */
  description: string
  /** Absent if it is not set */
  thumbnail_url?: string
  /** The category */
  category: string
  /** The level of knowledge that the course expects */
  level: Open<CourseLevel>
  /** The duration of the course in hours */
  duration_hours: number
  /** The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves */
  price: number
  /** The number of members who are or were enrolled, without canceled enrollments */
  enrolled_count: number
  /** The mean of all ratings, with two decimals; 0 without ratings */
  rating: number
  /** The status */
  status: Open<CourseStatus>
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** When it was created */
  created_at: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The id of a file */
  thumbnail_file_id: string | null
  /** Access ends this number of days after the enrollment; null: it does not end */
  access_days: number | null
  /** The largest number of members who are enrolled and have not completed the course; null: no limit. A grant enrolls a member beyond this limit, because it was paid for */
  capacity: number | null
  /** Courses that a member must complete first */
  prerequisites: string[]
  /** True: a member who completes the course gets a certificate */
  certificates: boolean
  /** The number of ratings */
  rating_count: number
  /** When it was last changed */
  updated_at: string
}
export interface Funnel {
  /** The thing that is counted, or the cause of the change */
  by: Open<FunnelBy>
  /** The steps, in their order */
  steps: FunnelStepResult[]
}
export type FunnelBy = 'visitors' | 'members'
export interface FunnelQuery {
  /** The steps, in their order */
  steps: FunnelStep[]
  /** `visitors`: each visitor within one day; `members`: each member over the whole range */
  by?: FunnelBy | undefined
  /** The days or moments that are counted */
  date_range?: AnalyticsDateRange | undefined
  /** The IANA time zone of the dates. Default: the time zone of the project */
  timezone?: string | undefined
  /** Whether bots are counted. Default: `exclude` */
  bots?: BotFilter | undefined
}
/** Either an event or a page */
export interface FunnelStep {
  /** The name or the kind of the event */
  event?: string | undefined
  /** A pattern for the paths of page views; `*` and `**` are wildcards. The answer has it decoded, without a slash at the end */
  page?: string | undefined
}
export interface FunnelStepResult {
  /** The name or the kind of the event */
  event: string | null
  /** The path of the page */
  page: string | null
  /** The number of visitors who made this step and all steps before it */
  count: number
  /** Percent of the first step */
  conversion_rate: number
  /** Percent of the previous step */
  step_rate: number
}
export type GetAnalyticsTimeseriesInterval = 'hour' | 'day' | 'week' | 'month'
export type GetCertificateFormat = 'json' | 'pdf'
export type GetCommentInclude = 'author' | 'attachments'
export type GetDailyStatsMetric = 'revenue' | 'mrr' | 'orders' | 'sign_ups'
export type GetDiscussionInclude = 'author' | 'attachments'
export type GetFeedbackInclude = 'author' | 'attachments'
export type GetFormInclude = 'type' | 'status' | 'version' | 'submission_count' | 'updated_at' | 'published_at'
export interface GetMemberCreditResponse {
  /** Whether it was done */
  success: true
  /** The answer itself */
  data: CreditEntry[]
  /** The place of this page in the list */
  pagination: Pagination
  /** The balances that are not zero */
  balances: CreditBalance[]
}
export type GetMemberInclude = 'role' | 'updated_at' | 'last_login_at'
export type GetProfileInclude = 'role' | 'updated_at' | 'last_login_at' | 'display_name' | 'bio' | 'avatar_file_id'
export interface Goal {
  /** The id of a goal */
  id: string
  /** The name */
  name: string
  /** The name of the event that the goal counts */
  event: string | null
  /** A pattern for the paths of the page views that the goal counts; `*` matches any text within a segment, `**` matches any number of segments. Encoded and decoded characters are equal; answers have them decoded, without a slash at the end */
  page: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface GoalChanges {
  /** The name */
  name?: string | undefined
  /** The name of the event that the goal counts */
  event?: string | undefined
  /** A pattern for the paths of the page views that the goal counts; `*` matches any text within a segment, `**` matches any number of segments. Encoded and decoded characters are equal; answers have them decoded, without a slash at the end */
  page?: string | undefined
}
export interface GradebookRow {
  /** The id of an enrollment */
  enrollment_id: string
  /** The id of the member who learns */
  student_id: string
  /** The name of the member who learns */
  student_name: string
  /** The status */
  status: Open<GradebookRowStatus>
  /** Whole percent, rounded down */
  progress_percentage: number
  /** When the enrollment began */
  enrolled_at: string
  /** When the course was completed; null if it is not completed */
  completed_at: string | null
  /** The id of a certificate */
  certificate_id: string | null
  /** The quizzes that the member started */
  quizzes: {
    /** The id of a quiz */
    quiz_id: string
    /** The id of a lesson */
    lesson_id: string
    /** The number of attempts that the member started */
    attempts: number
    /** Whole percent, rounded down */
    best_percentage: number | null
    /** Whether it was passed */
    passed: boolean
  }[]
}
export type GradebookRowStatus = 'active' | 'completed' | 'expired' | 'canceled'
export interface Grant {
  /** The id of a grant */
  id: string
  /** The source */
  source: GrantSource
  /** The id of a plan */
  plan_id: string | null
  /** Keys of the features of this grant, besides those of a plan */
  features: string[]
  /** The id of a course */
  course_id: string | null
  /** When it begins */
  starts_at: string
  /** When the grant ends; null: it has no planned end */
  ends_at: string | null
}
export interface GrantSource {
  /** The type */
  type: Open<GrantSourceType>
  /** The subscription or the order line from which the grant comes; null if there is none */
  id: string | null
}
export type GrantSourceType = 'operator' | 'subscription' | 'order_line'
export interface HelpCategory {
  /** The id of a category of the help center */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The name or the address of a picture; your pages decide how to show it */
  icon: string
  /** The number of published articles that are directly in this category and that the reader may read */
  article_count: number
}
export interface HelpCategoryChanges {
  /** The name */
  name?: string | undefined
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
  /** The name or the address of a picture; your pages decide how to show it. Null or an empty string removes the value */
  icon?: string | null | undefined
  /** The parent category; null: the category is at the top level */
  parent_id?: string | null | undefined
  /** Categories are shown in the order of their positions */
  position?: number | undefined
}
export interface HelpCategoryDetail {
  /** The id of a category of the help center */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The name or the address of a picture; your pages decide how to show it */
  icon: string
  /** The number of published articles that are directly in this category and that the reader may read */
  article_count: number
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The parent category; null: the category is at the top level */
  parent_id: string | null
  /** Categories are shown in the order of their positions */
  position: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface HelpCategoryPage {
  /** The id of a category of the help center */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The name or the address of a picture; your pages decide how to show it */
  icon: string
  /** The number of published articles that are directly in this category and that the reader may read */
  article_count: number
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The parent category; null: the category is at the top level */
  parent_id: string | null
  /** Categories are shown in the order of their positions */
  position: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** The parent categories, from the top level down */
  path: HelpCategoryStep[]
  /** The subcategories */
  children: HelpCategory[]
}
export interface HelpCategoryStep {
  /** The id of a category of the help center */
  id: string
  /** The name */
  name: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
}
export interface HelpInsights {
  /** Searches without results; only searches of first pages count */
  searches_without_result: {
    /** The words that were searched for */
    query: string
    /** The language of the search; empty if none was sent */
    locale: string
    /** How often it was searched for */
    searches: number
    /** When it was last searched for */
    last_searched_at: string
  }[]
  /** Articles with the smallest share of helpful votes */
  low_votes: {
    /** The id of an article */
    article_id: string
    /** Lower-case words joined by hyphens; unique in the project */
    slug: string
    /** The title */
    title: string
    /** How many found it helpful */
    helpful_count: number
    /** How many did not find it helpful */
    unhelpful_count: number
  }[]
  /** Articles that readers opened most */
  views: {
    /** The id of an article */
    article_id: string
    /** Lower-case words joined by hyphens; unique in the project */
    slug: string
    /** The title */
    title: string
    /** How often it was seen */
    views: number
  }[]
}
export interface HelpSearchHit {
  /** The id of an article */
  id: string
  /** The id of a category of the help center */
  category_id: string | null
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** The title */
  title: string
  /** The language of the text that was found */
  locale: string
  /** The title as HTML that is safe to show in any page; matches are in `<mark>` */
  title_html: string
  /** A part of the text as HTML that is safe to show in any page; matches are in `<mark>` */
  snippet: string
}
export interface HelpVote {
  /** True if the article helped */
  helpful: boolean
  /** Required with a public key: a random text that the browser keeps, so that it has one vote */
  session_id?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface HelpVoteOutcome {
  /** True if this reader has voted */
  voted: boolean
  /** The number of votes */
  vote_count: number
  /** The number of readers who found the article helpful */
  helpful_count: number
  /** The number of readers who did not find the article helpful */
  unhelpful_count: number
}
export interface ImportCompletedEvent {
  /** The type */
  type: 'import.completed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: MemberImportProgress
}
export interface ImportFault {
  /** The number of the row as spreadsheets count it: the header is row 1 */
  row: number
  /** The column; empty if the fault is of the whole row */
  field: string
  /** The rule that is broken */
  rule: string
  /** A sentence for people */
  message: string
}
export interface ImportForm {
  /** The file */
  file: string
  /** True only checks the file. The answer has the same faults, and no member is created */
  dry_run?: ImportFormDryRun | undefined
}
export type ImportFormDryRun = 'true' | 'false'
export interface Invitation {
  /** The id of an invitation */
  id: string
  /** The email address */
  email: string
  /** `member`, `admin` or a role that you define */
  role: string
  /** Empty if it is not set */
  full_name: string
  /** The plan of the new member; null: the default plan of the project */
  plan_id: string | null
  /** The member: created before, or by accepting the invitation; null otherwise */
  member_id: string | null
  /** The status */
  status: Open<InvitationStatus>
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string
  /** When the newest mail was created */
  sent_at: string | null
  /** When it was accepted; null until then */
  accepted_at: string | null
  /** When it was revoked; null if it was not */
  revoked_at: string | null
}
export interface InvitationAcceptedEvent {
  /** The type */
  type: 'invitation.accepted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Invitation
}
export interface InvitationCreatedEvent {
  /** The type */
  type: 'invitation.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Invitation
}
export interface InvitationRevokedEvent {
  /** The type */
  type: 'invitation.revoked'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Invitation
}
export type InvitationSort = 'created_at' | 'email'
export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired'
export interface Lesson {
  /** The id of a lesson */
  id: string
  /** The title */
  title: string
  /** The type */
  type: Open<LessonType>
  /** The duration in minutes */
  duration_minutes: number | null
  /** The act that completes the lesson: `view`: the member says so; `percent`: 90 % of it; `quiz`: its quiz is passed; `manual`: a secret key says so */
  completion_rule: Open<LessonCompletionRule>
  /** False: the course is complete without this lesson. If no lesson is required, all lessons are */
  required: boolean
  /** The lesson opens this number of days after the enrollment */
  drip_days: number
  /** The id of a quiz */
  quiz_id: string | null
  /** The id of a course */
  course_id: string
  /** The id of a module */
  module_id: string
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Why the fields below are left out; null if they are not left out */
  locked: Open<LessonLocked> | null
  /** Markdown */
  content?: string
  /** The content as HTML that is safe to show in any page */
  content_html?: string
  /** The address of the video or the file, if it is not a file of this project */
  url?: string | null
  /** The file */
  file?: LessonFile | null
  /** The captions, one file for each language */
  captions?: Caption[]
  /** The position in seconds at which the member continues a video */
  last_position?: number | null
  /** Only with the token of a member */
  is_completed?: boolean
  /** Whole percent, rounded down */
  progress_percentage?: number
  /** When the lesson opens for the enrolled member */
  opens_at?: string
}
export interface LessonChanges {
  /** The title */
  title?: string | undefined
  /** Markdown. Null or an empty string removes the value */
  content?: string | null | undefined
  /** The address of the video or the file, if it is not a file of this project */
  url?: string | null | undefined
  /** The id of a file */
  file_id?: string | null | undefined
  /** Subtitles of a video; each is a file */
  captions?: NewCaption[] | undefined
  /** The duration in minutes */
  duration_minutes?: number | null | undefined
  /** The act that completes the lesson: `view`: the member says so; `percent`: 90 % of it; `quiz`: its quiz is passed; `manual`: a secret key says so */
  completion_rule?: LessonCompletionRule | undefined
  /** False: the course is complete without this lesson. If no lesson is required, all lessons are */
  required?: boolean | undefined
  /** The lesson opens this number of days after the enrollment */
  drip_days?: number | undefined
}
export interface LessonCompletedEvent {
  /** The type */
  type: 'lesson.completed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a lesson */
    id: string
    /** The id of a lesson */
    lesson_id: string
    /** The id of a course */
    course_id: string
    /** The id of an enrollment */
    enrollment_id: string
    /** The id of the member who learns */
    student_id: string
    /** When it was completed; null until then */
    completed_at: string
  }
}
export type LessonCompletionRule = 'view' | 'percent' | 'quiz' | 'manual'
export interface LessonFile {
  /** The id of a file */
  id: string
  /** The name */
  name: string
  /** The content type, such as `video/mp4` */
  content_type: string
  /** The size in bytes */
  size: number
  /** This URL reads the file for an hour */
  url: string
}
export type LessonLocked = 'not_enrolled' | 'not_open_yet' | 'ended'
export interface LessonProgress {
  /** The id of an enrollment */
  enrollment_id: string
  /** The id of a lesson */
  lesson_id: string
  /** Whether it is completed */
  is_completed: boolean
  /** How much is done, in percent */
  progress_percentage: number
  /** Absent if the lesson is not completed */
  completed_at?: string
}
export type LessonType = 'video' | 'text' | 'quiz' | 'file'
export interface LikeCommentRequest {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface LikeDiscussionRequest {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface Liked {
  /** Whether the caller likes it */
  liked: boolean
  /** How many members like it */
  likes: number
}
export type ListCoursesStatus = 'draft' | 'published' | 'archived' | 'all'
/** The filters of the list, with the same meaning. One that the list does not have is refused */
export interface ListExportFilters {
  /** The filter of the list, for orders, bills, subscriptions, feedback */
  status?: string | undefined
  /** The filter of the list, for orders, bills, subscriptions */
  member_id?: string | undefined
  /** The filter of the list, for orders, bills, subscriptions, feedback */
  search?: string | undefined
  /** The filter of the list, for orders, bills, subscriptions, feedback, analytics */
  start_date?: string | undefined
  /** The filter of the list, for orders, bills, subscriptions, feedback, analytics */
  end_date?: string | undefined
  /** The filter of the list, for bills */
  subscription_id?: string | undefined
  /** The filter of the list, for subscriptions */
  plan_id?: string | undefined
  /** The filter of the list, for feedback, analytics */
  type?: string | undefined
  /** The filter of the list, for feedback */
  visibility?: ListExportFiltersVisibility | undefined
  /** The filter of the list, for feedback, analytics */
  user_id?: string | undefined
  /** The filter of the list, for analytics */
  event?: string | undefined
  /** The filter of the list, for analytics */
  path?: string | undefined
  /** The filter of the list, for analytics */
  bots?: ListExportFiltersBots | undefined
}
export type ListExportFiltersBots = 'exclude' | 'include' | 'only'
export type ListExportFiltersVisibility = 'public' | 'private'
export type ListExportOf = 'orders' | 'bills' | 'subscriptions' | 'feedback' | 'analytics'
export type ListHelpCategoriesInclude = 'slug' | 'parent_id' | 'position'
export type ListModerationQueueStatus = 'open' | 'resolved' | 'appealed'
export type ListProductsInclude = 'slug' | 'images'
export type ListProductsSort = 'created_at' | 'name' | 'price'
export interface ListedEnrollment {
  /** The id of an enrollment */
  id: string
  /** The id of a course */
  course_id: string
  /** `active`; `completed`: all required lessons are completed, and the status stays; `expired`: the access has ended; `canceled` */
  status: Open<EnrollmentStatus>
  /** Whole percent, rounded down */
  progress_percentage: number
  /** When the enrollment began */
  enrolled_at: string
  /** The course */
  courses: {
    /** The id of a course */
    id: string
    /** The title */
    title: string
    /** Absent if it is not set */
    thumbnail_url?: string
    /** The level of knowledge that the course expects */
    level: Open<EnrollmentCoursesLevel>
    /** The duration of the course in hours */
    duration_hours: number
  }
}
export interface ListedFormSubmission {
  /** The id of a submission */
  id: string
  /** The id of a form */
  form_id: string
  /** Values by field id. Files are URLs; passwords are never included */
  data: Record<string, unknown>
  /** The member who submitted the form; null if it is unknown */
  member_id: string | null
  /** The known data of the request */
  metadata: {
    /** The client address */
    ip: string
    /** The name of the browser, as it sends it */
    user_agent: string
    /** The address of the page that linked here */
    referrer: string
  }
  /** When it was created */
  created_at: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  /** The version of the form that was submitted. Present with `include=form_version` */
  form_version?: number
  /** Present with `include=status` */
  status?: Open<FormSubmissionStatus>
}
export interface ListedHelpCategory {
  /** The id of a category of the help center */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The name or the address of a picture; your pages decide how to show it */
  icon: string
  /** The number of published articles that are directly in this category and that the reader may read */
  article_count: number
  /** Present with `include=slug` */
  slug?: string
  /** The parent category; null: the category is at the top level. Present with `include=parent_id` */
  parent_id?: string | null
  /** Present with `include=position` */
  position?: number
}
export interface ListedMember {
  /** The id of a member */
  id: string
  /** The email address */
  email: string
  /** Empty if it is not set */
  full_name: string
  /** Absent if it is not set */
  avatar_url?: string
  /** The status */
  status: Open<MemberStatus>
  /** The id of a plan */
  plan_id: string
  /** Free-form data */
  metadata: Record<string, unknown>
  /** When it was created */
  created_at: string
  /** Present with `include=role` */
  role?: string
  /** Present with `include=updated_at` */
  updated_at?: string
  /** Present with `include=last_login_at`; absent until the first login */
  last_login_at?: string
  /** Present with `deleted=true` */
  deleted_at?: string
}
export interface ListedModerationRule {
  /** The id of a moderation rule */
  id: string
  /** `words`: a post has one of the words; `links`: it has more links than `max_links`; `rate`: its author has written `max_posts` in `per_minutes`; `age`: the author is new, by `younger_than_hours` or `fewer_posts_than`; `duplicates`: a post of the last `per_minutes` says the same, or nearly; `hook`: an outside service decides, see the guide */
  kind: Open<ModerationRuleKind>
  /** A name for the team */
  name: string
  /** Whether it is in use */
  enabled: boolean
  /** `hold`: a moderator looks at the post before others see it; `refuse`: the post is refused */
  action: Open<ModerationRuleAction>
  /** Only for authors who joined less than so many hours ago */
  younger_than_hours: number | null
  /** Only for authors with fewer posts that others can see */
  fewer_posts_than: number | null
  /** The number of words */
  word_count: number
  /** Only of `links`: more links than this are too many */
  max_links: number | null
  /** Only of `rate`: so many posts are allowed in the time */
  max_posts: number | null
  /** Only of `rate` and `duplicates`: the time, up to a day */
  per_minutes: number | null
  /** Only of `hook`: the https URL of the service, with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url: string | null
  /** Only of `hook`: what becomes of a post if the service gives no valid answer within 5 s. Default: `hold` */
  on_timeout: Open<ModerationRuleOnTimeout> | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface ListedOrder {
  /** The id of an order */
  id: string
  /** The status */
  status: Open<OrderStatus>
  /** The amount to pay */
  total: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The items */
  items: {
    /** The id of a product */
    product_id: string
    /** How many */
    quantity: number
    /** The price of one unit */
    price: number
  }[]
  /** When it was created */
  created_at: string
}
export interface ListedProduct {
  /** The id of a product */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The category */
  category: string
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The price of one unit in the currency, with at most as many decimals as the currency has; tax is included */
  price: number
  /** True if customers can see and buy the product */
  is_active: boolean
  /** When it was created */
  created_at: string
  /** Present with `include=slug` */
  slug?: string
  /** Ids of image files, in the order in which they are shown. Present with `include=images` */
  images?: string[]
}
export interface Lock {
  /** Whether new comments are refused */
  locked: boolean
}
export type LogInByPasskeyCredentialAuthenticatorAttachment = 'platform' | 'cross-platform'
export interface LogInByPasskeyRequest {
  /** The answer of the authenticator, by WebAuthn */
  credential: {
    /** base64url */
    id: string
    /** base64url */
    rawId: string
    /** The type */
    type: 'public-key'
    /** Whether the authenticator is a part of the device, by WebAuthn */
    authenticatorAttachment?: LogInByPasskeyCredentialAuthenticatorAttachment | undefined
    /** Ignored */
    clientExtensionResults?: Record<string, unknown> | undefined
    /** The answer */
    response: {
      /** base64url */
      clientDataJSON: string
      /** base64url */
      authenticatorData: string
      /** base64url */
      signature: string
      /** base64url */
      userHandle?: string | undefined
    }
  }
  /** The token of a login that needs a second factor; the passkey is that factor */
  mfa_token?: string | undefined
}
export type LogInResponse = (SignedIn & { mfa_required?: undefined }) | MfaRequired
export interface LogOutRequest {
  /** The sessions that end */
  scope?: LogOutScope | undefined
}
export type LogOutScope = 'this' | 'others' | 'all'
export interface Login {
  /** The email address */
  email: string
  /** The password */
  password: string
}
export interface MadeCreditEntry {
  /** The id of an entry */
  id: string
  /** The id of a member */
  member_id: string
  /** A currency: an ISO 4217 code in lower case */
  currency: string
  /** An amount above zero is credit that the member got; an amount below zero is credit that was used, taken or is owed */
  amount: number
  /** `operator`: given or taken with POST; `carried_over`: the balance before there was a ledger; `line`: time that was paid for and given up; `refund`: a bill was refunded to credit; `used`: a bill used it; `owed`: too small to be charged, so a later bill charges it; `billed`: what was owed is on a bill; `returned`: a bill ended unpaid, or was reduced, and gave back what it had used; `taken_back`: money that had become credit went back to its payer */
  kind: Open<CreditEntryKind>
  /** The bill that made or used the credit */
  bill_id: string | null
  /** The paid line from which the credit comes */
  bill_line_id: string | null
  /** The refund of a bill from which the credit comes */
  refund_id: string | null
  /** Why an operator gave or took the credit */
  reason: string | null
  /** The actor who made the entry: `secret_key`, `member`, `operator` or `system` */
  by: string
  /** When it was created */
  created_at: string
  /** The credit in this currency after the entry */
  balance: number
}
export interface MagicLinkRequest {
  /** The email address */
  email: string
  /** The page behind the link leads to this URL. The project must allow it */
  redirect_url?: string | undefined
  /** The SHA-256 of a random `code_verifier`, in base64url (PKCE, S256). Your site keeps the `code_verifier` and sends it with the token or the code: they log in only together */
  code_challenge?: string | undefined
  /** True creates a member when the link is used, if there is none with this address */
  create_member?: boolean | undefined
}
export interface Mail {
  /** The id */
  id: string
  /** The name of the mail */
  template: string
  /** The value after the change, or the recipient */
  to: string
  /** `suppressed`: not sent, because the address does not exist */
  state: Open<MailState>
  /** How often the mail server was asked to accept the mail */
  attempts: number
  /** `deferred`: the server did not accept the mail yet; `refused`: the server will never accept it; `bounced`: the mailbox does not exist; `expired`: the code in the mail was no longer valid */
  error: Open<MailError> | null
  /** The last answer of the mail server */
  response: string | null
  /** When it was created */
  created_at: string
  /** When it is tried again; null if it is not */
  next_attempt_at: string | null
  /** When it ended; null until then */
  finished_at: string | null
}
export type MailError = 'deferred' | 'refused' | 'bounced' | 'expired' | 'abandoned'
export interface MailInFull {
  /** The id */
  id: string
  /** The name of the mail */
  template: string
  /** The value after the change, or the recipient */
  to: string
  /** `suppressed`: not sent, because the address does not exist */
  state: Open<MailState>
  /** How often the mail server was asked to accept the mail */
  attempts: number
  /** `deferred`: the server did not accept the mail yet; `refused`: the server will never accept it; `bounced`: the mailbox does not exist; `expired`: the code in the mail was no longer valid */
  error: Open<MailError> | null
  /** The last answer of the mail server */
  response: string | null
  /** When it was created */
  created_at: string
  /** When it is tried again; null if it is not */
  next_attempt_at: string | null
  /** When it ended; null until then */
  finished_at: string | null
  /** The subject */
  subject: string
  /** The text */
  text: string
  /** A complete HTML page; show it in a sandboxed frame */
  html: string
  /** False: the mail was sent, so that its values are deleted, and these are examples */
  has_own_values: boolean
}
export type MailMode = 'now' | 'daily' | 'weekly' | 'never'
export interface MailPreview {
  /** The subject */
  subject: string
  /** The text */
  text: string
  /** A complete HTML page; show it in a sandboxed frame */
  html: string
}
export interface MailPreviewRequest {
  /** The name of the mail */
  template: MailPreviewTemplate
  /** Plain text with placeholders like `{{project}}` */
  subject?: string | undefined
  /** Plain text with placeholders like `{{project}}` */
  heading?: string | undefined
  /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
  body?: string | undefined
  /** The text on the button */
  action?: string | undefined
}
export type MailPreviewTemplate = 'account_deleted' | 'account_exists' | 'confirm_new_email' | 'email_changed' | 'factors_reset' | 'invitation' | 'invitation_accepted' | 'login_code' | 'magic_link' | 'operator_logged_in' | 'passkey_added' | 'password_changed' | 'reset_password' | 'verify_email' | 'subscription_bill_due' | 'subscription_bill_overdue' | 'subscription_receipt' | 'subscription_bill_reduced' | 'subscription_payment_failed' | 'subscription_renewal_notice' | 'subscription_canceled' | 'subscription_trial_ending' | 'data_ready' | 'member_suspended' | 'notification_digest' | 'order_receipt' | 'order_refund' | 'order_shipped' | 'webhook_endpoint_disabled' | 'webhook_endpoint_failing'
/** Send `token`, or send `email` and `code` */
export interface MailProof {
  /** The `token` of the link in the mail, or the `token` that our page added to `redirect_url` */
  token?: string | undefined
  /** The address; send it with `code`, and without `token` */
  email?: string | undefined
  /** The 6 digits in the mail */
  code?: string | undefined
  /** The random text from which your site made the `code_challenge`. It is required if the mail was requested with a `code_challenge` */
  code_verifier?: string | undefined
}
export interface MailSettings {
  /** Null: the name of the project */
  sender_name: string | null
  /** The address to which recipients reply */
  reply_to: string | null
  /** Null restores the default, #1f3a5f */
  accent_color: string | null
  /** Null restores the default, #f3f4f6 */
  background_color: string | null
  /** The text at the end of every mail; it can use `{{project}}` and `{{address}}` */
  footer: string | null
  /** Addresses that get a mail when something is wrong with the project */
  operator_addresses: string[]
  /** Whether a member gets a mail when an operator logs in as the member */
  operator_sessions_mailed: boolean
}
export interface MailSettingsChanges {
  /** Null: the name of the project */
  sender_name?: string | null | undefined
  /** The address to which recipients reply */
  reply_to?: string | null | undefined
  /** Null restores the default, #1f3a5f */
  accent_color?: string | null | undefined
  /** Null restores the default, #f3f4f6 */
  background_color?: string | null | undefined
  /** The text at the end of every mail; it can use `{{project}}` and `{{address}}` */
  footer?: string | null | undefined
  /** Addresses that get a mail when something is wrong with the project */
  operator_addresses?: string[] | undefined
  /** Whether a member gets a mail when an operator logs in as the member */
  operator_sessions_mailed?: boolean | undefined
}
export type MailState = 'queued' | 'sent' | 'failed' | 'suppressed'
export interface MailSuppression {
  /** The id of a suppressed address */
  id: string
  /** The address in lower case */
  address: string
  /** The mail that bounced */
  mail_id: string
  /** The answer */
  response: string
  /** When it was created */
  created_at: string
}
export interface MailTemplate {
  /** The name */
  name: string
  /** When the mail is sent */
  description: string
  /** The placeholders that the texts can use */
  placeholders: string[]
  /** Plain text with placeholders like `{{project}}` */
  subject: string
  /** Plain text with placeholders like `{{project}}` */
  heading: string
  /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
  body: string
  /** The text on the button */
  action: string | null
  /** True if the project has changed a text of this mail */
  is_own: boolean
}
export interface MailTemplateChanges {
  /** A member has deleted their own account. Null restores the default texts */
  account_deleted?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** Somebody signed up with the address of a member. Null restores the default texts */
  account_exists?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** A member has a new address; the mail is sent to the new address. Null restores the default texts */
  confirm_new_email?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** The address of a member has changed; the mail is sent to the old address. Null restores the default texts */
  email_changed?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** An operator has removed the second factors and passkeys of a member. Null restores the default texts */
  factors_reset?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** Somebody is invited to become a member. Null restores the default texts */
  invitation?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** A member who was created by an operator has accepted the invitation. Null restores the default texts */
  invitation_accepted?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** Somebody wants to log in without a password, and the project does not have exactly one URL for a link. Null restores the default texts */
  login_code?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** Somebody wants to log in without a password. Null restores the default texts */
  magic_link?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** Somebody of the team has logged in as the member for 15 minutes. Null restores the default texts */
  operator_logged_in?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** A member has a new passkey. Null restores the default texts */
  passkey_added?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** The password of a member has changed. Null restores the default texts */
  password_changed?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** Somebody has forgotten their password. Null restores the default texts */
  reset_password?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** Somebody signed up, or asked for this mail again. Null restores the default texts */
  verify_email?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** Sent to the member when a bill is due that the member pays by hand. Null restores the default texts */
  subscription_bill_due?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** Sent to the member when a bill is overdue that the member pays by hand. The subscription ends if nobody pays the bill. Null restores the default texts */
  subscription_bill_overdue?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** A bill was paid; sent to the member. Null restores the default texts */
  subscription_receipt?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** Sent to the member when a subscription ends before its bill was paid by hand. The bill is reduced to the used time. Null restores the default texts */
  subscription_bill_reduced?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** A renewal could not be charged, and will be tried again; sent to the member. Null restores the default texts */
  subscription_payment_failed?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** A subscription renews in `renewal_notice_days`; sent to the member. Null restores the default texts */
  subscription_renewal_notice?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** A subscription has ended because a bill was not paid; sent to the member. Null restores the default texts */
  subscription_canceled?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** A trial ends in three days, and a paid period follows; sent to the member. Null restores the default texts */
  subscription_trial_ending?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** Sent to a member who asked for their data: the archive is complete. Null restores the default texts */
  data_ready?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** A moderator has suspended the member, who can write nothing that others see until it ends. Null restores the default texts */
  member_suspended?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** New notifications that a member wants by mail: replies, mentions, news of feedback and others. One mail has all of them, and a member gets at most one mail an hour. Null restores the default texts */
  notification_digest?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
    /** The text on the button */
    action?: string | null | undefined
  } | null | undefined
  /** An order was paid. Null restores the default texts */
  order_receipt?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** An order is refunded, in full or in part. Null restores the default texts */
  order_refund?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** An order was sent. Null restores the default texts */
  order_shipped?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** An endpoint was disabled, because it answered 410 or no delivery succeeded for five days; sent to operators. Null restores the default texts */
  webhook_endpoint_disabled?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
  /** An endpoint is failing: no delivery has succeeded for 50, 70 or 90 % of five days; sent to operators. Null restores the default texts */
  webhook_endpoint_failing?: {
    /** Plain text with placeholders like `{{project}}` */
    subject?: string | null | undefined
    /** Plain text with placeholders like `{{project}}` */
    heading?: string | null | undefined
    /** Plain text with placeholders like `{{project}}`; an empty line ends a paragraph */
    body?: string | null | undefined
  } | null | undefined
}
export interface MatchedRule {
  /** The id of a rule */
  rule_id: string
  /** A path like `/courses/**`, or a host and a path like `example.com/courses/**`. `*` matches text within a segment of the path; `**` matches any number of segments, also none. At most 10 wildcards */
  url_pattern: string
  /** True for the rule that decides */
  decides: boolean
  /** How the pattern of the rule matches */
  match: Open<MatchedRuleMatch>
  /** The part of the pattern before its first wildcard; the rule with the longest part decides */
  literal_prefix: string
  /** Whether the pattern names a host */
  names_host: boolean
  /** When it was created */
  created_at: string
  /** The answer that this rule alone would give */
  would_allow: boolean
  /** Why */
  reason: Open<MatchedRuleReason>
}
export type MatchedRuleMatch = 'exact' | 'wildcard'
export type MatchedRuleReason = 'public' | 'allowed' | 'login_required' | 'plan_required' | 'feature_required' | 'too_new' | 'free_views_used' | 'inactive' | 'invalid_url'
export interface Member {
  /** The id of a member */
  id: string
  /** The email address */
  email: string
  /** Empty if it is not set */
  full_name: string
  /** Absent if it is not set */
  avatar_url?: string
  /** The status */
  status: Open<MemberStatus>
  /** The id of a plan */
  plan_id: string
  /** Free-form data */
  metadata: Record<string, unknown>
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** `member`, `admin` or a role that you define */
  role: string
}
export interface MemberChanges {
  /** The email address */
  email?: string | undefined
  /** Null or an empty string removes the value */
  full_name?: string | null | undefined
  /** Null removes the picture */
  avatar_url?: string | null | undefined
  /** The plan that the operator sets. It counts more than subscriptions and orders; null removes it. A change cancels a running subscription */
  plan_id?: string | null | undefined
  /** `member`, `admin` or a role that you define */
  role?: string | undefined
  /** The status */
  status?: MemberStatus | undefined
  /** These keys are added or replaced; a key set to null is removed; other keys are kept */
  metadata?: Record<string, unknown> | undefined
}
export interface MemberCreatedEvent {
  /** The type */
  type: 'member.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Member
}
export type MemberDeletedDataMode = 'soft' | 'anonymize'
export interface MemberDeletedEvent {
  /** The type */
  type: 'member.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** How it is done */
    mode: Open<MemberDeletedDataMode>
  }
}
export interface MemberEmailVerifiedEvent {
  /** The type */
  type: 'member.email_verified'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** The email address */
    email: string
  }
}
export interface MemberEntitlementsChangedEvent {
  /** The type */
  type: 'member.entitlements_changed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ChangedEntitlements
}
export interface MemberImport {
  /** The id of an import */
  id: string
  /** `failed`: the import stopped because of an error on our side; members that were created are kept */
  status: Open<MemberImportStatus>
  /** Whether it is only tried: nothing is changed */
  dry_run: boolean
  /** The number of rows in the file, without the header */
  total_rows: number
  /** The number of rows that are done */
  processed_rows: number
  /** The number of members that were created; in a dry run, that would be created */
  created: number
  /** The number of rows with faults */
  faulty: number
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
  /** The faults of the first faulty rows */
  faults: ImportFault[]
  /** The address of a CSV with all faulty rows and their reasons, for keys with `read:members`. Correct the rows and import the file again. Null if there are no faults */
  faults_url: string | null
}
export interface MemberImportProgress {
  /** The id of an import */
  id: string
  /** `failed`: the import stopped because of an error on our side; members that were created are kept */
  status: Open<MemberImportStatus>
  /** Whether it is only tried: nothing is changed */
  dry_run: boolean
  /** The number of rows in the file, without the header */
  total_rows: number
  /** The number of rows that are done */
  processed_rows: number
  /** The number of members that were created; in a dry run, that would be created */
  created: number
  /** The number of rows with faults */
  faulty: number
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
}
export type MemberImportStatus = 'queued' | 'running' | 'completed' | 'failed'
export type MemberInclude = 'role' | 'updated_at' | 'last_login_at'
export interface MemberMfaDisabledEvent {
  /** The type */
  type: 'member.mfa_disabled'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
  }
}
export interface MemberMfaEnabledEvent {
  /** The type */
  type: 'member.mfa_enabled'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** The second factor */
    factor: FactorSummary
  }
}
export interface MemberPasskeyAddedEvent {
  /** The type */
  type: 'member.passkey_added'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** The second factor */
    factor: FactorSummary
  }
}
export interface MemberPasskeyRemovedEvent {
  /** The type */
  type: 'member.passkey_removed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** The second factor */
    factor: FactorSummary
  }
}
export type MemberPasswordChangedDataBy = 'change' | 'reset' | 'invitation'
export interface MemberPasswordChangedEvent {
  /** The type */
  type: 'member.password_changed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** The thing that is counted, or the cause of the change */
    by: Open<MemberPasswordChangedDataBy>
  }
}
export interface MemberProfile {
  /** The id of a member */
  id: string
  /** The email address */
  email: string
  /** Empty if it is not set */
  full_name: string
  /** Absent if it is not set */
  avatar_url?: string
  /** The status */
  status: Open<MemberStatus>
  /** The id of a plan */
  plan_id: string
  /** Free-form data */
  metadata: Record<string, unknown>
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Present with `include=role` */
  role?: string
  /** The plan */
  plan: {
    /** The id of a plan */
    id: string
    /** The name */
    name: string
    /** The price that this member pays, in the currency of the plan */
    price: number
  }
  /** Absent until the first login */
  last_login_at?: string
  /** The chosen name. Empty if none is chosen */
  display_name?: string
  /** Empty if there is none */
  bio?: string
  /** The uploaded picture; null if there is none */
  avatar_file_id?: string | null
  /** Only while an operator is logged in as the member: the operator */
  operator_id?: string
}
export interface MemberRestoredEvent {
  /** The type */
  type: 'member.restored'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Member
}
export interface MemberSignedUpEvent {
  /** The type */
  type: 'member.signed_up'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Member
}
export type MemberSort = 'created_at' | 'email' | 'full_name'
export interface MemberSsoLinkedEvent {
  /** The type */
  type: 'member.sso_linked'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** The id of an SSO connection */
    connection_id: string
  }
}
export interface MemberStats {
  /** The sum */
  total: number
  /** The numbers by status */
  by_status: {
    /** The number of active ones */
    active: number
    /** The number of inactive ones */
    inactive: number
    /** The number of those who have not confirmed their address */
    pending: number
  }
  /** The plans that have members */
  by_plan: {
    /** The id of a plan */
    plan_id: string
    /** The number of members */
    members: number
  }[]
  /** The number of members that joined lately */
  created: {
    /** The number of the last 7 days */
    last_7_days: number
    /** The number of the last 30 days */
    last_30_days: number
  }
}
export type MemberStatus = 'active' | 'inactive' | 'pending'
export interface MemberSuspendedEvent {
  /** The type */
  type: 'member.suspended'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** Why, in words for the member */
    reason: string
    /** When it ends by itself; without it, a moderator ends it */
    until: string | null
  }
}
export interface MemberUnsuspendedEvent {
  /** The type */
  type: 'member.unsuspended'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a member */
    id: string
    /** The id of the member or key that ended it; null if it ended by itself */
    by: string | null
  }
}
export interface MemberUpdatedEvent {
  /** The type */
  type: 'member.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Member
}
export interface MemberWithPlan {
  /** The id of a member */
  id: string
  /** The email address */
  email: string
  /** Empty if it is not set */
  full_name: string
  /** Absent if it is not set */
  avatar_url?: string
  /** The status */
  status: Open<MemberStatus>
  /** The id of a plan */
  plan_id: string
  /** Free-form data */
  metadata: Record<string, unknown>
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Present with `include=role` */
  role?: string
  /** The plan */
  plan: {
    /** The id of a plan */
    id: string
    /** The name */
    name: string
    /** The price that this member pays, in the currency of the plan */
    price: number
  }
  /** Absent until the first login */
  last_login_at?: string
}
export interface Merge {
  /** The item that this item duplicates; null: it is no longer a duplicate */
  into: string | null
}
export interface Metrics {
  /** Visitors; for several days the sum of the visitors of each day */
  visitors?: number
  /** Visits: series of events of one visitor without a gap of 30 minutes */
  visits?: number
  /** Page views */
  pageviews?: number
  /** Custom events */
  events?: number
  /** Percent of visits with one page view and no event */
  bounce_rate?: number
  /** Average seconds from the first to the last event of a visit */
  visit_duration?: number
  /** Average number of page views of a visit */
  views_per_visit?: number
  /** Events that count for a goal */
  conversions?: number
  /** Percent of visitors who reached a goal */
  conversion_rate?: number
  /** Members, each counted once over the whole range */
  members?: number
}
/** The member has a second factor: send it to log in */
export interface MfaRequired {
  /** Whether it was done */
  success: true
  /** Always true: the log-in needs a second factor */
  mfa_required: true
  /** Send it to `POST /auth/mfa/verify` within 15 minutes */
  mfa_token: string
  /** The second factors of the member */
  factors: FactorSummary[]
}
export interface ModerationCase {
  /** The id of a case */
  id: string
  /** Why the post is here: members reported it or its text changed, or it waits before others see it: as a first post in a moderated category, or because of a rule */
  kind: Open<ModerationCaseKind>
  /** The id of the discussion, item of feedback or comment */
  target_id: string
  /** The discussion; null for feedback and its comments */
  discussion_id: string | null
  /** The item of feedback; null for discussions and their comments */
  feedback_id: string | null
  /** The number of reports that count towards hiding the post */
  report_count: number
  /** The sum of the weights of these reports: from the threshold of the project on, the post is hidden */
  weight: number
  /** The kinds of the moderation rules that found something in the post */
  held_by: Open<ModerationCaseHeldBy>[]
  /** The decision */
  decision: Open<ModerationCaseDecision> | null
  /** The reason of the decision */
  reason: string | null
  /** The id of the member or key that decided, or of the rule that is the moderation hook */
  decided_by: string | null
  /** When it was decided; null until then */
  decided_at: string | null
  /** When it was created */
  created_at: string
}
export type ModerationCaseDecision = 'approved' | 'removed'
export type ModerationCaseHeldBy = 'words' | 'links' | 'rate' | 'age' | 'duplicates' | 'hook'
export type ModerationCaseKind = 'reported' | 'held'
export interface ModerationRule {
  /** The id of a moderation rule */
  id: string
  /** `words`: a post has one of the words; `links`: it has more links than `max_links`; `rate`: its author has written `max_posts` in `per_minutes`; `age`: the author is new, by `younger_than_hours` or `fewer_posts_than`; `duplicates`: a post of the last `per_minutes` says the same, or nearly; `hook`: an outside service decides, see the guide */
  kind: Open<ModerationRuleKind>
  /** A name for the team */
  name: string
  /** Whether it is in use */
  enabled: boolean
  /** `hold`: a moderator looks at the post before others see it; `refuse`: the post is refused */
  action: Open<ModerationRuleAction>
  /** Only for authors who joined less than so many hours ago */
  younger_than_hours: number | null
  /** Only for authors with fewer posts that others can see */
  fewer_posts_than: number | null
  /** The number of words */
  word_count: number
  /** Only of `links`: more links than this are too many */
  max_links: number | null
  /** Only of `rate`: so many posts are allowed in the time */
  max_posts: number | null
  /** Only of `rate` and `duplicates`: the time, up to a day */
  per_minutes: number | null
  /** Only of `hook`: the https URL of the service, with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url: string | null
  /** Only of `hook`: what becomes of a post if the service gives no valid answer within 5 s. Default: `hold` */
  on_timeout: Open<ModerationRuleOnTimeout> | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Only of `words`: whole words, or several words in their order. Letters that look alike are the same, as are accents and case. A rule has at most 5,000, and all rules together 10,000 */
  words: string[]
}
export type ModerationRuleAction = 'hold' | 'refuse'
export interface ModerationRuleChanges {
  /** A name for the team. Null or an empty string removes the value */
  name?: string | null | undefined
  /** Whether it is in use */
  enabled?: boolean | undefined
  /** `hold`: a moderator looks at the post before others see it; `refuse`: the post is refused */
  action?: ModerationRuleAction | undefined
  /** Only for authors who joined less than so many hours ago */
  younger_than_hours?: number | null | undefined
  /** Only for authors with fewer posts that others can see */
  fewer_posts_than?: number | null | undefined
  /** Only of `words`: whole words, or several words in their order. Letters that look alike are the same, as are accents and case. A rule has at most 5,000, and all rules together 10,000 */
  words?: string[] | undefined
  /** Only of `links`: more links than this are too many */
  max_links?: number | undefined
  /** Only of `rate`: so many posts are allowed in the time */
  max_posts?: number | undefined
  /** Only of `rate` and `duplicates`: the time, up to a day */
  per_minutes?: number | undefined
  /** Only of `hook`: the https URL of the service, with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url?: string | undefined
  /** Only of `hook`: what becomes of a post if the service gives no valid answer within 5 s. Default: `hold` */
  on_timeout?: ModerationRuleOnTimeout | undefined
  /** Only of `hook`: the secret with which questions and answers are signed, `whsec_` and 24 to 64 bytes in base64. No answer shows it. A secret that is replaced is accepted for 24 hours more */
  secret?: string | undefined
}
export type ModerationRuleKind = 'words' | 'links' | 'rate' | 'age' | 'duplicates' | 'hook'
export type ModerationRuleOnTimeout = 'hold' | 'publish'
export interface ModerationVerdict {
  /** `publish`: the post is shown at once; otherwise the action of the rules that apply */
  action: Open<ModerationVerdictAction>
  /** The rules that apply */
  rules: {
    /** The id of a moderation rule */
    id: string
    /** `words`: a post has one of the words; `links`: it has more links than `max_links`; `rate`: its author has written `max_posts` in `per_minutes`; `age`: the author is new, by `younger_than_hours` or `fewer_posts_than`; `duplicates`: a post of the last `per_minutes` says the same, or nearly; `hook`: an outside service decides, see the guide */
    kind: Open<ModerationVerdictRuleKind>
    /** A name for the team */
    name: string
    /** `hold`: a moderator looks at the post before others see it; `refuse`: the post is refused */
    action: Open<ModerationVerdictRuleAction>
    /** The words, the number of links, or the fact about the author that the rule found */
    found: string
  }[]
}
export type ModerationVerdictAction = 'publish' | 'hold' | 'refuse'
export type ModerationVerdictRuleAction = 'hold' | 'refuse'
export type ModerationVerdictRuleKind = 'words' | 'links' | 'rate' | 'age' | 'duplicates' | 'hook'
export interface ModuleChanges {
  /** The title */
  title?: string | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
}
export interface ModuleOrder {
  /** The id of a module */
  id: string
  /** The lessons, in their order */
  lessons: string[]
}
export interface MovedId {
  /** The type of the line, such as `discussion` */
  record: string
  /** The id in the file */
  old_id: string
  /** The id in this project */
  new_id: string
  /** The address of the old id; null without a `discussion_url` of the project */
  old_url: string | null
  /** The address of the new id */
  new_url: string | null
}
export interface Mute {
  /** The id of a member */
  member_id: string
  /** When the member was muted */
  muted_at: string
}
export interface MuteMemberRequest {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface Muted {
  /** True if the member is muted */
  muted: boolean
}
export interface NewAppeal {
  /** The words of the author for the moderators */
  text: string
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface NewArticle {
  /** The title */
  title: string
  /** Markdown */
  content: string
  /** The id of a category of the help center */
  category_id?: string | null | undefined
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** Labels; articles with the same labels are related */
  labels?: string[] | undefined
  /** A language as a BCP 47 tag */
  locale?: string | undefined
  /** `public`: everybody can read it; `members`: only members; `internal`: only secret keys */
  visibility?: ArticleVisibility | undefined
  /** A reader must be on one of these plans; empty: no plan is needed */
  required_plans?: string[] | undefined
}
export interface NewBillRefund {
  /** `payment`: pay the money back; `credit`: keep it for the next bills of the member */
  to: BillRefundTo
  /** The amount to refund. Default: the rest of the lines; without lines, the rest of the bill */
  amount?: number | undefined
  /** The lines to refund. Default: all lines, in their order */
  lines?: {
    /** The id of a line of a bill */
    id: string
    /** Default: everything that is left of the line */
    amount?: number | undefined
  }[] | undefined
  /** Why */
  reason?: string | undefined
}
export interface NewCaption {
  /** The id of a file */
  file_id: string
  /** The language as a BCP 47 tag */
  language: string
  /** The words that people see */
  label: string
}
export interface NewCartItem {
  /** The id of a product */
  product_id: string
  /** Default: 1 */
  quantity?: number | undefined
  /** The id of a variant */
  variant_id?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface NewComment {
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** The member who writes. Required with a secret key. With a token it must be the member of the token */
  author_id?: string | undefined
  /** The comment of this discussion to which this is a reply */
  parent_id?: string | undefined
  /** The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody */
  attachments?: string[] | undefined
  /** Another name of `author_id` */
  member_id?: string | undefined
}
export interface NewCommunityImport {
  /** The id of the uploaded file: see `POST /storage/uploads` */
  upload_id: string
  /** True finds the same faults and creates nothing */
  dry_run?: boolean | undefined
}
export interface NewCourse {
  /** The title */
  title: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** A text of some sentences */
  description?: string | undefined
  /** The id of a file */
  thumbnail_file_id?: string | null | undefined
  /** The category */
  category?: string | undefined
  /** The level of knowledge that the course expects */
  level?: CourseLevel | undefined
  /** The duration of the course in hours */
  duration_hours?: number | undefined
  /** The price in the currency, with at most as many decimals as the currency has; 0: members can enroll themselves */
  price?: number | undefined
  /** The currency: an ISO 4217 code in lower case */
  currency?: string | undefined
  /** Access ends this number of days after the enrollment; null: it does not end */
  access_days?: number | null | undefined
  /** The largest number of members who are enrolled and have not completed the course; null: no limit. A grant enrolls a member beyond this limit, because it was paid for */
  capacity?: number | null | undefined
  /** Courses that a member must complete first */
  prerequisites?: string[] | undefined
  /** True: a member who completes the course gets a certificate */
  certificates?: boolean | undefined
}
export interface NewCreditEntry {
  /** An amount above zero gives credit; an amount below zero takes credit, at most the balance of the member. Zero is refused */
  amount: number
  /** A currency: an ISO 4217 code in lower case */
  currency: string
  /** Why an operator gave or took the credit */
  reason: string
}
export interface NewDiscount {
  /** The code that customers enter; upper and lower case are the same */
  code: string
  /** The percentage of the price, rounded half up once */
  percent?: number | null | undefined
  /** The amount in its currency; never more than the price of the products */
  amount?: number | null | undefined
  /** A currency: an ISO 4217 code in lower case */
  currency?: string | null | undefined
  /** The discount is valid from this time on */
  starts_at?: string | null | undefined
  /** The discount is valid before this time */
  ends_at?: string | null | undefined
  /** The largest number of uses by all members; null: no limit */
  max_uses?: number | null | undefined
  /** The largest number of uses by one member; null: no limit */
  max_uses_per_member?: number | null | undefined
  /** The products for which the discount counts; empty: all products */
  product_ids?: string[] | undefined
  /** Whether it is in use */
  is_active?: boolean | undefined
}
export interface NewDiscussion {
  /** The title */
  title: string
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** The member who writes. Required with a secret key. With a token it must be the member of the token */
  author_id?: string | undefined
  /** The slug of a category. With a secret key, a category that does not exist is created */
  category: string
  /** The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody */
  attachments?: string[] | undefined
  /** Another name of `author_id` */
  member_id?: string | undefined
}
export interface NewDiscussionCategory {
  /** The name */
  name: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** A text of some sentences */
  description?: string | undefined
  /** The position in lists; categories with the same position are sorted by age */
  position?: number | undefined
  /** Only members on one of these plans can read and write in this category; empty: everybody can */
  required_plans?: string[] | undefined
  /** True: the first post of a member waits for a moderator */
  moderated?: boolean | undefined
}
export interface NewEnrollment {
  /** The id of a course */
  course_id: string
  /** The id of the member who learns */
  student_id?: string | undefined
  /** The time when the access ends. Only a secret key can send it. Without it, the access ends as `access_days` of the course says; null: it does not end */
  expires_at?: string | null | undefined
  /** Another name of `student_id` */
  member_id?: string | undefined
}
export interface NewExport {
  /** `csv` by RFC 4180, or `json`: one submission in each line, as the API shows it */
  format?: ExportFormat | undefined
  /** True starts the CSV with a byte order mark, which some programs need to detect UTF-8 */
  bom?: boolean | undefined
  /** True leaves cells and headers that start with `=`, `+`, `-`, `@`, a tab or a carriage return as they are. By default a `'` is put before them, except before numbers, so that no spreadsheet runs them as formulas */
  raw?: boolean | undefined
  /** Only submissions with this status */
  status?: NewExportStatus | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** Only records with this text as a part of any value in `data`. Upper and lower case are the same */
  search?: string | undefined
  /** Only submissions of this member */
  member_id?: string | undefined
}
export type NewExportStatus = 'received' | 'spam'
export interface NewFeedback {
  /** The type of the item */
  type: FeedbackType
  /** The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  message: string
  /** The title. It can mention members as `message` does */
  title?: string | undefined
  /** The email address of the sender */
  email?: string | undefined
  /** The member who sends the item */
  user_id?: string | undefined
  /** Default: `private` for a bug, `public` for everything else */
  visibility?: FeedbackVisibility | undefined
  /** Free-form data: at most 50 keys, 16 KiB and 5 levels */
  metadata?: Record<string, unknown> | undefined
  /** The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody */
  attachments?: string[] | undefined
  /** Another name of `user_id` */
  member_id?: string | undefined
}
export interface NewFeedbackComment {
  /** Markdown */
  content: string
  /** The member who writes. A key can omit it for an official comment */
  author_id?: string | undefined
  /** True for a comment in the name of the team */
  official?: boolean | undefined
  /** `private`: seen by secret keys and moderators only */
  visibility?: FeedbackVisibility | undefined
  /** The ids of the files of the post. A file belongs to one post. With a token: own files that were uploaded with the purpose `attachment`. With a key: files of the author, or of nobody */
  attachments?: string[] | undefined
  /** Another name of `author_id` */
  member_id?: string | undefined
}
export interface NewForm {
  /** The name */
  name: string
  /** A text of some sentences */
  description?: string | undefined
  /** The purpose of the form */
  type?: FormType | undefined
  /** The fields, in the order in which they are shown */
  fields?: FormFieldInput[] | undefined
  /** The settings */
  settings?: FormSettings | undefined
}
export interface NewGoal {
  /** The name */
  name?: string | undefined
  /** The name of the event that the goal counts */
  event?: string | undefined
  /** A pattern for the paths of the page views that the goal counts; `*` matches any text within a segment, `**` matches any number of segments. Encoded and decoded characters are equal; answers have them decoded, without a slash at the end */
  page?: string | undefined
}
export interface NewHelpCategory {
  /** The name */
  name: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** A text of some sentences */
  description?: string | undefined
  /** The name or the address of a picture; your pages decide how to show it */
  icon?: string | undefined
  /** The parent category; null: the category is at the top level */
  parent_id?: string | null | undefined
  /** Categories are shown in the order of their positions */
  position?: number | undefined
}
export interface NewInvitation {
  /** The email address */
  email: string
  /** `member`, `admin` or a role that you define */
  role?: string | undefined
  /** The full name */
  full_name?: string | undefined
  /** The id of a plan */
  plan_id?: string | undefined
  /** The page behind the link leads to this URL. The project must allow it */
  redirect_url?: string | undefined
  /** After how many days it expires */
  expires_in_days?: number | undefined
}
export interface NewLesson {
  /** The title */
  title: string
  /** The type */
  type: LessonType
  /** Markdown */
  content?: string | undefined
  /** The address of the video or the file, if it is not a file of this project */
  url?: string | null | undefined
  /** The id of a file */
  file_id?: string | null | undefined
  /** Subtitles of a video; each is a file */
  captions?: NewCaption[] | undefined
  /** The duration in minutes */
  duration_minutes?: number | null | undefined
  /** The act that completes the lesson: `view`: the member says so; `percent`: 90 % of it; `quiz`: its quiz is passed; `manual`: a secret key says so */
  completion_rule?: LessonCompletionRule | undefined
  /** False: the course is complete without this lesson. If no lesson is required, all lessons are */
  required?: boolean | undefined
  /** The lesson opens this number of days after the enrollment */
  drip_days?: number | undefined
}
export interface NewListExport {
  /** The list */
  of: ListExportOf
  filters?: ListExportFilters | undefined
  /** True starts the CSV with a byte order mark, which some programs need to detect UTF-8 */
  bom?: boolean | undefined
  /** True leaves cells that look like formulas of spreadsheets as they are */
  raw?: boolean | undefined
}
export interface NewMember {
  /** The email address */
  email: string
  /** Without a password, the member cannot log in by password */
  password?: string | undefined
  /** `member`, `admin` or a role that you define */
  role?: string | undefined
  /** The full name */
  full_name?: string | undefined
  /** The address of the picture */
  avatar_url?: string | undefined
  /** Default: the default plan of the project */
  plan_id?: string | undefined
  /** The status */
  status?: MemberStatus | undefined
  /** Free-form data: at most 50 keys, 16 KiB and 5 levels */
  metadata?: Record<string, unknown> | undefined
  /** True sends a mail with a link. The member opens the link, confirms the address and sets a password */
  send_invitation?: boolean | undefined
}
export interface NewModerationRule {
  /** `words`: a post has one of the words; `links`: it has more links than `max_links`; `rate`: its author has written `max_posts` in `per_minutes`; `age`: the author is new, by `younger_than_hours` or `fewer_posts_than`; `duplicates`: a post of the last `per_minutes` says the same, or nearly; `hook`: an outside service decides, see the guide */
  kind: ModerationRuleKind
  /** A name for the team */
  name?: string | undefined
  /** Whether it is in use */
  enabled?: boolean | undefined
  /** `hold`: a moderator looks at the post before others see it; `refuse`: the post is refused */
  action?: ModerationRuleAction | undefined
  /** Only for authors who joined less than so many hours ago */
  younger_than_hours?: number | null | undefined
  /** Only for authors with fewer posts that others can see */
  fewer_posts_than?: number | null | undefined
  /** Only of `words`: whole words, or several words in their order. Letters that look alike are the same, as are accents and case. A rule has at most 5,000, and all rules together 10,000 */
  words?: string[] | undefined
  /** Only of `links`: more links than this are too many */
  max_links?: number | undefined
  /** Only of `rate`: so many posts are allowed in the time */
  max_posts?: number | undefined
  /** Only of `rate` and `duplicates`: the time, up to a day */
  per_minutes?: number | undefined
  /** Only of `hook`: the https URL of the service, with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url?: string | undefined
  /** Only of `hook`: what becomes of a post if the service gives no valid answer within 5 s. Default: `hold` */
  on_timeout?: ModerationRuleOnTimeout | undefined
  /** Only of `hook`: the secret with which questions and answers are signed, `whsec_` and 24 to 64 bytes in base64. No answer shows it. A secret that is replaced is accepted for 24 hours more */
  secret?: string | undefined
}
export interface NewModule {
  /** The title */
  title: string
  /** A text of some sentences */
  description?: string | undefined
}
export interface NewNotificationMessage {
  /** The text that members read: one line of plain text */
  text: string
  /** The notification leads to this http or https address */
  url?: string | undefined
  /** These members get the message */
  member_ids?: string[] | undefined
  /** Every active member with this plan gets the message */
  plan_id?: string | undefined
}
export interface NewOrderRefund {
  /** The amount to refund. Default: the paid price of the lines; without lines, the rest of the order */
  amount?: number | undefined
  /** The products that come back or were not delivered */
  lines?: {
    /** The id */
    id: string
    /** Default: everything that is left of the line */
    quantity?: number | undefined
  }[] | undefined
  /** True if the refunded products can be sold again */
  restock?: boolean | undefined
  /** Why */
  reason?: string | undefined
}
export interface NewPaymentAccount {
  /** `manual`: money is taken by hand */
  provider: PaymentAccountProvider
  /** The name */
  name: string
  /** True replaces the present default account. Default: true for the first account */
  is_default?: boolean | undefined
  /** Free-form data. The provider `manual` reads the fields below */
  settings?: {
    /** With `manual`: the instructions to pay. Mails about due bills show them */
    instructions?: string | undefined
    /** With `manual`: how many hours the stock of an unpaid order is reserved. Default: 168 */
    reserve_hours?: number | undefined
  } | undefined
  secrets?: PaymentAccountSecrets | undefined
  /** The publishable key of Stripe (`pk_…`). Browsers need it; payments show it beside `client_secret` */
  publishable_key?: string | undefined
}
export interface NewPlan {
  /** The name */
  name: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** A text of some sentences */
  description?: string | undefined
  /** The price in the currency, with at most as many decimals as the currency has */
  price: number
  /** A currency: an ISO 4217 code in lower case */
  currency?: string | undefined
  /** The unit of the billing period */
  interval?: PlanInterval | undefined
  /** The number of intervals in a billing period */
  interval_count?: number | undefined
  /** The days that are free at the beginning */
  trial_days?: number | undefined
  /** Keys of the features of the plan */
  features?: string[] | undefined
  /** Numbers and settings that your product reads */
  limits?: Record<string, unknown> | undefined
  /** The order of plans: a change to a plan with a higher rank is an upgrade */
  rank?: number | undefined
  /** The people who can see it */
  visibility?: PlanVisibility | undefined
  /** True replaces the present default plan. Members who are on that plan only because it was the default move to this plan within seconds */
  is_default?: boolean | undefined
}
export interface NewProduct {
  /** The name */
  name: string
  /** The price of one unit in the currency, with at most as many decimals as the currency has; tax is included */
  price: number
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** A text of some sentences */
  description?: string | undefined
  /** The category */
  category?: string | undefined
  /** A currency: an ISO 4217 code in lower case */
  currency?: string | undefined
  /** The tax in percent that the price includes */
  tax_percent?: number | null | undefined
  /** Ids of image files, in the order in which they are shown */
  images?: string[] | undefined
  /** The buyer gets this for each line of an order. Only `days` are multiplied by the quantity */
  grants?: {
    /** The id of the plan */
    plan_id?: string | undefined
    /** The features that come with it */
    features?: string[] | undefined
    /** The id of the course */
    course_id?: string | undefined
    /** The number of days that each unit lasts. Two units last twice as long: the second one begins when the first one ends. Default: it does not end */
    days?: number | undefined
  } | null | undefined
  /** How many hours the stock of an unpaid order is reserved if money is taken by hand; null: the number of the payment account. An order with several products is reserved for the smallest number */
  reserve_hours?: number | null | undefined
  /** True if customers can see and buy the product */
  is_active?: boolean | undefined
}
export interface NewProtectionRule {
  /** A path like `/courses/**`, or a host and a path like `example.com/courses/**`. `*` matches text within a segment of the path; `**` matches any number of segments, also none. At most 10 wildcards */
  url_pattern: string
  /** A member must be on one of these plans; empty: every active member may see the pages */
  required_plans?: string[] | undefined
  /** The address to which visitors are sent who may not see the page: an http(s) URL or a path */
  redirect_url?: string | null | undefined
  /** False: the rule protects nothing */
  is_active?: boolean | undefined
  /** Keys of features; a member must have all of them */
  features?: string[] | undefined
  /** A member must have been a member for this number of days */
  after_days?: number | null | undefined
  /** The number of pages in a calendar month (UTC) that a member without access may see; each path counts once */
  free_views?: number | null | undefined
}
export interface NewReport {
  /** The id of the discussion, item of feedback or comment */
  target_id: string
  /** Why */
  reason: string
  /** A note in the words of its author */
  note?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
/** `oidc` takes `issuer`, `client_id` and `client_secret`; `saml` takes `metadata` or `metadata_url` */
export interface NewSsoConnection {
  /** OpenID Connect or SAML 2.0 */
  type: SsoConnectionType
  /** The name that a login page shows */
  name: string
  /** False: nobody can log in by the connection */
  enabled?: boolean | undefined
  /** The domains of the addresses that log in by the connection. It is shown to these addresses only, and new members must have such an address. Empty: it is shown to everybody. A SAML connection needs domains to find an existing member by the address */
  domains?: string[] | undefined
  /** True: addresses of the domains can log in by this connection only */
  required?: boolean | undefined
  /** The issuer of an OpenID provider; its discovery document is read */
  issuer?: string | undefined
  /** The client id that the OpenID provider gave you */
  client_id?: string | undefined
  /** The client secret. It is stored encrypted and never shown; a public client has none */
  client_secret?: string | undefined
  /** The metadata of the SAML provider, as XML */
  metadata?: string | undefined
  /** The address of the metadata of the SAML provider. It is read now, and again each time when it is sent */
  metadata_url?: string | undefined
}
export interface NewStatus {
  /** The status */
  status: StatusStatus
  /** A note on the status in plain text. It is shown with the status, sent in mails, and shown in the changelog */
  note?: string | undefined
  /** True sends a mail to the voters. Default: true if the status changes */
  notify_voters?: boolean | undefined
}
export interface NewStreamTicket {
  /** The topics of the stream. `GET /stream` describes them */
  topics: string[]
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface NewSubmission {
  /** Values by field id. The value of a file field is the id of a stored file, with a secret key only */
  data: Record<string, string | number | boolean | string[] | null>
  /** The member who submits the form; with a secret key only */
  member_id?: string | undefined
  /** The token of the form as it was read */
  token?: string | undefined
}
export interface NewSubscription {
  /** The member who subscribes; not needed with a token */
  member_id?: string | undefined
  /** The id of a plan */
  plan_id: string
  /** Default: true if the plan has a trial and the member has not used it. `true` answers 422 if there is no trial */
  trial?: boolean | undefined
  /** Default: the default account of the project. A member’s token can name no other one */
  payment_account_id?: string | undefined
}
export interface NewSuspension {
  /** Why, in words for the member */
  reason: string
  /** When it ends by itself; without it, a moderator ends it */
  until?: string | undefined
}
export interface NewTranslation {
  /** The title */
  title: string
  /** Markdown */
  content: string
}
export interface NewVariant {
  /** The name */
  name?: string | undefined
  /** Unique in the project */
  sku?: string | null | undefined
  /** The attributes in which the variant differs from the others */
  options?: Record<string, string> | undefined
  /** The price of the variant. Default: the price of the product */
  price?: number | null | undefined
  /** Whether it is in use */
  is_active?: boolean | undefined
  /** `stock.low` is sent when the number of units falls to this number */
  low_stock?: number | undefined
  /** The number of units. Null or absent: the stock is not counted */
  stock?: number | null | undefined
}
export interface NewWebhookEndpoint {
  /** An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url: string
  /** Types of events, groups like `form.*`, or `*` for all */
  events: string[]
  /** A text of some sentences */
  description?: string | undefined
  /** Whether it is in use */
  enabled?: boolean | undefined
  /** The content of `data`: `full` is the object; `thin` is only its id and kind */
  payload?: WebhookEndpointPayload | undefined
  /** True: deliveries are sent one at a time, in the order of events; a delivery that fails delays the later ones */
  fifo?: boolean | undefined
  /** The largest number of deliveries per second */
  rate_limit?: number | null | undefined
  /** Headers that are sent with every delivery and never shown. Connection headers, `Host`, `Content-*` and `webhook-*` are not allowed */
  headers?: Record<string, string> | undefined
  /** `hmac`: signatures `v1` with a shared secret; `ed25519`: signatures `v1a`, verified with a public key */
  signing?: WebhookEndpointSigning | undefined
}
export interface NextBill {
  /** When the bill will be made */
  date: string
  /** The plan of the period that the bill is for */
  plan_id: string
  /** The total is the sum of the lines */
  lines: BillDraftLine[]
  /** The amount that will be charged, after the credit of the member */
  total: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
}
export interface NoticeReceived {
  /** False if the message came before, or is not about this project */
  received: boolean
}
export interface Notification {
  /** The id of a notification */
  id: string
  /** The kind of the notification */
  kind: Open<NotificationKind>
  /** At most three members who did it, the last one first. Empty if no member did it */
  actors: Author[]
  /** The number of members who did it. Only likes of the same post are counted together */
  count: number
  /** The thing that it is about */
  target: NotificationTarget
  /** One line of plain text that says what happened */
  text: string
  /** When it was created */
  created_at: string
  /** Null until the member reads it */
  read_at: string | null
}
export type NotificationKind = 'reply' | 'mention' | 'answer' | 'like' | 'feedback_status' | 'moderation' | 'order' | 'course' | 'certificate' | 'invitation' | 'message'
export interface NotificationMessage {
  /** The id of the message */
  id: string
  /** The text that members read: one line of plain text */
  text: string
  /** The address of the page or of the message. Null if the project has not set the addresses of such pages */
  url: string | null
  /** When it was created */
  created_at: string
}
export interface NotificationPreferenceChanges {
  /** The IANA time zone in which daily and weekly mails come; null for the time zone of the project */
  time_zone?: string | null | undefined
  /** How notifications of this kind reach the member: replies in your discussions and to your feedback */
  reply?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: mentions of you */
  mention?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: answers */
  answer?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: likes */
  like?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: news of feedback that you voted for */
  feedback_status?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: decisions about your posts */
  moderation?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: your orders */
  order?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: your courses */
  course?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: your certificates */
  certificate?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: your invitation */
  invitation?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** How notifications of this kind reach the member: messages of the team */
  message?: {
    /** Whether notifications of this kind are listed */
    in_product?: boolean | null | undefined
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail?: MailMode | null | undefined
  } | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface NotificationPreferences {
  /** The IANA time zone in which daily and weekly mails come; null for the time zone of the project */
  time_zone: string | null
  /** How notifications of this kind reach the member: replies in your discussions and to your feedback */
  reply: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: mentions of you */
  mention: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: answers */
  answer: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: likes */
  like: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: news of feedback that you voted for */
  feedback_status: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: decisions about your posts */
  moderation: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: your orders */
  order: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: your courses */
  course: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: your certificates */
  certificate: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: your invitation */
  invitation: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
  /** How notifications of this kind reach the member: messages of the team */
  message: {
    /** Whether notifications of this kind are listed */
    in_product: boolean
    /** `now`: soon, at most one mail an hour with all that came meanwhile; `daily`: at 8 in the morning; `weekly`: on Mondays at 8; `never`: no mail */
    mail: Open<MailMode>
  }
}
export interface NotificationTarget {
  /** The thing that the notification is about. For a comment on feedback it is the item */
  type: Open<NotificationTargetType>
  /** Its id */
  id: string
  /** The title. A comment has the title of its discussion, and an order has its number */
  title: string | null
  /** The address of the page or of the message. Null if the project has not set the addresses of such pages */
  url?: string
}
export type NotificationTargetType = 'discussion' | 'comment' | 'feedback' | 'order' | 'course' | 'certificate' | 'member' | 'message'
export interface OfferedSsoConnection {
  /** The id of an SSO connection */
  id: string
  /** OpenID Connect or SAML 2.0 */
  type: Open<OfferedSsoConnectionType>
  /** The name that a login page shows */
  name: string
  /** True: addresses of the domains can log in by this connection only */
  required: boolean
}
export type OfferedSsoConnectionType = 'oidc' | 'saml'
export interface Order {
  /** The id of an order */
  id: string
  /** A number for people; it is unique in the project */
  number: string
  /** The member who bought the order */
  member_id: string
  /** The status */
  status: Open<OrderStatus>
  /** Why it was canceled; null if it was not */
  cancel_reason: Open<OrderCancelReason> | null
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The bought items, in the short form of lists */
  items: {
    /** The id of a product */
    product_id: string
    /** How many */
    quantity: number
    /** The price of one unit */
    price: number
  }[]
  /** The bought items, in full */
  lines: OrderLine[]
  /** The price before the discount */
  subtotal: number
  /** The amount that the discount takes off */
  discount: number
  /** The code of the discount; null without one */
  discount_code: string | null
  /** The tax that the total includes */
  tax: number
  /** The amount to pay */
  total: number
  /** The amount that was paid */
  paid_amount: number
  /** The amount that was paid back */
  refunded_amount: number
  /** The addresses of delivery and of the bill */
  addresses: {
    /** The address of the delivery */
    shipping?: Address
    /** The address of the bill */
    billing?: Address
  } | null
  /** A note in the words of its author */
  note: string | null
  /** The number of the parcel */
  tracking_number: string | null
  /** The address of the page that follows the parcel */
  tracking_url: string | null
  /** When the stock of an unpaid order is released, the order is canceled, and its items return to the cart */
  reserved_until: string
  /** Null if there is nothing to pay, or if an operator marked the order as paid */
  payment: Payment | null
  /** The refunds, with their times */
  refunds: OrderRefund[]
  /** All changes of the status, the oldest first */
  history: OrderHistoryEntry[]
  /** The statuses to which the order can change */
  allowed_transitions: Open<OrderStatus>[]
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export type OrderCancelReason = 'expired' | 'by_customer' | 'by_operator'
export interface OrderCanceledEvent {
  /** The type */
  type: 'order.canceled'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Order
}
export interface OrderCompletedEvent {
  /** The type */
  type: 'order.completed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Order
}
export interface OrderCreatedEvent {
  /** The type */
  type: 'order.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Order
}
export interface OrderDisputedEvent {
  /** The type */
  type: 'order.disputed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Order
}
export interface OrderFulfilledEvent {
  /** The type */
  type: 'order.fulfilled'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Order
}
export interface OrderHistoryEntry {
  /** The value before */
  from: Open<OrderStatus> | null
  /** The value after the change, or the recipient */
  to: Open<OrderStatus>
  /** Why */
  reason: string | null
  /** The id of the key or member; otherwise the kind of actor, such as `system` */
  by: string
  /** When it was created */
  created_at: string
}
export interface OrderLine {
  /** The id */
  id: string
  /** The id of a product */
  product_id: string
  /** The id of a variant */
  variant_id: string | null
  /** The name of the product when it was bought */
  name: string
  /** The name of the variant; null without one */
  variant_name: string
  /** The number in stock keeping; null without one */
  sku: string | null
  /** How many */
  quantity: number
  /** The price of one unit in the currency, with at most as many decimals as the currency has; tax is included */
  price: number
  /** The share of the discount for this line */
  discount: number
  /** The tax that the price has in it, in percent */
  tax_percent: number | null
  /** The tax that the total includes */
  tax: number
  /** The amount to pay for the line */
  total: number
  /** The things that a buyer is given */
  grants: ProductGrants | null
  /** How many were paid back */
  refunded_quantity: number
}
export interface OrderPaidEvent {
  /** The type */
  type: 'order.paid'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Order
}
export interface OrderReason {
  /** Why */
  reason?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface OrderRefund {
  /** The id */
  id: string
  /** The amount that is refunded */
  amount: number
  /** The status */
  status: Open<OrderRefundStatus>
  /** The lines */
  lines: {
    /** The id */
    id: string
    /** How many */
    quantity: number
  }[]
  /** Whether the goods are back in stock */
  restocked: boolean
  /** Why */
  reason: string | null
  /** When it was created */
  created_at: string
}
export type OrderRefundStatus = 'pending' | 'succeeded' | 'failed'
export interface OrderRefundedEvent {
  /** The type */
  type: 'order.refunded'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Order
}
export type OrderSort = 'created_at' | 'total'
export type OrderStatus = 'pending_payment' | 'paid' | 'fulfilled' | 'completed' | 'canceled' | 'refunded'
export interface OrderSummary {
  /** The id of an order */
  id: string
  /** The status */
  status: Open<OrderStatus>
  /** The amount to pay */
  total: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The items */
  items: {
    /** The id of a product */
    product_id: string
    /** How many */
    quantity: number
    /** The price of one unit */
    price: number
  }[]
  /** When it was created */
  created_at: string
  /** A number for people; it is unique in the project */
  number: string
  /** The member who bought the order */
  member_id: string
  /** The amount that was paid back */
  refunded_amount: number
}
export interface OutlineLesson {
  /** The id of a lesson */
  id: string
  /** The title */
  title: string
  /** The type */
  type: Open<OutlineLessonType>
  /** The duration in minutes */
  duration_minutes: number | null
  /** The act that completes the lesson: `view`: the member says so; `percent`: 90 % of it; `quiz`: its quiz is passed; `manual`: a secret key says so */
  completion_rule: Open<OutlineLessonCompletionRule>
  /** False: the course is complete without this lesson. If no lesson is required, all lessons are */
  required: boolean
  /** The lesson opens this number of days after the enrollment */
  drip_days: number
  /** The id of a quiz */
  quiz_id: string | null
  /** Only with the token of a member */
  is_completed?: boolean
  /** Whole percent, rounded down */
  progress_percentage?: number
  /** When the lesson opens for the enrolled member */
  opens_at?: string
}
export type OutlineLessonCompletionRule = 'view' | 'percent' | 'quiz' | 'manual'
export type OutlineLessonType = 'video' | 'text' | 'quiz' | 'file'
export interface OutlineModule {
  /** The id of a module */
  id: string
  /** The title */
  title: string
  /** A text of some sentences */
  description: string
  /** The lessons, in their order */
  lessons: OutlineLesson[]
}
export interface OutlineOrder {
  /** The modules, in their order */
  modules: ModuleOrder[]
}
/** The key of the request. A public key gets only id, type, environment and capabilities; the token of an operator gets who it is of */
export type OwnApiKey = {
  /** The id of an API key */
  id: string
  /** The name */
  name: string
  /** The type */
  type: Open<OwnApiKeyType>
  /** The first characters of the key */
  prefix: string
  /** The permissions of a secret key; empty for a public key */
  permissions?: string[]
  /** The capabilities of a public key; empty for a secret key */
  capabilities?: string[]
  /** Addresses and ranges that may use the key; empty: every address may */
  allowed_ips: string[]
  /** Origins that may use the key; empty: the allowed origins of the project */
  allowed_origins: string[]
  /** The member or user that created it; null if unknown */
  created_by: string | null
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string | null
  /** When it was revoked; null if it was not */
  revoked_at: string | null
  /** Updated every few seconds while the key is used */
  last_used_at: string | null
  /** The environment: `live` or `test` */
  environment: Open<OwnApiKeyEnvironment>
  /** Requests per minute */
  rate_limit: number
  /** The `aud` of access tokens of members in this environment, for servers that verify them */
  token_audience: string
} | {
  /** The id of an API key */
  id: string
  /** The type */
  type: Open<OwnApiKeyType>
  /** The environment: `live` or `test` */
  environment: Open<OwnApiKeyEnvironment>
  /** The capabilities of a public key; empty for a secret key */
  capabilities?: string[]
} | {
  /** The id of the operator */
  id: string
  /** The token of an operator */
  type: 'operator'
  /** The environment: `live` or `test` */
  environment: Open<OwnApiKeyEnvironment>
  /** The role of the operator in the project */
  role: Open<OwnApiKeyRole>
  /** Requests per minute */
  rate_limit: number
  /** The `aud` of access tokens of members in this environment, for servers that verify them */
  token_audience: string
  /** When the token expires */
  expires_at: string
}
export type OwnApiKeyEnvironment = 'live' | 'test'
export type OwnApiKeyRole = 'viewer' | 'admin' | 'owner'
export type OwnApiKeyType = 'public' | 'secret'
export interface OwnProof {
  /** The password of the member */
  password?: string | undefined
  /** A code of the authenticator app, or a recovery code */
  code?: string | undefined
}
export interface PageCheck {
  /** An http(s) URL, or a path that starts with `/`; query and fragment are ignored */
  url: string
  /** The id of a member. Default: an anonymous visitor; with a token, the member of the token */
  member_id?: string | undefined
  /** True asks for a signed grant */
  grant?: boolean | undefined
}
export interface PageChecks {
  /** At most 100 checks */
  checks: PageCheck[]
}
export interface PageDecision {
  /** Whether the page may be seen */
  allowed: boolean
  /** The reason of the answer */
  reason: Open<PageDecisionReason>
  /** The id of a rule */
  rule_id: string | null
  /** The plans that the rule requires. Only secret keys see plans here that are not public */
  required_plans: string[]
  /** The address to which the visitor is sent; null if the page may be seen */
  redirect_url: string | null
  /** A JWS that is valid for 60 seconds (`typ` `page-grant+jwt`); present if a grant was asked for and the page may be seen */
  grant?: string
}
export type PageDecisionReason = 'public' | 'allowed' | 'login_required' | 'plan_required' | 'feature_required' | 'too_new' | 'free_views_used' | 'inactive' | 'invalid_url'
export interface PageExplanation {
  /** The host as it is compared with patterns */
  host: string | null
  /** The path as it is compared with patterns; null if the URL is invalid */
  path: string | null
  /** Whether the page may be seen */
  allowed: boolean
  /** Why */
  reason: Open<PageExplanationReason>
  /** The number of active rules that match */
  matches: number
  /** The active rules that match, the deciding rule first: at most 1,000 */
  rules: MatchedRule[]
}
export type PageExplanationReason = 'public' | 'allowed' | 'login_required' | 'plan_required' | 'feature_required' | 'too_new' | 'free_views_used' | 'inactive' | 'invalid_url'
export interface PageQuestion {
  /** An http(s) URL, or a path that starts with `/`; query and fragment are ignored */
  url: string
  /** The id of a member. Default: an anonymous visitor; with a token, the member of the token */
  member_id?: string | undefined
}
export interface Pageview {
  /** The address of the page. The query is not stored, except for campaign tags (`utm_*`) */
  url: string
  /** The title */
  title?: string | undefined
  /** The size of the screen */
  screen?: string | undefined
  /** The address of the previous page, as the browser sends it */
  referrer?: string | undefined
  /** Free-form data: at most 50 keys, 16 KiB and 5 levels */
  properties?: Record<string, unknown> | undefined
  /** The member who caused the event. With a token it must be the member of the token; with a public key it is not allowed */
  user_id?: string | undefined
  /** An id that you choose for the session */
  session_id?: string | undefined
  /** An id that you choose for the event. A second event with the same id within 8 days is not stored */
  event_id?: string | undefined
  /** When the event happened: at most 7 days ago and at most 5 minutes ahead. Default: now */
  timestamp?: string | undefined
  /** The IP address of your visitor; allowed with a secret key only. It gives the country, is hashed, and is never stored */
  ip?: string | undefined
  /** The user agent of your visitor; allowed with a secret key only. It is read and never stored */
  user_agent?: string | undefined
  /** Another name of `user_id` */
  member_id?: string | undefined
}
export interface Pagination {
  /** The number of the page; absent if a cursor was sent */
  page?: number
  /** The largest number of records on a page */
  limit: number
  /** The number of all matching records; absent if a cursor was sent */
  total?: number
  /** The number of pages; absent if a cursor was sent */
  total_pages?: number
  /** True if there are more records than `total`, because a search stops counting there */
  total_capped?: true
  /** Send it as `cursor` to get the next page; null on the last page. Every page takes the same time */
  next_cursor: string | null
}
/** Options for `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create` */
export interface PasskeyCreationOptions {
  /** The site that the passkey is for, by WebAuthn */
  rp: {
    /** The id */
    id: string
    /** The name */
    name: string
  }
  /** The owner of the passkey, by WebAuthn */
  user: {
    /** The id */
    id: string
    /** The name */
    name: string
    /** The name that people see */
    displayName: string
  }
  /** base64url */
  challenge: string
  /** The algorithms that are accepted, by WebAuthn */
  pubKeyCredParams: {
    /** The type */
    type: 'public-key'
    /** The number of the algorithm, by COSE */
    alg: number
  }[]
  /** Milliseconds */
  timeout: number
  /** The passkeys that the member has already */
  excludeCredentials: {
    /** base64url */
    id: string
    /** The type */
    type: 'public-key'
    /** How the authenticator is reached, by WebAuthn */
    transports: Open<PasskeyCreationOptionsExcludeCredentialTransport>[]
  }[]
  /** The authenticators that are accepted, by WebAuthn */
  authenticatorSelection: {
    /** Whether the authenticator keeps the passkey, by WebAuthn */
    residentKey: string
    /** Whether the authenticator must keep the passkey, by WebAuthn */
    requireResidentKey: boolean
    /** Whether the authenticator asks for a fingerprint or a PIN, by WebAuthn */
    userVerification: string
  }
  /** The attestation that is asked for, by WebAuthn */
  attestation: string
}
export type PasskeyCreationOptionsExcludeCredentialTransport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'
/** Options for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get` */
export interface PasskeyRequestOptions {
  /** The domain that the passkey is for */
  rpId: string
  /** base64url */
  challenge: string
  /** Milliseconds */
  timeout: number
  /** Whether the authenticator asks for a fingerprint or a PIN, by WebAuthn */
  userVerification: string
}
export interface PayOrderRequest {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface Payment {
  /** The id of a payment */
  id: string
  /** `requires_action`: the payer must enter or confirm something, with `client_secret`; `pending`: the payment is not decided yet */
  status: Open<PaymentStatus>
  /** The amount, in the currency beside it */
  amount: number
  /** The refunds of the order, finished or under way */
  amount_refunded: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** For the script of the provider in the browser; present only while the payer must do something */
  client_secret?: string
  /** The publishable key of the payment account, for the script of the provider; present with `client_secret` if the account has one */
  publishable_key?: string
  /** The id at the payment provider */
  provider_reference: string | null
  /** Why the payment failed, in the words of the provider */
  failure: string | null
  /** The state of a dispute, in which the payer asked their bank for the money back. `open`: the bank has not decided; `lost`: the payer got the money back, which counts as refunded; null: there is no dispute */
  dispute: Open<PaymentDispute> | null
  /** The reason of the dispute, in the words of the provider */
  dispute_reason: string | null
  /** When it was created */
  created_at: string
}
export interface PaymentAccount {
  /** The id of a payment account */
  id: string
  /** `manual`: money is taken by hand */
  provider: Open<PaymentAccountProvider>
  /** The name */
  name: string
  /** True for the account with which new subscriptions and orders are paid */
  is_default: boolean
  /** Free-form data */
  settings: Record<string, unknown>
  /** True if there is a secret key */
  has_secrets: boolean
  /** True if messages of the provider can be checked */
  has_webhook_secret: boolean
  /** The publishable key of Stripe (`pk_…`). Browsers need it; payments show it beside `client_secret` */
  publishable_key: string | null
  /** The address to which the provider sends its messages */
  webhook_url: string
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface PaymentAccountChanges {
  /** The name */
  name?: string | undefined
  /** Whether it is used where none is named */
  is_default?: boolean | undefined
  /** Free-form data. The provider `manual` reads the fields below */
  settings?: {
    /** With `manual`: the instructions to pay. Mails about due bills show them */
    instructions?: string | undefined
    /** With `manual`: how many hours the stock of an unpaid order is reserved. Default: 168 */
    reserve_hours?: number | undefined
  } | undefined
  secrets?: PaymentAccountSecretChanges | undefined
  /** The publishable key of Stripe (`pk_…`). Browsers need it; payments show it beside `client_secret` */
  publishable_key?: string | null | undefined
}
export type PaymentAccountProvider = 'manual' | 'stripe'
/** The secrets of the account; stored encrypted and never shown */
export interface PaymentAccountSecretChanges {
  /** The secret key of Stripe (`sk_…`), or a restricted one (`rk_…`). The test side takes test keys, the live side live ones. It is tried once */
  secret_key?: string | undefined
  /** The signing secret (`whsec_…`) of the webhook endpoint that you add at Stripe for `webhook_url`. It can be sent later with PATCH; until then messages are refused and a worker asks about payments instead */
  webhook_secret?: string | undefined
}
/** The secrets of the account; stored encrypted and never shown */
export interface PaymentAccountSecrets {
  /** The secret key of Stripe (`sk_…`), or a restricted one (`rk_…`). The test side takes test keys, the live side live ones. It is tried once */
  secret_key: string
  /** The signing secret (`whsec_…`) of the webhook endpoint that you add at Stripe for `webhook_url`. It can be sent later with PATCH; until then messages are refused and a worker asks about payments instead */
  webhook_secret?: string | undefined
}
export interface PaymentData {
  /** The id of a payment */
  id: string
  /** The id of a member */
  member_id: string
  /** The id of the bill */
  bill_id: string | null
  /** The object of the payment: a bill or an order */
  order_id: string | null
  /** `requires_action`: the payer must enter or confirm something, with `client_secret`; `pending`: the payment is not decided yet */
  status: Open<PaymentStatus>
  /** The amount, in the currency beside it */
  amount: number
  /** The refunds of the order, finished or under way */
  amount_refunded: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The id at the payment provider */
  provider_reference: string | null
  /** Why the payment failed, in the words of the provider */
  failure: string | null
  /** The state of a dispute, in which the payer asked their bank for the money back. `open`: the bank has not decided; `lost`: the payer got the money back, which counts as refunded; null: there is no dispute */
  dispute: Open<PaymentDispute> | null
  /** The reason of the dispute, in the words of the provider */
  dispute_reason: string | null
  /** When it was created */
  created_at: string
}
export type PaymentDispute = 'open' | 'won' | 'lost'
export interface PaymentFailedEvent {
  /** The type */
  type: 'payment.failed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: PaymentData
}
export interface PaymentMethodSetup {
  /** For the script of the provider in the browser */
  client_secret: string
  /** The publishable key of the payment account, if it has one */
  publishable_key?: string
}
export type PaymentStatus = 'requires_action' | 'pending' | 'succeeded' | 'failed' | 'canceled'
export interface PaymentSucceededEvent {
  /** The type */
  type: 'payment.succeeded'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: PaymentData
}
export interface Pin {
  /** Whether it is shown first */
  pinned: boolean
}
export interface Plan {
  /** The id of a plan */
  id: string
  /** The name */
  name: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** A text of some sentences */
  description: string
  /** The price in the currency, with at most as many decimals as the currency has */
  price: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The unit of the billing period */
  interval: Open<PlanInterval>
  /** The number of intervals in a billing period */
  interval_count: number
  /** The days that are free at the beginning */
  trial_days: number
  /** Keys of the features of the plan */
  features: string[]
  /** Numbers and settings that your product reads */
  limits: Record<string, unknown>
  /** The order of plans: a change to a plan with a higher rank is an upgrade */
  rank: number
  /** The people who can see it */
  visibility: Open<PlanVisibility>
  /** The status */
  status: Open<PlanStatus>
  /** True for the plan that new members get */
  is_default: boolean
  /** The number of members on the plan */
  member_count: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface PlanAfterMove {
  /** The id of a plan */
  id: string
  /** The name */
  name: string
}
export interface PlanArchivedEvent {
  /** The type */
  type: 'plan.archived'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Plan
}
export interface PlanBeforeMove {
  /** The id of a plan */
  id: string
  /** The name */
  name: string
}
export interface PlanChanges {
  /** The name */
  name?: string | undefined
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
  /** The price in the currency, with at most as many decimals as the currency has */
  price?: number | undefined
  /** A currency: an ISO 4217 code in lower case */
  currency?: string | undefined
  /** The unit of the billing period */
  interval?: PlanInterval | undefined
  /** The number of intervals in a billing period */
  interval_count?: number | undefined
  /** The days that are free at the beginning */
  trial_days?: number | undefined
  /** Keys of the features of the plan */
  features?: string[] | undefined
  /** Numbers and settings that your product reads */
  limits?: Record<string, unknown> | undefined
  /** The order of plans: a change to a plan with a higher rank is an upgrade */
  rank?: number | undefined
  /** The people who can see it */
  visibility?: PlanVisibility | undefined
  /** True replaces the present default plan. Members who are on that plan only because it was the default move to this plan within seconds */
  is_default?: boolean | undefined
}
export interface PlanCreatedEvent {
  /** The type */
  type: 'plan.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Plan
}
export interface PlanDeletedEvent {
  /** The type */
  type: 'plan.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a plan */
    id: string
  }
}
export type PlanInterval = 'month' | 'year' | 'one_time' | 'free'
export type PlanSort = 'rank' | 'name' | 'created_at'
export type PlanStatus = 'active' | 'archived'
export interface PlanUpdatedEvent {
  /** The type */
  type: 'plan.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Plan
}
export type PlanVisibility = 'public' | 'hidden'
export interface PostFile {
  /** The id of a file */
  id: string
  /** The name that people see */
  name: string
  /** Bytes */
  size: number
  /** The type that was detected from the bytes */
  content_type: string
  /** The address of the bytes, for 5 to 10 minutes; read the post again after that. It stops working at once if the post is removed or the file is taken out of it */
  url: string
  /** When the addresses stop working */
  expires_at: string
  /** The width of a picture in pixels, as it is shown. Null until a job has read it, and for other files */
  width: number | null
  /** The height of a picture in pixels, as it is shown. Null until a job has read it, and for other files */
  height: number | null
  /** A smaller picture in WebP, at most 640 pixels wide and high, without the data that a camera adds. It has the first image of a moving picture */
  preview: FilePreview | null
}
export interface PostHeldEvent {
  /** The type */
  type: 'post.held'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of the discussion, of the item of feedback, or of the comment */
    id: string
    /** The discussion; null for feedback and its comments */
    discussion_id: string | null
    /** The item of feedback; left out for discussions */
    feedback_id?: string
    /** The author; null if no member is named */
    author_id: string | null
    /** Present if the moderation hook is asked or has decided, and no moderator has to look */
    by_hook?: true
  }
}
export interface PostHiddenEvent {
  /** The type */
  type: 'post.hidden'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of the discussion, of the item of feedback, or of the comment */
    id: string
    /** The discussion; null for feedback and its comments */
    discussion_id: string | null
    /** The item of feedback; left out for discussions */
    feedback_id?: string
    /** The author; null if no member is named */
    author_id: string | null
    /** Present if the moderation hook is asked or has decided, and no moderator has to look */
    by_hook?: true
  }
}
export interface PostLikedEvent {
  /** The type */
  type: 'post.liked'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of the discussion, of the item of feedback, or of the comment */
    id: string
    /** The id of a discussion */
    discussion_id: string
    /** The id of a member */
    author_id: string
    /** The member who likes it */
    member_id: string
  }
}
/** An earlier version of a post */
export interface PostRevision {
  /** The id */
  id: string
  /** The id of a member */
  author_id: string
  /** The id of the member or key that changed the post */
  replaced_by: string | null
  /** The title */
  title: string | null
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** When this version was replaced */
  created_at: string
  /** The fields of this item that are cut. Fields are cut only if the answer would be larger than 8 MiB. Get the item by itself to read them in full, or get the list by `cursor` */
  truncated?: string[]
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
}
export interface PostShownEvent {
  /** The type */
  type: 'post.shown'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of the discussion, of the item of feedback, or of the comment */
    id: string
    /** The discussion; null for feedback and its comments */
    discussion_id: string | null
    /** The item of feedback; left out for discussions */
    feedback_id?: string
    /** The author; null if no member is named */
    author_id: string | null
    /** Present if the moderation hook is asked or has decided, and no moderator has to look */
    by_hook?: true
  }
}
export interface PostUnlikedEvent {
  /** The type */
  type: 'post.unliked'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of the discussion, of the item of feedback, or of the comment */
    id: string
    /** The id of a discussion */
    discussion_id: string
    /** The id of a member */
    author_id: string
    /** The member who liked it */
    member_id: string
  }
}
export interface PreviewRequest {
  /** The id of a plan */
  plan_id: string
  /** Default: `now` for an upgrade (to a higher rank), `period_end` for everything else */
  when?: PreviewWhen | undefined
}
export type PreviewWhen = 'now' | 'period_end'
export interface ProductChanges {
  /** The name */
  name?: string | undefined
  /** The price of one unit in the currency, with at most as many decimals as the currency has; tax is included */
  price?: number | undefined
  /** Lower-case words joined by hyphens; unique in the project */
  slug?: string | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
  /** Null or an empty string removes the value */
  category?: string | null | undefined
  /** A currency: an ISO 4217 code in lower case */
  currency?: string | undefined
  /** The tax in percent that the price includes */
  tax_percent?: number | null | undefined
  /** Ids of image files, in the order in which they are shown */
  images?: string[] | undefined
  /** The buyer gets this for each line of an order. Only `days` are multiplied by the quantity */
  grants?: {
    /** The id of the plan */
    plan_id?: string | undefined
    /** The features that come with it */
    features?: string[] | undefined
    /** The id of the course */
    course_id?: string | undefined
    /** The number of days that each unit lasts. Two units last twice as long: the second one begins when the first one ends. Default: it does not end */
    days?: number | undefined
  } | null | undefined
  /** How many hours the stock of an unpaid order is reserved if money is taken by hand; null: the number of the payment account. An order with several products is reserved for the smallest number */
  reserve_hours?: number | null | undefined
  /** True if customers can see and buy the product */
  is_active?: boolean | undefined
}
export interface ProductCreatedEvent {
  /** The type */
  type: 'product.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ProductInFull
}
export interface ProductDeletedEvent {
  /** The type */
  type: 'product.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a product */
    id: string
  }
}
/** The buyer gets this for each line of an order. Only `days` are multiplied by the quantity */
export interface ProductGrants {
  /** The id of the plan */
  plan_id?: string
  /** The features that come with it */
  features?: string[]
  /** The id of the course */
  course_id?: string
  /** The number of days that each unit lasts. Two units last twice as long: the second one begins when the first one ends. Default: it does not end */
  days?: number
}
export interface ProductInFull {
  /** The id of a product */
  id: string
  /** The name */
  name: string
  /** A text of some sentences */
  description: string
  /** The category */
  category: string
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The price of one unit in the currency, with at most as many decimals as the currency has; tax is included */
  price: number
  /** True if customers can see and buy the product */
  is_active: boolean
  /** When it was created */
  created_at: string
  /** Lower-case words joined by hyphens; unique in the project */
  slug: string
  /** Ids of image files, in the order in which they are shown */
  images: string[]
  /** The tax in percent that the price includes */
  tax_percent: number | null
  /** The buyer gets this for each line of an order. Only `days` are multiplied by the quantity */
  grants: ProductGrants | null
  /** How many hours the stock of an unpaid order is reserved if money is taken by hand; null: the number of the payment account. An order with several products is reserved for the smallest number */
  reserve_hours: number | null
  /** When it was last changed */
  updated_at: string
}
export interface ProductUpdatedEvent {
  /** The type */
  type: 'product.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: ProductInFull
}
export interface Profile {
  /** The id of a member */
  id: string
  /** The chosen name. Without one it is "Member" and four letters of the id, or the full name if the project shows full names. "Former member" if the member was deleted */
  display_name: string
  /** The address of the picture. The address of an uploaded picture works for an hour or longer; read the profile again after that */
  avatar_url: string | null
  /** The role and the plan of the member. The role `member` and the default plan have no badge */
  badges: Badge[]
  /** Plain text that the member wrote */
  bio: string | null
  /** Null if the project does not show it */
  member_since: string | null
}
export interface ProfileChanges {
  /** Null or an empty string removes the value */
  full_name?: string | null | undefined
  /** Null removes the picture */
  avatar_url?: string | null | undefined
  /** These keys are added or replaced; a key set to null is removed; other keys are kept */
  metadata?: Record<string, unknown> | undefined
  /** The new address is used after it is confirmed; a mail is sent to it */
  email?: string | undefined
  /** The page behind the link leads to this URL. The project must allow it */
  redirect_url?: string | undefined
  /** The name that other members see. Several members can have the same name, but a name that looks like a moderator’s name is refused. Null or an empty string removes the value */
  display_name?: string | null | undefined
  /** Plain text without control characters; lines are allowed. Null or an empty string removes the value */
  bio?: string | null | undefined
  /** A picture (PNG, JPEG, WebP, GIF or AVIF) that the member owns. Null removes it */
  avatar_file_id?: string | null | undefined
}
export interface ProgressBatch {
  /** The items */
  items: ProgressItem[]
}
export interface ProgressBatchResult {
  /** How many succeeded */
  succeeded: number
  /** How many failed */
  failed: number
  /** One result for each item, in the same order */
  results: {
    /** The id of a lesson */
    lesson_id: string
    /** Whether it was done */
    success: boolean
    /** The progress */
    progress?: LessonProgress
    /** Why it failed */
    error?: string
    /** The code */
    code?: string
  }[]
}
export interface ProgressItem {
  /** The id of a course */
  course_id: string
  /** The id of a lesson */
  lesson_id: string
  /** The id of the member who learns */
  student_id?: string | undefined
  /** True: the lesson is completed */
  completed?: boolean | undefined
  /** How much is done, in percent */
  progress_percentage?: number | undefined
  /** The position in a video, in seconds */
  last_position?: number | undefined
  /** True starts the lesson again; without it progress never decreases. A member’s token changes neither a lesson that a key completed nor a passed quiz */
  reset?: boolean | undefined
  /** Another name of `student_id` */
  member_id?: string | undefined
}
export interface ProgressOfLesson {
  /** The id of a lesson */
  lesson_id: string
  /** The title */
  title: string
  /** Whether it is completed */
  is_completed: boolean
  /** Whole percent, rounded down */
  progress_percentage: number
  /** The last position in a video, in seconds */
  last_position: number | null
  /** When the lesson was completed; null if it is not completed */
  completed_at: string | null
  /** When it opens */
  opens_at: string
}
export interface ProgressPost {
  /** The id of a course */
  course_id: string
  /** The id of a lesson */
  lesson_id: string
  /** The id of the member who learns */
  student_id?: string | undefined
  /** True: the lesson is completed */
  completed?: boolean | undefined
  /** How much is done, in percent */
  progress_percentage?: number | undefined
  /** The position in a video, in seconds */
  last_position?: number | undefined
  /** True starts the lesson again; without it progress never decreases. A member’s token changes neither a lesson that a key completed nor a passed quiz */
  reset?: boolean | undefined
  /** Another name of `student_id` */
  member_id?: string | undefined
}
export interface ProtectionRule {
  /** The id of a rule */
  id: string
  /** A path like `/courses/**`, or a host and a path like `example.com/courses/**`. `*` matches text within a segment of the path; `**` matches any number of segments, also none. At most 10 wildcards */
  url_pattern: string
  /** A member must be on one of these plans; empty: every active member may see the pages */
  required_plans: string[]
  /** The address to which visitors are sent who may not see the page: an http(s) URL or a path */
  redirect_url: string | null
  /** False: the rule protects nothing */
  is_active: boolean
  /** When it was created */
  created_at: string
}
export interface ProtectionRuleChanges {
  /** A path like `/courses/**`, or a host and a path like `example.com/courses/**`. `*` matches text within a segment of the path; `**` matches any number of segments, also none. At most 10 wildcards */
  url_pattern?: string | undefined
  /** A member must be on one of these plans; empty: every active member may see the pages */
  required_plans?: string[] | undefined
  /** The address to which visitors are sent who may not see the page: an http(s) URL or a path */
  redirect_url?: string | null | undefined
  /** False: the rule protects nothing */
  is_active?: boolean | undefined
  /** Keys of features; a member must have all of them */
  features?: string[] | undefined
  /** A member must have been a member for this number of days */
  after_days?: number | null | undefined
  /** The number of pages in a calendar month (UTC) that a member without access may see; each path counts once */
  free_views?: number | null | undefined
}
export interface ProtectionRuleInFull {
  /** The id of a rule */
  id: string
  /** A path like `/courses/**`, or a host and a path like `example.com/courses/**`. `*` matches text within a segment of the path; `**` matches any number of segments, also none. At most 10 wildcards */
  url_pattern: string
  /** A member must be on one of these plans; empty: every active member may see the pages */
  required_plans: string[]
  /** The address to which visitors are sent who may not see the page: an http(s) URL or a path */
  redirect_url: string | null
  /** False: the rule protects nothing */
  is_active: boolean
  /** When it was created */
  created_at: string
  /** Keys of features; a member must have all of them */
  features: string[]
  /** A member must have been a member for this number of days */
  after_days: number | null
  /** The number of pages in a calendar month (UTC) that a member without access may see; each path counts once */
  free_views: number | null
  /** When it was last changed */
  updated_at: string
}
export type ProtectionRuleSort = 'created_at' | 'url_pattern'
export interface QuestionPool {
  /** The name of a pool */
  name: string
  /** The number of questions that are drawn from the pool */
  draw: number
}
export interface QueuedCase {
  /** The id of a case */
  id: string
  /** Why the post is here: members reported it or its text changed, or it waits before others see it: as a first post in a moderated category, or because of a rule */
  kind: Open<CaseKind>
  /** The id of the discussion, item of feedback or comment */
  target_id: string
  /** The discussion; null for feedback and its comments */
  discussion_id: string | null
  /** The item of feedback; null for discussions and their comments */
  feedback_id: string | null
  /** The number of reports that count towards hiding the post */
  report_count: number
  /** The sum of the weights of these reports: from the threshold of the project on, the post is hidden */
  weight: number
  /** The kinds of the moderation rules that found something in the post */
  held_by: Open<CaseHeldBy>[]
  /** The decision */
  decision: Open<CaseDecision> | null
  /** The reason of the decision */
  reason: string | null
  /** The id of the member or key that decided, or of the rule that is the moderation hook */
  decided_by: string | null
  /** When it was decided; null until then */
  decided_at: string | null
  /** When it was created */
  created_at: string
  /** The title of the discussion or of the item. An item without a title has the beginning of its message */
  title: string
  /** The text */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** The author; null if no member is named */
  author_id: string | null
  /** The state of the post */
  status: Open<CaseStatus>
  /** The ids of the files of the post */
  attachments: string[]
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
  /** The reason that the moderation hook gave, or why it gave no valid answer */
  hook_note: string | null
  /** The words of the author against the decision; null without an appeal */
  appeal: CaseAppeal | null
  /** The first 20 reports */
  reports: {
    /** The id of a member */
    member_id: string
    /** Why */
    reason: string
    /** A note in the words of its author */
    note: string | null
    /** False if the member wrote the post, or had reported it before a moderator approved it */
    counts: boolean
    /** The weight of the report: twice the share of the reports of its member that were right before, of the last 100 that moderators have decided, as if one more had been right and one wrong */
    weight: number
    /** When it was created */
    created_at: string
    /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
    author?: Author | null
  }[]
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
}
export interface Quiz {
  /** The id of a quiz */
  id: string
  /** The id of a lesson */
  lesson_id: string
  /** The id of a course */
  course_id: string
  /** The number of the version; it grows when questions change */
  version: number
  /** The percentage of points that passes */
  pass_percentage: number
  /** The largest number of attempts; null: no limit */
  max_attempts: number | null
  /** The time for an attempt in seconds; null: no limit */
  time_limit_seconds: number | null
  /** True: each attempt has the questions in another order */
  shuffle: boolean
  /** When the correct answers are shown. null: after the member has passed, or has submitted the last of `max_attempts`; true: after each submit; false: never. They are never shown before the submit */
  reveal_answers: boolean | null
  /** The number of questions in an attempt */
  question_count: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Sets of questions; some of each set are drawn */
  pools?: QuestionPool[]
  /** Only with a secret key */
  questions?: QuizQuestion[]
  /** With the token of a member: own attempts. With a secret key: those of `student_id`, if it is given */
  attempts?: {
    /** The id of an attempt at a quiz */
    id: string
    /** The number of the attempt, counted for each member */
    number: number
    /** The status */
    status: Open<QuizAttemptStatus>
    /** Whole percent, rounded down */
    percentage: number | null
    /** Whether it was passed */
    passed: boolean | null
  }[]
}
export interface QuizAnswer {
  /** An id that you choose. The questions of a quiz have different ids */
  question_id: string
  /** The options */
  options?: string[] | undefined
  /** The text */
  text?: string | undefined
  /** The number */
  number?: number | undefined
}
export type QuizAttemptStatus = 'in_progress' | 'submitted' | 'expired'
export interface QuizInput {
  /** The percentage of points that passes */
  pass_percentage?: number | undefined
  /** The largest number of attempts; null: no limit */
  max_attempts?: number | null | undefined
  /** The time for an attempt in seconds; null: no limit */
  time_limit_seconds?: number | null | undefined
  /** True: each attempt has the questions in another order */
  shuffle?: boolean | undefined
  /** When the correct answers are shown. null: after the member has passed, or has submitted the last of `max_attempts`; true: after each submit; false: never. They are never shown before the submit */
  reveal_answers?: boolean | null | undefined
  /** Sets of questions; some of each set are drawn */
  pools?: QuestionPool[] | undefined
  /** The questions */
  questions: QuizQuestionInput[]
}
export interface QuizOption {
  /** An id that you choose. The options of a question have different ids */
  id: string
  /** The text */
  text: string
}
export interface QuizQuestion {
  /** An id that you choose. The questions of a quiz have different ids */
  id: string
  /** The type */
  type: Open<QuizQuestionType>
  /** The text */
  text: string
  /** The points for a correct answer */
  points?: number
  /** The name of a pool */
  pool?: string
  /** For `single` and `multiple` */
  options?: QuizOption[]
  /** For `single` the correct option, for `multiple` all correct options */
  correct_options?: string[]
  /** For `text`: accepted answers. Upper and lower case and repeated spaces make no difference */
  accepted_texts?: string[]
  /** The number that is right */
  correct_number?: number
  /** For `number`: the largest difference from the correct number that is accepted */
  tolerance?: number
  /** Why an answer is right */
  explanation?: string
}
export interface QuizQuestionInput {
  /** An id that you choose. The questions of a quiz have different ids */
  id: string
  /** The type */
  type: QuizQuestionType
  /** The text */
  text: string
  /** The points for a correct answer */
  points?: number | undefined
  /** The name of a pool */
  pool?: string | undefined
  /** For `single` and `multiple` */
  options?: QuizOption[] | undefined
  /** For `single` the correct option, for `multiple` all correct options */
  correct_options?: string[] | undefined
  /** For `text`: accepted answers. Upper and lower case and repeated spaces make no difference */
  accepted_texts?: string[] | undefined
  /** The number that is right */
  correct_number?: number | undefined
  /** For `number`: the largest difference from the correct number that is accepted */
  tolerance?: number | undefined
  /** Why an answer is right */
  explanation?: string | undefined
}
export type QuizQuestionType = 'single' | 'multiple' | 'text' | 'number'
export interface QuizResult {
  /** The points */
  points: number
  /** The largest number of points */
  max_points: number
  /** Whole percent, rounded down */
  percentage: number
  /** Whether it was passed */
  passed: boolean
  /** The questions */
  questions: {
    /** An id that you choose. The questions of a quiz have different ids */
    question_id: string
    /** Whether the answer is right */
    correct: boolean
    /** The points */
    points: number
    /** The ids of the options that are right */
    correct_options?: string[]
    /** The texts that are right */
    accepted_texts?: string[]
    /** The number that is right */
    correct_number?: number
    /** Why an answer is right */
    explanation?: string
  }[]
}
export interface QuizSubmission {
  /** The answers, one for each question */
  answers: QuizAnswer[]
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface QuizSubmittedEvent {
  /** The type */
  type: 'quiz.submitted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an attempt at a quiz */
    id: string
    /** The id of an attempt at a quiz */
    attempt_id: string
    /** The id of a quiz */
    quiz_id: string
    /** The id of a lesson */
    lesson_id: string
    /** The id of a course */
    course_id: string
    /** The id of an enrollment */
    enrollment_id: string
    /** The id of the member who learns */
    student_id: string
    /** The number of the attempt, counted for each member */
    number: number
    /** Whole percent, rounded down */
    percentage: number
    /** Whether it was passed */
    passed: boolean
    /** When it was sent */
    submitted_at: string
  }
}
export interface Rating {
  /** The id of a course */
  course_id: string
  /** The id of the member who learns */
  student_id: string
  /** The number of stars */
  rating: number
  /** The text */
  text: string
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
}
export interface RatingInput {
  /** The number of stars */
  rating: number
  /** The text */
  text?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ReadNotifications {
  /** These notifications. Ids that are not of this member change nothing */
  ids?: string[] | undefined
  /** All notifications up to this time. Send the `created_at` of the newest one */
  before?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ReadPosition {
  /** The last comment that the member has read. Without it the whole discussion is marked as read. A position never moves back */
  up_to?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ReadState {
  /** True if there are new comments since the member last read the discussion */
  unread: boolean
  /** The first comment that the member has not read; null if there is none. `around` lists the page that it is on */
  first_unread_id: string | null
}
export interface Realtime {
  /** Visitors who did something in the last five minutes */
  visitors: number
  /** The last 30 minutes, the present minute included */
  minutes: RealtimeMinute[]
  /** The pages that visitors opened in the last five minutes, at most ten */
  pages: RealtimePage[]
}
export interface RealtimeMinute {
  /** When it begins */
  start: string
  /** How many different visitors there were */
  visitors: number
  /** How many pages were seen */
  pageviews: number
  /** The events, or how many there are */
  events: number
}
export interface RealtimePage {
  /** The value */
  value: string
  /** How many different visitors there were */
  visitors: number
}
export interface RecoverWebhookRequest {
  /** At most 30 days ago */
  since: string
  /** Default: now */
  until?: string | undefined
}
export interface RecoveryCodes {
  /** The new codes; they are shown only in this answer */
  recovery_codes: string[]
}
export interface RefreshSessionRequest {
  /** The refresh token of the last answer */
  refresh_token: string
}
export interface RefundData {
  /** The id of a refund */
  id: string
  /** The id of a payment */
  payment_id: string
  /** The id of a member */
  member_id: string
  /** The id of the bill */
  bill_id: string | null
  /** The object of the payment: a bill or an order */
  order_id: string | null
  /** The status */
  status: Open<RefundStatus>
  /** The amount, in the currency beside it */
  amount: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** Why */
  reason: string | null
  /** The refund or the dispute at the provider */
  provider_reference: string | null
  /** When it was created */
  created_at: string
}
export interface RefundFailedEvent {
  /** The type */
  type: 'refund.failed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: RefundData
}
export type RefundStatus = 'pending' | 'succeeded' | 'failed'
export interface RefundSucceededEvent {
  /** The type */
  type: 'refund.succeeded'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: RefundData
}
export type RegisterPasskeyCredentialAuthenticatorAttachment = 'platform' | 'cross-platform'
export interface RegisterPasskeyRequest {
  /** The name */
  name?: string | undefined
  /** The answer of the authenticator, by WebAuthn */
  credential: {
    /** base64url */
    id: string
    /** base64url */
    rawId: string
    /** The type */
    type: 'public-key'
    /** Whether the authenticator is a part of the device, by WebAuthn */
    authenticatorAttachment?: RegisterPasskeyCredentialAuthenticatorAttachment | undefined
    /** Ignored */
    clientExtensionResults?: Record<string, unknown> | undefined
    /** The answer */
    response: {
      /** base64url */
      clientDataJSON: string
      /** base64url */
      attestationObject: string
      /** How the authenticator is reached, by WebAuthn */
      transports?: string[] | undefined
      /** base64url */
      authenticatorData?: string | undefined
      /** base64url */
      publicKey?: string | undefined
      /** The algorithm of the key, by COSE */
      publicKeyAlgorithm?: number | undefined
    }
  }
}
export interface Removal {
  /** Why */
  reason: string
}
export interface Report {
  /** The id of a case */
  id: string
  /** The id of the discussion, item of feedback or comment */
  target_id: string
  /** Why */
  reason: string
  /** A note in the words of its author */
  note: string | null
  /** False if this member has reported the post already */
  is_new: boolean
}
export interface ReportCreatedEvent {
  /** The type */
  type: 'report.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id */
    id: string
    /** The id of the thing that it is about */
    target_id: string
    /** The member who reported it */
    member_id: string
    /** Why */
    reason: string
  }
}
export type ReportResolvedDataDecision = 'approved' | 'removed'
export interface ReportResolvedEvent {
  /** The type */
  type: 'report.resolved'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id */
    id: string
    /** The id of the thing that it is about */
    target_id: string
    /** The decision */
    decision: Open<ReportResolvedDataDecision>
    /** Why */
    reason: string | null
  }
}
/** Send the new password with `token`, or with `email` and `code` */
export interface ResetPassword {
  /** The `token` of the link in the mail, or the `token` that our page added to `redirect_url` */
  token?: string | undefined
  /** The address; send it with `code`, and without `token` */
  email?: string | undefined
  /** The 6 digits in the mail */
  code?: string | undefined
  /** The random text from which your site made the `code_challenge`. It is required if the mail was requested with a `code_challenge` */
  code_verifier?: string | undefined
  /** Common passwords are refused */
  password: string
}
export interface Retention {
  /** The length of each step */
  interval: Open<RetentionInterval>
  /** The IANA time zone of the dates */
  timezone: string
  /** The groups of people who began in the same time */
  cohorts: RetentionCohort[]
}
export interface RetentionCohort {
  /** When it begins */
  start: string
  /** Members who were first seen in this period */
  members: number
  /** The numbers of these members who were seen in this period, in the next period, and so on */
  returned: number[]
}
export type RetentionInterval = 'day' | 'week' | 'month'
export interface RetentionQuery {
  /** Default: `week` */
  interval?: RetentionInterval | undefined
  /** The number of groups; the last one is the group of `end_date`. Default: 12 */
  periods?: number | undefined
  /** A day in the last period. Default: today */
  end_date?: string | undefined
  /** The IANA time zone of the dates. Default: the time zone of the project */
  timezone?: string | undefined
}
export interface Revocation {
  /** Why */
  reason?: string | undefined
}
export interface RoadmapColumn {
  /** The status */
  status: Open<RoadmapColumnStatus>
  /** The number of all public items with this status */
  total: number
  /** The items */
  items: FeedbackItem[]
}
export type RoadmapColumnInclude = 'author' | 'attachments'
export type RoadmapColumnStatus = 'planned' | 'in_progress' | 'done'
export type RoadmapColumnType = 'feedback' | 'bug' | 'feature' | 'question'
export interface RotateRequest {
  /** How many seconds the old key still works */
  grace_seconds?: number | undefined
}
export interface RotateWebhookSecretRequest {
  /** Default: the present one */
  signing?: RotateWebhookSecretSigning | undefined
}
export type RotateWebhookSecretSigning = 'hmac' | 'ed25519'
export interface RotatedApiKey {
  /** The id of an API key */
  id: string
  /** The name */
  name: string
  /** The type */
  type: Open<RotatedApiKeyType>
  /** The first characters of the key */
  prefix: string
  /** The permissions of a secret key; empty for a public key */
  permissions?: string[]
  /** The capabilities of a public key; empty for a secret key */
  capabilities?: string[]
  /** Addresses and ranges that may use the key; empty: every address may */
  allowed_ips: string[]
  /** Origins that may use the key; empty: the allowed origins of the project */
  allowed_origins: string[]
  /** The member or user that created it; null if unknown */
  created_by: string | null
  /** When it was created */
  created_at: string
  /** When it expires */
  expires_at: string | null
  /** When it was revoked; null if it was not */
  revoked_at: string | null
  /** Updated every few seconds while the key is used */
  last_used_at: string | null
  /** The key; it is shown only in this answer */
  key: string
}
export type RotatedApiKeyType = 'public' | 'secret'
export interface RuleDraft {
  /** The rule that changes. Without it the simulation adds a new rule */
  rule_id?: string | undefined
  /** A path like `/courses/**`, or a host and a path like `example.com/courses/**`. `*` matches text within a segment of the path; `**` matches any number of segments, also none. At most 10 wildcards */
  url_pattern?: string | undefined
  /** A member must be on one of these plans; empty: every active member may see the pages */
  required_plans?: string[] | undefined
  /** The address to which visitors are sent who may not see the page: an http(s) URL or a path */
  redirect_url?: string | null | undefined
  /** False: the rule protects nothing */
  is_active?: boolean | undefined
  /** Keys of features; a member must have all of them */
  features?: string[] | undefined
  /** A member must have been a member for this number of days */
  after_days?: number | null | undefined
  /** The number of pages in a calendar month (UTC) that a member without access may see; each path counts once */
  free_views?: number | null | undefined
}
export interface RuleSimulation {
  /** The start of the views that were checked */
  since: string
  /** The number of views that were checked */
  views: number
  /** False if there were more pages than the simulation checks; the least viewed pages are missing */
  is_complete: boolean
  /** The members who gain access */
  gain: SimulatedGain
  /** The members who lose access */
  lose: SimulatedLoss
}
export interface SearchFacets {
  /** How many matches there are of each type that was searched; counting stops at 10,000 */
  types: {
    /** The discussion, or the number of discussions */
    discussion?: number
    /** The comment, or the number of comments */
    comment?: number
    /** The feedback item, or the number of items */
    feedback?: number
    /** The number of articles */
    article?: number
    /** The course, or the number of courses */
    course?: number
    /** The product, or the number of products */
    product?: number
  }
}
export interface Sent {
  /** Whether it was done */
  success: true
  /** A sentence for people */
  message: string
}
export interface SentCopy {
  /** The id of the copy */
  id: string
  /** The address of the operator */
  to: string
}
export interface Session {
  /** A JWT that gives access to the member’s own data */
  access_token: string
  /** Used once within 7 days to get new tokens */
  refresh_token: string
  /** How the token is sent */
  token_type: 'Bearer'
  /** How many seconds the access token is valid */
  expires_in: number
  /** When the access token expires */
  expires_at: string
}
export type SessionCreatedDataAal = 'aal1' | 'aal2'
export interface SessionCreatedEvent {
  /** The type */
  type: 'session.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a session */
    id: string
    /** The id of a member */
    member_id: string
    /** `aal2`: the member logged in with two factors, or with a passkey whose authenticator verified the user; `aal1`: every other log-in */
    aal: Open<SessionCreatedDataAal>
    /** How the member logged in: `password`, `magic_link`, `email`, `invitation`, `passkey`, `sso`, `mfa` (a second factor of the provider), `totp`, `recovery_code` */
    amr: string[]
    /** The client address */
    ip: string | null
    /** The name of the browser, as it sends it */
    user_agent: string | null
  }
}
export interface SessionRecord {
  /** The id of a session */
  id: string
  /** The client address */
  ip: string | null
  /** The name of the browser, as it sends it */
  user_agent: string | null
  /** `aal2`: the member logged in with two factors, or with a passkey whose authenticator verified the user; `aal1`: every other log-in */
  aal: Open<SessionRecordAal>
  /** How the member logged in: `password`, `magic_link`, `email`, `invitation`, `passkey`, `sso`, `mfa` (a second factor of the provider), `totp`, `recovery_code` */
  amr: string[]
  /** When it was created */
  created_at: string
  /** When the session logged in or was last refreshed */
  last_seen_at: string
  /** When the session ends if it is not refreshed */
  expires_at: string
  /** True for the session of this request */
  current: boolean
}
export type SessionRecordAal = 'aal1' | 'aal2'
export type SessionRevokedDataReason = 'logout' | 'revoked' | 'password' | 'token_reuse' | 'first_confirmation'
export interface SessionRevokedEvent {
  /** The type */
  type: 'session.revoked'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a session */
    id: string
    /** The id of a member */
    member_id: string
    /** Why */
    reason: Open<SessionRevokedDataReason>
  }
}
export interface Shipment {
  /** The number of the parcel */
  tracking_number?: string | undefined
  /** The address of the page that follows the parcel */
  tracking_url?: string | undefined
}
export interface SignUp {
  /** The email address */
  email: string
  /** Common passwords are refused */
  password: string
  /** The full name */
  full_name?: string | undefined
  /** Free-form data: at most 50 keys, 16 KiB and 5 levels */
  metadata?: Record<string, unknown> | undefined
  /** The page behind the link leads to this URL. The project must allow it */
  redirect_url?: string | undefined
  /** The SHA-256 of a random `code_verifier`, in base64url (PKCE, S256). Your site keeps the `code_verifier` and sends it with the token or the code: they log in only together */
  code_challenge?: string | undefined
}
export interface SignUpAnswer {
  /** Whether it was done */
  success: true
  /** The member */
  member: Member
  /** Null if the address must be confirmed first; a mail was sent */
  session: Session | null
}
/** For forms of type `signup`: which fields give the values of the member */
export interface SignUpSettings {
  /** A required field of type email */
  email_field: string
  /** A required field of type password */
  password_field?: string
  /** A field of type text */
  full_name_field?: string
}
export interface SignUpSettingsChange {
  /** A required field of type email */
  email_field: string
  /** A required field of type password */
  password_field?: string | undefined
  /** A field of type text */
  full_name_field?: string | undefined
}
export interface SignedIn {
  /** Whether it was done */
  success: true
  /** The member */
  member: Member
  /** False if the member has no password and logs in in other ways. This is also the case after two sign-ups with one address and different passwords: neither password is used. `POST /auth/password/forgot` sends a mail to set one */
  password_set: boolean
  /** The session */
  session: Session
}
export interface SignedUrl {
  /** The address */
  url: string
  /** When it expires */
  expires_at: string
}
export interface SignedUrlRequest {
  /** How many seconds the URL works */
  expires_in?: number | undefined
}
export interface SimulatedGain {
  /** The number of members */
  members: number
  /** The members with the most views, at most 100; empty without `read:members` */
  member_ids: string[]
  /** Views of members and of anonymous visitors */
  views: number
  /** Views of anonymous visitors */
  anonymous_views: number
  /** The most viewed pages first, at most 100 */
  pages: SimulatedPage[]
}
export interface SimulatedLoss {
  /** The number of members */
  members: number
  /** The members with the most views, at most 100; empty without `read:members` */
  member_ids: string[]
  /** Views of members and of anonymous visitors */
  views: number
  /** Views of anonymous visitors */
  anonymous_views: number
  /** The most viewed pages first, at most 100 */
  pages: SimulatedPage[]
}
export interface SimulatedPage {
  /** The host of the address */
  host: string | null
  /** The path of the address */
  path: string
  /** The number of views of these members and visitors */
  views: number
}
export interface SiteEvents {
  /** A public key with the capability `track`, in a body of `text/plain` only. Other bodies are sent with the header `Authorization` */
  key?: string | undefined
  /** The time of the browser's clock when it sends the body. The server then corrects each `timestamp` by the difference to its own clock */
  sent_at?: string | undefined
  /** The events, or how many there are */
  events: BatchItem[]
}
export type SortOrder = 'asc' | 'desc'
export interface SpamSettings {
  /** The name of an input that the page hides from people. A submission with a value for it is spam */
  honeypot?: string
  /** A submission is spam if it comes in less than this number of seconds after the form was read, or without the token of the form */
  min_seconds?: number
  /** A submission is spam if the same sender submits the same values again within this number of seconds; 0 turns this off. With a secret key the sender is known by `member_id` or `X-Client-IP` */
  duplicate_seconds?: number
}
export interface SpamSettingsChange {
  /** The name of an input that the page hides from people. A submission with a value for it is spam */
  honeypot?: string | undefined
  /** A submission is spam if it comes in less than this number of seconds after the form was read, or without the token of the form */
  min_seconds?: number | undefined
  /** A submission is spam if the same sender submits the same values again within this number of seconds; 0 turns this off. With a secret key the sender is known by `member_id` or `X-Client-IP` */
  duplicate_seconds?: number | undefined
}
export interface SsoConnection {
  /** The id of an SSO connection */
  id: string
  /** OpenID Connect or SAML 2.0 */
  type: Open<SsoConnectionType>
  /** The name that a login page shows */
  name: string
  /** False: nobody can log in by the connection */
  enabled: boolean
  /** The domains of the addresses that log in by the connection. It is shown to these addresses only, and new members must have such an address. Empty: it is shown to everybody. A SAML connection needs domains to find an existing member by the address */
  domains: string[]
  /** True: addresses of the domains can log in by this connection only */
  required: boolean
  /** The issuer of the OpenID provider, or the entity id of the SAML provider */
  issuer: string
  /** The client id that the OpenID provider gave you */
  client_id: string | null
  /** Whether a client secret is stored */
  has_client_secret: boolean
  /** The address at which members log in with the SAML provider */
  sso_url: string | null
  /** The SHA-256 fingerprints of the certificates with which the SAML provider signs */
  certificate_fingerprints: string[]
  /** The address of the metadata of the SAML provider. It is read now, and again each time when it is sent */
  metadata_url: string | null
  /** Allow this address at the provider: it is the redirect URI, or the assertion consumer service of SAML */
  callback_url: string
  /** True for an old connection without a `callback_url` of its own. Its logins return to `/auth/sso/callback`, which works while it is the only connection to its provider. Allow `callback_url` at the provider, then set this to false */
  uses_old_callback: boolean
  /** The address of the metadata that a SAML provider needs; it is also the entity id of the service */
  service_metadata_url: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface SsoConnectionChanges {
  /** The name that a login page shows */
  name?: string | undefined
  /** False: nobody can log in by the connection */
  enabled?: boolean | undefined
  /** The domains of the addresses that log in by the connection. It is shown to these addresses only, and new members must have such an address. Empty: it is shown to everybody. A SAML connection needs domains to find an existing member by the address */
  domains?: string[] | undefined
  /** True: addresses of the domains can log in by this connection only */
  required?: boolean | undefined
  /** The client id that the OpenID provider gave you */
  client_id?: string | undefined
  /** The client secret. It is stored encrypted and never shown; a public client has none */
  client_secret?: string | null | undefined
  /** The metadata of the SAML provider, as XML */
  metadata?: string | undefined
  /** The address of the metadata of the SAML provider. It is read now, and again each time when it is sent */
  metadata_url?: string | undefined
  /** Set it to false after the provider allows `callback_url` */
  uses_old_callback?: false | undefined
}
export interface SsoConnectionCreatedEvent {
  /** The type */
  type: 'sso_connection.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an SSO connection */
    id: string
    /** OpenID Connect or SAML 2.0 */
    type: Open<SsoConnectionType>
    /** The name that a login page shows */
    name: string
    /** False: nobody can log in by the connection */
    enabled: boolean
    /** The domains of the addresses that log in by the connection. It is shown to these addresses only, and new members must have such an address. Empty: it is shown to everybody. A SAML connection needs domains to find an existing member by the address */
    domains: string[]
    /** True: addresses of the domains can log in by this connection only */
    required: boolean
  }
}
export interface SsoConnectionDeletedEvent {
  /** The type */
  type: 'sso_connection.deleted'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an SSO connection */
    id: string
  }
}
export type SsoConnectionType = 'oidc' | 'saml'
export interface SsoConnectionUpdatedEvent {
  /** The type */
  type: 'sso_connection.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of an SSO connection */
    id: string
    /** OpenID Connect or SAML 2.0 */
    type: Open<SsoConnectionType>
    /** The name that a login page shows */
    name: string
    /** False: nobody can log in by the connection */
    enabled: boolean
    /** The domains of the addresses that log in by the connection. It is shown to these addresses only, and new members must have such an address. Empty: it is shown to everybody. A SAML connection needs domains to find an existing member by the address */
    domains: string[]
    /** True: addresses of the domains can log in by this connection only */
    required: boolean
  }
}
export type StartDiscussionInclude = 'author' | 'attachments'
export interface StartSso {
  /** The id of an SSO connection */
  connection_id: string
  /** The address to which the browser returns; it must be a URL that the project allows */
  redirect_url: string
  /** The SHA-256 of a random `code_verifier`, in base64url (PKCE, S256). Your site keeps the `code_verifier` and sends it with the code */
  code_challenge: string
  /** True: an OpenID provider asks for a new log-in if the last one is more than 10 minutes ago. It has no effect for SAML */
  reauthenticate?: boolean | undefined
}
export interface StartedDiscussion {
  /** The id of a discussion */
  id: string
  /** The title */
  title: string
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** The id of a member */
  author_id: string
  /** The slug of a category */
  category: string
  /** How many members like it */
  likes: number
  /** When it was created */
  created_at: string
  /** Only if the post waits for a moderator */
  status?: 'pending'
  /** Only if this request created the category, because no category had the sent name */
  category_created?: true
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
}
export interface StartedSso {
  /** Send the browser to this address within 15 minutes */
  url: string
}
export type StatusStatus = 'new' | 'under_review' | 'planned' | 'in_progress' | 'done' | 'declined'
export interface StockChange {
  /** The number of units that were added; negative for units that were removed */
  delta: number
  /** Why */
  reason: string
}
export interface StockLowEvent {
  /** The type */
  type: 'stock.low'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a variant */
    id: string
    /** How many are in stock */
    on_hand: number
    /** The number below which the stock is low; null for no warning */
    low_stock: number
  }
}
export interface StockMove {
  /** The id */
  id: string
  /** `adjust`: the stock was changed; `reserve` and `release`: units for orders that wait for payment; `sell`: reserved units became sold; `restock`: sold units came back */
  kind: Open<StockMoveKind>
  /** How many */
  quantity: number
  /** The id of the order; null without one */
  order_id: string | null
  /** Why */
  reason: string | null
  /** When it was created */
  created_at: string
}
export type StockMoveKind = 'adjust' | 'reserve' | 'release' | 'sell' | 'restock'
export interface StorageUsage {
  /** Bytes that are stored or reserved by announced uploads */
  bytes: number
  /** The number of files */
  files: number
  /** By tier: Free 1 GiB, Pro 100 GiB, Business 1 TiB, Enterprise 10 TiB or as agreed */
  quota_bytes: number
}
export interface StoredEvent {
  /** The id */
  id: string
  /** The type */
  type: Open<StoredType>
  /** The name or the kind of the event */
  event: string | null
  /** When it happened */
  timestamp: string
  /** When the API received it */
  received_at: string
  /** The member who caused the event */
  user_id: string | null
  /** The id of the visit */
  session_id: string | null
  /** The visitor; the same text for all events of one visitor on one day */
  visitor: string
  /** The name of the bot; null for people */
  bot: boolean
  /** The host of the address */
  host: string | null
  /** The path of the page */
  page: string | null
  /** The title */
  title: string | null
  /** The address of the page that linked here */
  referrer: string | null
  /** The source */
  source: string
  /** The kind of source, such as search or mail */
  channel: string
  /** The country: an ISO 3166 code of two letters */
  country: string | null
  /** The kind of device */
  device: string | null
  /** The browser */
  browser: string | null
  /** The operating system */
  os: string | null
  /** The properties of the event */
  properties: Record<string, unknown>
}
export type StoredType = 'event' | 'pageview'
export interface StreamTicket {
  /** Send it as `ticket` to `GET /stream`, once */
  ticket: string
  /** A minute after it was made */
  expires_at: string
}
export interface SubmissionChanges {
  /** The new status of the submission */
  status: SubmissionStatus
}
export interface SubmissionForm {
  /** Values by field id, as JSON */
  data: string
  /** The member who submits the form; with a secret key only */
  member_id?: string | undefined
  /** The token of the form as it was read */
  token?: string | undefined
  /** Each file is a part with the name of its field; in this example a field with the id `attachment` */
  attachment?: string | undefined
}
export interface SubmissionReceipt {
  /** The id of a submission */
  id: string
  /** The id of a form */
  form_id: string
  /** The version of the form that was submitted */
  form_version: number
  /** When it was created */
  created_at: string
  /** The text that people read after they have sent the form */
  success_message?: string
  /** The address to which the browser goes then */
  redirect_url?: string
}
export type SubmissionStatus = 'received' | 'spam'
export interface SubscribeToDiscussionRequest {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface Subscribed {
  /** Whether the member gets notifications about it */
  subscribed: boolean
}
export interface Subscription {
  /** The id of a subscription */
  id: string
  /** The id of a member */
  member_id: string
  /** The id of a plan */
  plan_id: string
  /** `incomplete`: the first bill is not paid, and the member has no access; `past_due`: a renewal is not paid, and the member keeps access; `paused`: billing and access are stopped */
  status: Open<SubscriptionStatus>
  /** The price of one period, at which this member subscribed */
  price: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The length of each step */
  interval: Open<SubscriptionInterval>
  /** How many intervals each period has */
  interval_count: number
  /** Null: money is taken by hand */
  payment_account_id: string | null
  /** When the period begins */
  period_start: string
  /** When the period ends */
  period_end: string
  /** When the trial ends; null without one */
  trial_end: string | null
  /** Whether it ends with the paid period */
  cancel_at_period_end: boolean
  /** The plan after the end of the period; null: no change */
  next_plan_id: string | null
  /** When it was paused; null if it is not */
  paused_at: string | null
  /** When it resumes; null if that is not planned */
  resume_at: string | null
  /** The id of the bill that is not paid yet; null if all are */
  open_bill_id: string | null
  /** When it was canceled; null if it was not */
  canceled_at: string | null
  /** `canceled`, `period_end`, `unpaid`, `incomplete_expired`, `bill_voided`, `amount_too_small`, `dispute_lost`, `operator` or `member_deleted` */
  cancel_reason: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface SubscriptionCancel {
  /** `now` gives no credit for the rest of the period, and settles open bills */
  at: SubscriptionCancelAt
}
export type SubscriptionCancelAt = 'now' | 'period_end'
export interface SubscriptionCanceledEvent {
  /** The type */
  type: 'subscription.canceled'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export interface SubscriptionChange {
  /** The id of a plan */
  plan_id: string
  /** Default: `now` for an upgrade (to a higher rank), `period_end` for everything else */
  when?: SubscriptionChangeWhen | undefined
  /** The change charges exactly the amount of this preview */
  preview_id?: string | undefined
}
export type SubscriptionChangeWhen = 'now' | 'period_end'
export interface SubscriptionCreatedEvent {
  /** The type */
  type: 'subscription.created'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export type SubscriptionInterval = 'month' | 'year'
export interface SubscriptionMove {
  /** The id */
  id: string
  /** The name or the kind of the event */
  event: string
  /** `incomplete`: the first bill is not paid, and the member has no access; `past_due`: a renewal is not paid, and the member keeps access; `paused`: billing and access are stopped */
  from: Open<SubscriptionMoveFrom> | null
  /** `incomplete`: the first bill is not paid, and the member has no access; `past_due`: a renewal is not paid, and the member keeps access; `paused`: billing and access are stopped */
  to: Open<SubscriptionMoveTo>
  /** The plan before the change. Null if the subscription began, or if the change is older than this list */
  from_plan: PlanBeforeMove | null
  /** The plan after the change */
  to_plan: PlanAfterMove | null
  /** When the new plan starts; null if no change of plan was requested */
  takes_effect: Open<SubscriptionMoveTakesEffect> | null
  /** The actor who made the change: `secret_key`, `member`, `operator` or `system` */
  by: string
  /** Why */
  reason: string | null
  /** When it happened */
  occurred_at: string
}
export type SubscriptionMoveFrom = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled'
export type SubscriptionMoveTakesEffect = 'now' | 'when_paid' | 'period_end'
export type SubscriptionMoveTo = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled'
export interface SubscriptionPastDueEvent {
  /** The type */
  type: 'subscription.past_due'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export interface SubscriptionPause {
  /** When the subscription resumes by itself. Without it, it is paused until it is resumed */
  resume_at?: string | undefined
}
export interface SubscriptionPausedEvent {
  /** The type */
  type: 'subscription.paused'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export interface SubscriptionRenewedEvent {
  /** The type */
  type: 'subscription.renewed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export interface SubscriptionResumedEvent {
  /** The type */
  type: 'subscription.resumed'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export type SubscriptionStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled'
export interface SubscriptionTrialEndingEvent {
  /** The type */
  type: 'subscription.trial_ending'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export interface SubscriptionUpdatedEvent {
  /** The type */
  type: 'subscription.updated'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: Subscription
}
export interface SubscriptionWithBill {
  /** The id of a subscription */
  id: string
  /** The id of a member */
  member_id: string
  /** The id of a plan */
  plan_id: string
  /** `incomplete`: the first bill is not paid, and the member has no access; `past_due`: a renewal is not paid, and the member keeps access; `paused`: billing and access are stopped */
  status: Open<SubscriptionStatus>
  /** The price of one period, at which this member subscribed */
  price: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
  /** The length of each step */
  interval: Open<SubscriptionInterval>
  /** How many intervals each period has */
  interval_count: number
  /** Null: money is taken by hand */
  payment_account_id: string | null
  /** When the period begins */
  period_start: string
  /** When the period ends */
  period_end: string
  /** When the trial ends; null without one */
  trial_end: string | null
  /** Whether it ends with the paid period */
  cancel_at_period_end: boolean
  /** The plan after the end of the period; null: no change */
  next_plan_id: string | null
  /** When it was paused; null if it is not */
  paused_at: string | null
  /** When it resumes; null if that is not planned */
  resume_at: string | null
  /** The id of the bill that is not paid yet; null if all are */
  open_bill_id: string | null
  /** When it was canceled; null if it was not */
  canceled_at: string | null
  /** `canceled`, `period_end`, `unpaid`, `incomplete_expired`, `bill_voided`, `amount_too_small`, `dispute_lost`, `operator` or `member_deleted` */
  cancel_reason: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** The bill that this request created */
  bill: Bill | null
}
export interface Suspension {
  /** The id of a member */
  member_id: string
  /** Why, in words for the member */
  reason: string
  /** When it ends by itself; without it, a moderator ends it */
  until: string | null
  /** The id of the member or key that suspended the member */
  suspended_by: string | null
  /** When the suspension began */
  suspended_at: string
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
}
export interface TestClock {
  /** The time of the clock */
  now: string
  /** How many seconds the clock is ahead of the real time */
  moved_by_seconds: number
}
export interface TestClockAdvance {
  /** The new time: at the earliest the present time of the clock, at most ten years after it */
  to: string
}
export interface TestedPost {
  /** The text of a post, in Markdown */
  content: string
  /** The title */
  title?: string | undefined
  /** The id of a member */
  member_id?: string | undefined
}
export interface Tracked {
  /** Whether it was done */
  success: true
}
export interface TrackedEvent {
  /** The name of the event */
  event: string
  /** The address of the page. The query is not stored, except for campaign tags (`utm_*`) */
  url?: string | undefined
  /** The address of the previous page, as the browser sends it */
  referrer?: string | undefined
  /** Free-form data: at most 50 keys, 16 KiB and 5 levels */
  properties?: Record<string, unknown> | undefined
  /** The member who caused the event. With a token it must be the member of the token; with a public key it is not allowed */
  user_id?: string | undefined
  /** An id that you choose for the session */
  session_id?: string | undefined
  /** An id that you choose for the event. A second event with the same id within 8 days is not stored */
  event_id?: string | undefined
  /** When the event happened: at most 7 days ago and at most 5 minutes ahead. Default: now */
  timestamp?: string | undefined
  /** The IP address of your visitor; allowed with a secret key only. It gives the country, is hashed, and is never stored */
  ip?: string | undefined
  /** The user agent of your visitor; allowed with a secret key only. It is read and never stored */
  user_agent?: string | undefined
  /** Another name of `user_id` */
  member_id?: string | undefined
}
export interface Translation {
  /** The id of an article */
  article_id: string
  /** A language as a BCP 47 tag */
  locale: string
  /** The title */
  title: string
  /** Markdown */
  content: string
  /** The content as HTML that is safe to show in any page */
  content_html: string
  /** True if the article was published with another text after this translation */
  is_outdated: boolean
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface UnreadCount {
  /** How many notifications the member has not read; counting stops at 1,000 */
  count: number
}
export interface Unsuspended {
  /** The id of a member */
  member_id: string
  /** False if nothing changed */
  was_suspended: boolean
}
export interface UpcomingBill {
  /** When the bill will be made */
  date: string
  /** The plan of the period that the bill is for */
  plan_id: string
  /** The total is the sum of the lines */
  lines: BillDraftLine[]
  /** The amount that will be charged, after the credit of the member */
  total: number
  /** The currency: an ISO 4217 code in lower case */
  currency: string
}
export type UpdateCommentInclude = 'author' | 'attachments'
export type UpdateDiscussionInclude = 'author' | 'attachments'
export type UpdateFeedbackInclude = 'author' | 'attachments'
export type UpdateProfileInclude = 'role' | 'updated_at' | 'last_login_at' | 'display_name' | 'bio' | 'avatar_file_id'
export interface UpdatedMember {
  /** The id of a member */
  id: string
  /** The email address */
  email: string
  /** Empty if it is not set */
  full_name: string
  /** Absent if it is not set */
  avatar_url?: string
  /** The status */
  status: Open<MemberStatus>
  /** The id of a plan */
  plan_id: string
  /** Free-form data */
  metadata: Record<string, unknown>
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** Present with `include=role` */
  role?: string
}
export interface Upload {
  /** The id of a file */
  id: string
  /** The HTTP method */
  method: 'PUT'
  /** Null for an upload in parts */
  url: string | null
  /** Only for an upload in parts: where each part is sent */
  parts?: UploadPart[]
  /** Headers to send with the upload, unchanged */
  headers: Record<string, string>
  /** When the URL stops working */
  expires_at: string
  /** The file */
  file: File
}
export interface UploadCompletion {
  /** Required for an upload in parts, and only then */
  parts?: {
    /** The number of the part, from 1 */
    part: number
    /** The header `ETag` of the answer to the part, with or without quotation marks */
    etag: string
  }[] | undefined
}
export interface UploadForm {
  /** The file */
  file: string
  /** The name that people see; not a path */
  name?: string | undefined
  /** The people who can see it */
  visibility?: UploadVisibility | undefined
  /** The member to whom the file belongs */
  owner_id?: string | undefined
  /** `attachment`: a file for a post; `avatar`: a picture for the profile of a member. A file to which nothing refers after a day is deleted. With a token the default is `attachment` */
  purpose?: UploadFormPurpose | undefined
}
export type UploadFormPurpose = 'attachment' | 'avatar'
export interface UploadPart {
  /** The number of the part, from 1 */
  part: number
  /** The URL accepts exactly `size` bytes. Its answer has the header `ETag` */
  url: string
  /** Bytes of the part */
  size: number
}
export interface UploadRequest {
  /** The name that people see; not a path */
  name: string
  /** The size in bytes; exactly this number of bytes is accepted */
  size: number
  /** The URL accepts exactly this Content-Type. The type of the file is detected from its bytes later */
  content_type: string
  /** The people who can see it */
  visibility?: UploadVisibility | undefined
  /** The member to whom the file belongs */
  owner_id?: string | undefined
  /** The number of parts. The answer then has a URL for each part, for a day. All parts but the last have the same size, of 5 MiB to 5 GiB, and the last one has the rest; a file in parts may be as large as the quota */
  parts?: number | undefined
}
export type UploadVisibility = 'private' | 'public'
export interface Variant {
  /** The id of a variant */
  id: string
  /** The id of a product */
  product_id: string
  /** The name */
  name: string
  /** Unique in the project */
  sku: string | null
  /** The attributes in which the variant differs from the others */
  options: Record<string, string>
  /** The price of one unit in the currency, with at most as many decimals as the currency has; tax is included */
  price: number | null
  /** Whether it is in use */
  is_active: boolean
  /** True if at least one can be bought now */
  available: boolean
  /** The units that are there and not sold; null if the stock is not counted. Only for secret keys */
  on_hand?: number | null
  /** The units that unpaid orders reserve. Only for secret keys */
  reserved?: number
  /** The units that were paid for and not returned. Only for secret keys */
  sold?: number
  /** The number below which the stock is low; null for no warning */
  low_stock?: number
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface VariantChanges {
  /** Null or an empty string removes the value */
  name?: string | null | undefined
  /** Unique in the project */
  sku?: string | null | undefined
  /** The attributes in which the variant differs from the others */
  options?: Record<string, string> | undefined
  /** The price of the variant. Default: the price of the product */
  price?: number | null | undefined
  /** Whether it is in use */
  is_active?: boolean | undefined
  /** `stock.low` is sent when the number of units falls to this number */
  low_stock?: number | undefined
}
export interface Verification {
  /** The name on the day of the certificate; empty after the data of the member was erased */
  student_name: string
  /** The title of the course */
  course_title: string
  /** When it was issued */
  issued_at: string
  /** False if the certificate was revoked or replaced */
  valid: boolean
  /** True if a newer certificate replaces this one, for example after a change of the name */
  replaced: boolean
}
export interface VerifySecondFactorRequest {
  /** The `mfa_token` of the answer to the first factor */
  mfa_token: string
  /** A code of the authenticator app, or a recovery code */
  code: string
}
/** When the field is shown. The server evaluates the conditions. The value of a hidden field is removed and counts as empty in later conditions. A hidden section hides the fields after it, up to the next section */
export interface VisibleIf {
  /** Whether all conditions must fit, or any */
  match?: Open<VisibleIfMatch>
  /** The conditions */
  conditions: FieldCondition[]
}
/** When the field is shown. The server evaluates the conditions. The value of a hidden field is removed and counts as empty in later conditions. A hidden section hides the fields after it, up to the next section */
export interface VisibleIfInput {
  /** Whether all conditions must fit, or any */
  match?: VisibleIfMatch | undefined
  /** The conditions */
  conditions: FieldConditionInput[]
}
export type VisibleIfMatch = 'all' | 'any'
export interface VoteForFeedbackRequest {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface VoteOutcome {
  /** True if the vote of this member is counted for the item */
  voted: boolean
  /** The number of votes that are counted for the item */
  vote_count: number
}
export interface Voter {
  /** The member who voted */
  member_id: string
  /** The item for which the member voted: this item, or an item that was merged into it */
  feedback_id: string
  /** When the member voted */
  created_at: string
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
}
export interface WebhookAttempt {
  /** The number */
  number: number
  /** When it began */
  started_at: string
  /** How long it took, in milliseconds */
  duration_ms: number
  /** The status that the endpoint answered; null if there was no answer */
  status: number | null
  /** Why the attempt failed, if the status does not say it: `timeout`, `refused`, `unreachable`, `dns`, `tls`, `closed`, `malformed`, `blocked_address`, `body_too_large`, `network`, … */
  error: string | null
  /** The headers of the answer */
  response_headers: Record<string, string>
  /** The first 16 KiB of the answer, as text. It comes from the endpoint: escape it when you show it */
  response_body: string | null
}
export interface WebhookDelivery {
  /** The id of a delivery */
  id: string
  /** The id of a webhook endpoint */
  endpoint_id: string
  /** The id of an event; deliveries send it as `webhook-id` */
  event_id: string
  /** The type of the event, such as `member.created` */
  event_type: string
  /** `pending`: waits for its next attempt; `failed`: given up after ten attempts, or because the endpoint answered 410 */
  status: Open<WebhookDeliveryStatus>
  /** How often it was tried */
  attempt_count: number
  /** The status that the endpoint answered; null if there was no answer */
  last_status: number | null
  /** Why the attempt failed, if the status does not say it: `timeout`, `refused`, `unreachable`, `dns`, `tls`, `closed`, `malformed`, `blocked_address`, `body_too_large`, `network`, … */
  last_error: string | null
  /** The earliest time of the next attempt; null while it is being sent, and if no attempt is planned */
  next_attempt_at: string | null
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
}
export interface WebhookDeliveryDetail {
  /** The id of a delivery */
  id: string
  /** The id of a webhook endpoint */
  endpoint_id: string
  /** The id of an event; deliveries send it as `webhook-id` */
  event_id: string
  /** The type of the event, such as `member.created` */
  event_type: string
  /** `pending`: waits for its next attempt; `failed`: given up after ten attempts, or because the endpoint answered 410 */
  status: Open<WebhookDeliveryStatus>
  /** How often it was tried */
  attempt_count: number
  /** The status that the endpoint answered; null if there was no answer */
  last_status: number | null
  /** Why the attempt failed, if the status does not say it: `timeout`, `refused`, `unreachable`, `dns`, `tls`, `closed`, `malformed`, `blocked_address`, `body_too_large`, `network`, … */
  last_error: string | null
  /** The earliest time of the next attempt; null while it is being sent, and if no attempt is planned */
  next_attempt_at: string | null
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
  /** The name or the kind of the event */
  event: Event
  /** Attempts of the last 30 days, earliest first */
  attempts: WebhookAttempt[]
}
export type WebhookDeliveryStatus = 'pending' | 'sending' | 'delivered' | 'failed'
export interface WebhookEndpoint {
  /** The id of a webhook endpoint */
  id: string
  /** An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url: string
  /** A text of some sentences */
  description: string
  /** Types of events, groups like `form.*`, or `*` for all */
  events: string[]
  /** Whether it is in use */
  enabled: boolean
  /** The content of `data`: `full` is the object; `thin` is only its id and kind */
  payload: Open<WebhookEndpointPayload>
  /** True: deliveries are sent one at a time, in the order of events; a delivery that fails delays the later ones */
  fifo: boolean
  /** The largest number of deliveries per second */
  rate_limit: number | null
  /** The names of the additional headers; their values are not shown */
  header_names: string[]
  /** `hmac`: signatures `v1` with a shared secret; `ed25519`: signatures `v1a`, verified with a public key */
  signing: Open<WebhookEndpointSigning>
  /** Until this time the replaced secret signs too */
  previous_secret_until: string | null
  /** When the endpoint was disabled; later events were not delivered */
  disabled_at: string | null
  /** `gone`: the endpoint answered 410; `failing`: no delivery succeeded for five days */
  disabled_reason: Open<WebhookEndpointDisabledReason> | null
  /** The time of the first failure after the last success */
  failing_since: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
}
export interface WebhookEndpointChanges {
  /** An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url?: string | undefined
  /** Types of events, groups like `form.*`, or `*` for all */
  events?: string[] | undefined
  /** Null or an empty string removes the value */
  description?: string | null | undefined
  /** The same as /enable and /disable */
  enabled?: boolean | undefined
  /** The content of `data`: `full` is the object; `thin` is only its id and kind */
  payload?: WebhookEndpointPayload | undefined
  /** True: deliveries are sent one at a time, in the order of events; a delivery that fails delays the later ones */
  fifo?: boolean | undefined
  /** The largest number of deliveries per second */
  rate_limit?: number | null | undefined
  /** Headers that are sent with every delivery and never shown. Connection headers, `Host`, `Content-*` and `webhook-*` are not allowed */
  headers?: Record<string, string> | undefined
}
export interface WebhookEndpointDisabledEvent {
  /** The type */
  type: 'webhook.endpoint.disabled'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a webhook endpoint */
    id: string
    /** An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials */
    url: string
    /** `gone` or `failing` */
    reason: string
    /** Since when every attempt has failed */
    failing_since: string | null
  }
}
export type WebhookEndpointDisabledReason = 'requested' | 'gone' | 'failing'
export interface WebhookEndpointFailingEvent {
  /** The type */
  type: 'webhook.endpoint.failing'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a webhook endpoint */
    id: string
    /** An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials */
    url: string
    /** Since when every attempt has failed */
    failing_since: string
    /** 50, 70 or 90 */
    percent: number
    /** When the endpoint is disabled, unless a delivery succeeds */
    disabled_at: string
  }
}
export type WebhookEndpointPayload = 'full' | 'thin'
export type WebhookEndpointSigning = 'hmac' | 'ed25519'
export interface WebhookEndpointWithSecret {
  /** The id of a webhook endpoint */
  id: string
  /** An https URL with a public address, port 443, 80 or a port from 1024 on, and without credentials */
  url: string
  /** A text of some sentences */
  description: string
  /** Types of events, groups like `form.*`, or `*` for all */
  events: string[]
  /** Whether it is in use */
  enabled: boolean
  /** The content of `data`: `full` is the object; `thin` is only its id and kind */
  payload: Open<WebhookEndpointPayload>
  /** True: deliveries are sent one at a time, in the order of events; a delivery that fails delays the later ones */
  fifo: boolean
  /** The largest number of deliveries per second */
  rate_limit: number | null
  /** The names of the additional headers; their values are not shown */
  header_names: string[]
  /** `hmac`: signatures `v1` with a shared secret; `ed25519`: signatures `v1a`, verified with a public key */
  signing: Open<WebhookEndpointSigning>
  /** Until this time the replaced secret signs too */
  previous_secret_until: string | null
  /** When the endpoint was disabled; later events were not delivered */
  disabled_at: string | null
  /** `gone`: the endpoint answered 410; `failing`: no delivery succeeded for five days */
  disabled_reason: Open<WebhookEndpointDisabledReason> | null
  /** The time of the first failure after the last success */
  failing_since: string | null
  /** When it was created */
  created_at: string
  /** When it was last changed */
  updated_at: string
  /** The secret `whsec_…`, or the public key `whpk_…` of an Ed25519 endpoint */
  secret: string
}
export interface WebhookRecovery {
  /** The id of a webhook endpoint */
  id: string
  /** When the time begins */
  since: string
  /** When the time ends */
  until: string
}
export interface WebhookSecret {
  /** The secret `whsec_…`, or the public key `whpk_…` of an Ed25519 endpoint */
  secret: string
}
export interface WebhookStats {
  /** When the time begins */
  since: string
  /** When the time ends */
  until: string
  /** The number of waiting deliveries */
  pending: number
  /** When the delivery that has waited longest could have been sent */
  oldest_due_at: string | null
  /** The number of deliveries that succeeded */
  delivered: number
  /** The number of failed deliveries, which are not retried */
  failed: number
  /** The number of attempts */
  attempts: number
  /** The number of attempts that failed */
  failed_attempts: number
  /** The share of attempts that succeeded, from 0 to 1; null if there were none */
  success_rate: number | null
  /** The average duration of an attempt */
  average_ms: number | null
  /** Half of the attempts were not longer than this, rounded up */
  p50_ms: number | null
  /** 95 % of the attempts were not longer than this, rounded up */
  p95_ms: number | null
  /** Hours in which something was sent, oldest first */
  hours: {
    /** When the hour begins */
    hour: string
    /** How many were delivered */
    delivered: number
    /** How many failed */
    failed: number
    /** How many attempts failed */
    failed_attempts: number
  }[]
}
export interface WebhookTestDelivery {
  /** The id of a delivery */
  id: string
  /** The id of a webhook endpoint */
  endpoint_id: string
  /** The id of an event; deliveries send it as `webhook-id` */
  event_id: string
  /** The type of the event, such as `member.created` */
  event_type: string
  /** `pending`: waits for its next attempt; `failed`: given up after ten attempts, or because the endpoint answered 410 */
  status: Open<WebhookTestDeliveryStatus>
  /** How often it was tried */
  attempt_count: number
  /** The status that the endpoint answered; null if there was no answer */
  last_status: number | null
  /** Why the attempt failed, if the status does not say it: `timeout`, `refused`, `unreachable`, `dns`, `tls`, `closed`, `malformed`, `blocked_address`, `body_too_large`, `network`, … */
  last_error: string | null
  /** The earliest time of the next attempt; null while it is being sent, and if no attempt is planned */
  next_attempt_at: string | null
  /** When it was created */
  created_at: string
  /** When it ended; null until then */
  finished_at: string | null
}
export type WebhookTestDeliveryStatus = 'pending' | 'sending' | 'delivered' | 'failed'
export interface WebhookTestEvent {
  /** The type */
  type: 'webhook.test'
  /** When it happened */
  timestamp: string
  /** The answer itself */
  data: {
    /** The id of a webhook endpoint */
    id: string
    /** A sentence for people */
    message: string
  }
}
export type WriteCommentInclude = 'author' | 'attachments'
export interface WrittenComment {
  /** The id of a comment */
  id: string
  /** The id of a discussion */
  discussion_id: string
  /** The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name */
  content: string
  /** The id of a member */
  author_id: string
  /** When it was created */
  created_at: string
  /** Only if the post waits for a moderator */
  status?: 'pending'
  /** Present with `include=author`: the profile of the member. Null if there is no member, or if the project does not show profiles to visitors */
  author?: Author | null
  /** Present with `include=attachments`: the files of the post, without deleted ones. One answer has at most 1,000 files */
  files?: PostFile[]
}
export interface GetAnalyticsStatsQuery {
  /** The first day or moment. Default: 30 days before the end */
  start_date?: string | undefined
  /** The last day or moment; a day is included as a whole. Default: today */
  end_date?: string | undefined
  /** The IANA time zone of the dates. Default: the time zone of the project */
  timezone?: string | undefined
  /** The metrics to return, separated by commas: visitors, visits, pageviews, events, bounce_rate, visit_duration, views_per_visit, conversions, conversion_rate, members. Default: all */
  metric?: string | undefined
  /** Whether bots are counted. Default: `exclude` */
  bots?: BotFilter | undefined
  /** The goal whose conversions are counted. Default: all goals */
  goal?: string | undefined
  /** True counts the stored events again and does not read roll-ups; the numbers are the same */
  recount?: boolean | undefined
  /** Only events with this page */
  path?: string | undefined
  /** Only events with this event */
  event?: string | undefined
  /** Only events with this entry page */
  entry_page?: string | undefined
  /** Only events with this exit page */
  exit_page?: string | undefined
  /** Only events with this referrer */
  referrer?: string | undefined
  /** Only events with this source */
  source?: string | undefined
  /** Only events with this channel */
  channel?: string | undefined
  /** Only events with this utm source */
  utm_source?: string | undefined
  /** Only events with this utm medium */
  utm_medium?: string | undefined
  /** Only events with this utm campaign */
  utm_campaign?: string | undefined
  /** Only events with this utm term */
  utm_term?: string | undefined
  /** Only events with this utm content */
  utm_content?: string | undefined
  /** Only events with this country */
  country?: string | undefined
  /** Only events with this device */
  device?: string | undefined
  /** Only events with this browser */
  browser?: string | undefined
  /** Only events with this os */
  os?: string | undefined
  /** Also returns the values of the previous period of equal length */
  compare?: 'previous' | undefined
}
export interface GetAnalyticsTimeseriesQuery {
  /** The first day or moment. Default: 30 days before the end */
  start_date?: string | undefined
  /** The last day or moment; a day is included as a whole. Default: today */
  end_date?: string | undefined
  /** The IANA time zone of the dates. Default: the time zone of the project */
  timezone?: string | undefined
  /** The metrics to return, separated by commas: visitors, visits, pageviews, events, bounce_rate, visit_duration, views_per_visit, conversions, conversion_rate, members. Default: all */
  metric?: string | undefined
  /** Whether bots are counted. Default: `exclude` */
  bots?: BotFilter | undefined
  /** The goal whose conversions are counted. Default: all goals */
  goal?: string | undefined
  /** True counts the stored events again and does not read roll-ups; the numbers are the same */
  recount?: boolean | undefined
  /** Only events with this page */
  path?: string | undefined
  /** Only events with this event */
  event?: string | undefined
  /** Only events with this entry page */
  entry_page?: string | undefined
  /** Only events with this exit page */
  exit_page?: string | undefined
  /** Only events with this referrer */
  referrer?: string | undefined
  /** Only events with this source */
  source?: string | undefined
  /** Only events with this channel */
  channel?: string | undefined
  /** Only events with this utm source */
  utm_source?: string | undefined
  /** Only events with this utm medium */
  utm_medium?: string | undefined
  /** Only events with this utm campaign */
  utm_campaign?: string | undefined
  /** Only events with this utm term */
  utm_term?: string | undefined
  /** Only events with this utm content */
  utm_content?: string | undefined
  /** Only events with this country */
  country?: string | undefined
  /** Only events with this device */
  device?: string | undefined
  /** Only events with this browser */
  browser?: string | undefined
  /** Only events with this os */
  os?: string | undefined
  /** Also returns the values of the previous period of equal length */
  compare?: 'previous' | undefined
  /** The length of each point; a week begins on Monday */
  interval?: GetAnalyticsTimeseriesInterval | undefined
}
export interface GetAnalyticsBreakdownQuery {
  /** The first day or moment. Default: 30 days before the end */
  start_date?: string | undefined
  /** The last day or moment; a day is included as a whole. Default: today */
  end_date?: string | undefined
  /** The IANA time zone of the dates. Default: the time zone of the project */
  timezone?: string | undefined
  /** The metrics to return, separated by commas: visitors, visits, pageviews, events, bounce_rate, visit_duration, views_per_visit, conversions, conversion_rate, members. Default: all */
  metric?: string | undefined
  /** Whether bots are counted. Default: `exclude` */
  bots?: BotFilter | undefined
  /** The goal whose conversions are counted. Default: all goals */
  goal?: string | undefined
  /** True counts the stored events again and does not read roll-ups; the numbers are the same */
  recount?: boolean | undefined
  /** Only events with this page */
  path?: string | undefined
  /** Only events with this event */
  event?: string | undefined
  /** Only events with this entry page */
  entry_page?: string | undefined
  /** Only events with this exit page */
  exit_page?: string | undefined
  /** Only events with this referrer */
  referrer?: string | undefined
  /** Only events with this source */
  source?: string | undefined
  /** Only events with this channel */
  channel?: string | undefined
  /** Only events with this utm source */
  utm_source?: string | undefined
  /** Only events with this utm medium */
  utm_medium?: string | undefined
  /** Only events with this utm campaign */
  utm_campaign?: string | undefined
  /** Only events with this utm term */
  utm_term?: string | undefined
  /** Only events with this utm content */
  utm_content?: string | undefined
  /** Only events with this country */
  country?: string | undefined
  /** Only events with this device */
  device?: string | undefined
  /** Only events with this browser */
  browser?: string | undefined
  /** Only events with this os */
  os?: string | undefined
  /** The dimension: page, event, entry_page, exit_page, referrer, source, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, country, device, browser, os, or `property:` and the name of a property */
  dimension?: string | undefined
  /** The largest number of values in the answer */
  limit?: number | undefined
  /** The `pagination.next_cursor` of the previous answer */
  cursor?: string | undefined
}
export interface ListAnalyticsEventsQuery {
  /** The first day or moment. Default: 30 days before the end */
  start_date?: string | undefined
  /** The last day or moment; a day is included as a whole. Default: today */
  end_date?: string | undefined
  /** Only events or only page views */
  type?: StoredType | undefined
  /** Only events with this name */
  event?: string | undefined
  /** Only events on this page */
  path?: string | undefined
  /** Only events of this member */
  user_id?: string | undefined
  /** Whether bots are counted. Default: `exclude` */
  bots?: BotFilter | undefined
  /** The largest number of events in the answer */
  limit?: number | undefined
  /** The `pagination.next_cursor` of the previous answer */
  cursor?: string | undefined
  /** Another name of `user_id` */
  member_id?: string | undefined
}
export interface ListGoalsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface SignUpQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface LogInQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface VerifyMagicLinkQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface VerifyEmailQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface ResetPasswordQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface VerifySecondFactorQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface LogInByPasskeyQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface GetProfileQuery {
  /** Additional fields in the answer, separated by commas: `role`, `updated_at`, `last_login_at`, `display_name`, `bio`, `avatar_file_id` */
  include?: GetProfileInclude[] | undefined
}
export interface UpdateProfileQuery {
  /** Additional fields in the answer, separated by commas: `role`, `updated_at`, `last_login_at`, `display_name`, `bio`, `avatar_file_id` */
  include?: UpdateProfileInclude[] | undefined
}
export interface ListInvitationsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only invitations with this status */
  status?: InvitationStatus | undefined
  /** Only invitations to this plan */
  plan_id?: string | undefined
  /** Only records with this text as a part of the address or the name. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: InvitationSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface CreateInvitationQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface RevokeInvitationQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface ResendInvitationQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface AcceptInvitationQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface ListSsoConnectionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface ListOfferedSsoConnectionsQuery {
  /** An email address. The answer then also has the connections for its domain */
  email?: string | undefined
}
export interface ExchangeSsoCodeQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface FinishOidcLoginQuery {
  /** The state that the login sent to the provider */
  state: string
  /** The authorization code of the provider */
  code?: string | undefined
  /** The issuer that the provider names */
  iss?: string | undefined
  /** The error of the provider, if it sends no code */
  error?: string | undefined
}
export interface FinishOldOidcLoginQuery {
  /** The state that the login sent to the provider */
  state: string
  /** The authorization code of the provider */
  code?: string | undefined
  /** The issuer that the provider names */
  iss?: string | undefined
  /** The error of the provider, if it sends no code */
  error?: string | undefined
}
export interface ListSubscriptionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only subscriptions of this member */
  member_id?: string | undefined
  /** Only subscriptions to this plan */
  plan_id?: string | undefined
  /** Only subscriptions with this status */
  status?: SubscriptionStatus | undefined
  /** Only records with this text as a part of the name or address of the member. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListSubscriptionHistoryQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface ListBillsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only bills of this member */
  member_id?: string | undefined
  /** Only bills of this subscription */
  subscription_id?: string | undefined
  /** Only bills with this status */
  status?: BillStatus | undefined
  /** Only records with this text as a part of the name or address of the member. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: BillSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface GetMemberCreditQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only entries in this currency */
  currency?: string | undefined
}
export interface ListPaymentAccountsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface GetCommunityImportQuery {
  /** The `map_next` of the answer before */
  map_after?: string | undefined
}
export interface ListDiscussionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only discussions in the category with this slug */
  category?: string | undefined
  /** Only discussions of this member */
  author_id?: string | undefined
  /** Only discussions with this status. Default: `visible`. A member who is not a moderator sees own `pending` discussions and no `removed` ones */
  status?: DiscussionStatus | undefined
  /** Only pinned discussions, or only those that are not pinned */
  pinned?: boolean | undefined
  /** The words to search for in titles and texts. If no discussion has them, the answer has discussions with a similar title */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The order. `latest`: pinned discussions first, then the latest activity; `newest`: by the time of creation; `top`: by likes; `unanswered`: discussions without comments first. Default: the best match first with `search`, otherwise `latest` */
  sort?: DiscussionSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: DiscussionInclude[] | undefined
  /** The names of the fields that each item has in the answer, separated by commas. `id` and the fields that `include` adds are always there. Default: all fields */
  fields?: DiscussionField[] | undefined
  /** Another name of `author_id` */
  member_id?: string | undefined
}
export interface StartDiscussionQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: StartDiscussionInclude[] | undefined
}
export interface GetDiscussionQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: GetDiscussionInclude[] | undefined
}
export interface UpdateDiscussionQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: UpdateDiscussionInclude[] | undefined
}
export interface RemoveDiscussionQuery {
  /** Why, for the audit log */
  reason?: string | undefined
}
export interface UnlikeDiscussionQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface UnsubscribeFromDiscussionQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListDiscussionRevisionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Additional fields in the answer, separated by commas: `author` */
  include?: 'author'[] | undefined
}
export interface ListCommentsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Lists the replies of this comment, not the upper level */
  parent_id?: string | undefined
  /** `tree`: comments of the upper level with their replies (default); `flat`: comments of all levels one after the other */
  view?: CommentWithRepliesView | undefined
  /** The order of the comments. Replies in a tree are always sorted oldest first. `top`: most likes first. Default: `oldest` */
  sort?: CommentWithRepliesSort | undefined
  /** Lists the page on which this comment is, with the comments that it replies to. Not together with `page` or `cursor`; 404 if the reader cannot see the comment */
  around?: string | undefined
  /** How many levels of a tree are shown; 1 is the upper level alone */
  depth?: number | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: CommentInclude[] | undefined
  /** The names of the fields that each item has in the answer, separated by commas. `id` and the fields that `include` adds are always there. Default: all fields */
  fields?: CommentWithRepliesField[] | undefined
}
export interface WriteCommentQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: WriteCommentInclude[] | undefined
}
export interface ListCommentsOfMemberQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** The member who wrote the comments. Required with a key; default with a token: the member of the token */
  author_id?: string | undefined
  /** Only comments with this status. Default: `visible`. A member who is not a moderator sees own `pending` comments and no `removed` ones */
  status?: CommentStatus | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Imported comments are in the order of their import. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: CommentInclude[] | undefined
  /** The names of the fields that each item has in the answer, separated by commas. `id` and the fields that `include` adds are always there. Default: all fields */
  fields?: CommentField[] | undefined
  /** Another name of `author_id` */
  member_id?: string | undefined
}
export interface GetCommentQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: GetCommentInclude[] | undefined
}
export interface UpdateCommentQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: UpdateCommentInclude[] | undefined
}
export interface RemoveCommentQuery {
  /** Why, for the audit log */
  reason?: string | undefined
}
export interface UnlikeCommentQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListCommentRevisionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Additional fields in the answer, separated by commas: `author` */
  include?: 'author'[] | undefined
}
export interface ListDiscussionCategoriesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface ListModerationQueueQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** `open`: cases that wait for a decision; `resolved`: decided cases; `appealed`: open and decided cases whose appeal waits for a decision */
  status?: ListModerationQueueStatus | undefined
  /** `age`: by the time of creation; `weight`: by the weights of the reports, only with the status `open` */
  sort?: CaseSort | undefined
  /** `asc`: ascending; `desc`: descending. Default: `asc` for the age of open and appealed cases, so that the oldest comes first; otherwise `desc` */
  order?: CaseOrder | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: CaseInclude[] | undefined
}
export interface ListEventsQuery {
  /** The id of the last event that you know, such as a `webhook-id`. Default: the list starts with the oldest event */
  after?: string | undefined
  /** Only events of this type, or of a group like `form.*`; an unknown type is refused */
  type?: string | undefined
  /** The largest number of events in the answer */
  limit?: number | undefined
}
export interface ListMemberEventsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only events of this type, or of a group like `form.*`; an unknown type is refused */
  type?: string | undefined
  /** Only records that happened at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that happened at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'timestamp' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListExportsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only exports with this status */
  status?: ExportStatus | undefined
  /** Only exports of this kind */
  kind?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListFeedbackQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only items of this type */
  type?: FeedbackType | undefined
  /** Only items with this status. Default: all items except duplicates */
  status?: FeedbackStatus | undefined
  /** Only items of this visibility; members and public keys see public items only */
  visibility?: FeedbackVisibility | undefined
  /** Only items of this member; only for secret keys and moderators */
  user_id?: string | undefined
  /** The words to search for in titles and messages. The answer also has items with a similar title */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. `top`: by votes; `new`: by the time of creation. Records with the same value are sorted by id */
  sort?: FeedbackItemSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: FeedbackItemInclude[] | undefined
  /** The names of the fields that each item has in the answer, separated by commas. `id` and the fields that `include` adds are always there. Default: all fields */
  fields?: FeedbackItemField[] | undefined
  /** Another name of `user_id` */
  member_id?: string | undefined
}
export interface CreateFeedbackQuery {
  /** Additional fields in the answer, separated by commas: `title`, `attachments` */
  include?: CreateFeedbackInclude[] | undefined
}
export interface FindSimilarFeedbackQuery {
  /** The words that are compared with titles */
  title: string
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: FeedbackItemInclude[] | undefined
}
export interface ListSimilarFeedbackQuery {
  /** The words that are compared with titles */
  title?: string | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: FeedbackItemInclude[] | undefined
}
export interface GetFeedbackQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: GetFeedbackInclude[] | undefined
}
export interface UpdateFeedbackQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: UpdateFeedbackInclude[] | undefined
}
export interface TakeBackVoteQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListVotersQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Additional fields in the answer, separated by commas: `author` */
  include?: 'author'[] | undefined
}
export interface ListFeedbackStatusChangesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface GetRoadmapQuery {
  /** Only items of this type */
  type?: RoadmapColumnType | undefined
  /** The largest number of items of each status */
  limit?: number | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: RoadmapColumnInclude[] | undefined
}
export interface GetChangelogQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only items of this type */
  type?: ChangelogEntryType | undefined
}
export interface ListFeedbackCommentsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: FeedbackCommentInclude[] | undefined
}
export interface CommentOnFeedbackQuery {
  /** Additional fields in the answer, separated by commas: `author`, `attachments` */
  include?: CommentInclude[] | undefined
}
export interface ListFormsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only forms with this status */
  status?: FormStatus | undefined
  /** Only forms of this type */
  type?: FormType | undefined
  /** Only records with this text as a part of the name. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: FormListItemSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface GetFormQuery {
  /** Additional fields in the answer, separated by commas: `type`, `status`, `version`, `submission_count`, `updated_at`, `published_at` */
  include?: GetFormInclude[] | undefined
}
export interface ListFormVersionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface SummarizeFormQuery {
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
}
export interface ListFormSubmissionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only submissions with this status */
  status?: FormSubmissionStatus | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** Only records with this text as a part of any value in `data`. Upper and lower case are the same */
  search?: string | undefined
  /** Only submissions of this member */
  member_id?: string | undefined
  /** Additional fields in the answer, separated by commas: `form_version`, `status` */
  include?: FormSubmissionInclude[] | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ExportFormSubmissionsQuery {
  /** `csv` by RFC 4180, or `json`: one submission in each line, as the API shows it */
  format?: ExportFormat | undefined
  /** True starts the CSV with a byte order mark, which some programs need to detect UTF-8 */
  bom?: boolean | undefined
  /** True leaves cells and headers that start with `=`, `+`, `-`, `@`, a tab or a carriage return as they are. By default a `'` is put before them, except before numbers, so that no spreadsheet runs them as formulas */
  raw?: boolean | undefined
  /** Only submissions with this status */
  status?: ExportFormSubmissionsStatus | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** Only records with this text as a part of any value in `data`. Upper and lower case are the same */
  search?: string | undefined
  /** Only submissions of this member */
  member_id?: string | undefined
}
export interface ListHelpCategoriesQuery {
  /** The largest number of categories in the answer */
  limit?: number | undefined
  /** The place to continue: the `cursor` of the `Link` header of the previous answer */
  cursor?: string | undefined
  /** Only subcategories of this category; `none`: only categories at the top level */
  parent_id?: string | undefined
  /** Additional fields in the answer, separated by commas: `slug`, `parent_id`, `position` */
  include?: ListHelpCategoriesInclude[] | undefined
}
export interface ListArticlesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only articles that are directly in this category */
  category_id?: string | undefined
  /** Only articles with this status; callers without a secret key get published articles only */
  status?: ArticleStatus | undefined
  /** Only articles in this language */
  locale?: string | undefined
  /** Only articles with this label */
  label?: string | undefined
  /** Only records with this text as a part of the title in the original language. `GET /help/search` searches whole articles in all languages. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface GetArticleQuery {
  /** The language of the answer. If there is no `de-AT`, the answer is in `de`; if there is no `de`, it is in the original language */
  locale?: string | undefined
}
export interface ListArticleVersionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
}
export interface SearchArticlesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** The words to search for. The last word may be incomplete. If no article has the words, the search also finds parts of words, and words with typing errors */
  q: string
  /** Only articles in this language. The search knows the word forms of the language. Default: all languages */
  locale?: string | undefined
}
export interface ListRelatedArticlesQuery {
  /** The language of the answer. If there is no `de-AT`, the answer is in `de`; if there is no `de`, it is in the original language */
  locale?: string | undefined
}
export interface GetHelpInsightsQuery {
  /** The number of days, today included */
  days?: number | undefined
  /** The largest number of entries of each kind */
  limit?: number | undefined
}
export interface TakeBackArticleVoteQuery {
  /** Required with a public key: a random text that the browser keeps, so that it has one vote */
  session_id?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListCoursesQuery {
  /** Only courses of this category */
  category?: string | undefined
  /** Only courses of this level */
  level?: CourseLevel | undefined
  /** Only records with this text as a part of the title or the description. Upper and lower case are the same */
  search?: string | undefined
  /** Only for secret keys: courses with this status; `all`: all courses. Without it, published courses */
  status?: ListCoursesStatus | undefined
  /** Additional fields in the answer, separated by commas: `currency`, `created_at` */
  include?: CourseInclude[] | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: CourseSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** The largest number of records on a page; the next page is in the header `Link` */
  limit?: number | undefined
  /** The place to continue: the `cursor` of the `Link` header of the previous page */
  cursor?: string | undefined
}
export interface ListEnrollmentsQuery {
  /** The member who learns; required with a secret key */
  student_id?: string | undefined
  /** Only enrollments in this course */
  course_id?: string | undefined
  /** Only records that began at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that began at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'enrolled_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** The largest number of records on a page; the next page is in the header `Link` */
  limit?: number | undefined
  /** The place to continue: the `cursor` of the `Link` header of the previous page */
  cursor?: string | undefined
  /** Another name of `student_id` */
  member_id?: string | undefined
}
export interface GetQuizQuery {
  /** Only for secret keys: the member whose attempts are in the answer */
  student_id?: string | undefined
  /** Another name of `student_id` */
  member_id?: string | undefined
}
export interface ListCourseRatingsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Additional fields in the answer, separated by commas: `author` */
  include?: 'author'[] | undefined
}
export interface GetGradebookQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only enrollments with this status */
  status?: GradebookRowStatus | undefined
}
export interface GetCertificateQuery {
  /** `json`: the certificate; `pdf`: a page to print */
  format?: GetCertificateFormat | undefined
}
export interface ListMailsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only mails in this state */
  state?: MailState | undefined
  /** Only mails of this template */
  template?: string | undefined
  /** Only mails to this member */
  member_id?: string | undefined
  /** Only records with this text as a part of the address or the name that they went to. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListMailSuppressionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only records with this text as a part of the address. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListProtectionRulesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only active rules, or only inactive rules */
  is_active?: boolean | undefined
  /** Only rules that this plan opens */
  plan_id?: string | undefined
  /** Only records with this text as a part of the pattern. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: ProtectionRuleSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListMembersQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only members with this status */
  status?: MemberStatus | undefined
  /** Only records with this text as a part of the address or the name. Upper and lower case are the same */
  search?: string | undefined
  /** Only these members: ids separated by commas, at most 100. Unknown ones are left out */
  ids?: string | undefined
  /** Only members on this plan */
  plan_id?: string | undefined
  /** Only members with this role */
  role?: string | undefined
  /** Only members whose metadata has this value under this key, such as `metadata.company=Example Ltd`. Several such parameters must all match */
  metadata?: Record<string, string> | undefined
  /** Only members that were created or changed at this time or later */
  updated_since?: string | undefined
  /** True lists only deleted members that can still be restored */
  deleted?: boolean | undefined
  /** Additional fields in the answer, separated by commas: `role`, `updated_at`, `last_login_at` */
  include?: MemberInclude[] | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: MemberSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface CreateMemberQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface GetMemberQuery {
  /** Additional fields in the answer, separated by commas: `role`, `updated_at`, `last_login_at` */
  include?: GetMemberInclude[] | undefined
}
export interface UpdateMemberQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface DeleteMemberQuery {
  /** `soft`: the member can be restored for 30 days; `anonymize`: personal data is erased and cannot be restored */
  mode?: DeleteMemberMode | undefined
}
export interface RestoreMemberQuery {
  /** Additional fields in the answer, separated by commas: `role` */
  include?: 'role'[] | undefined
}
export interface ExportMembersQuery {
  /** Only members with this status */
  status?: ExportMembersStatus | undefined
  /** Only records with this text as a part of the address or the name. Upper and lower case are the same */
  search?: string | undefined
  /** True starts the file with a byte order mark, which some programs need to detect UTF-8 */
  bom?: boolean | undefined
}
export interface ListMemberImportsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only imports with this status */
  status?: MemberImportStatus | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListSuspensionsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Additional fields in the answer, separated by commas: `author` */
  include?: 'author'[] | undefined
}
export interface ListMutesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface UnmuteMemberQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListModerationRulesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only rules that are used, or only the others */
  enabled?: boolean | undefined
}
export interface GetNotificationPreferencesQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListNotificationsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only unread ones, or only those that were read */
  unread?: boolean | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface CountUnreadNotificationsQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListPlansQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only plans with this status; public keys get active plans only */
  status?: PlanStatus | undefined
  /** Only plans of this visibility; public keys get public plans only */
  visibility?: PlanVisibility | undefined
  /** Only records with this text as a part of the name or the slug. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: PlanSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: AscendingOrder | undefined
}
export interface FindProfilesQuery {
  /** Ids of members, separated by commas, at most 100. Unknown ones are left out */
  ids?: string | undefined
  /** The beginning of a name, for mentions: two characters or more */
  search?: string | undefined
}
export interface SearchQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** The words to search for, in any script. All must be there; "some words" are a phrase, `-word` is left out, `or` stands between alternatives. The last word may be incomplete. If nothing is found, similar words are searched for */
  q: string
  /** Only these types, separated by commas: `discussion`, `comment`, `feedback`, `article`, `course`, `product`. Default: all that the caller may read */
  types?: FoundItemType[] | undefined
  /** Only discussions, comments and feedback of this member. Visitors without a log-in do not find feedback by its author */
  author_id?: string | undefined
  /** Only what is in the category: the slug of a category of discussions or of the help center, or the category of a course or a product */
  category?: string | undefined
  /** Only what was written then or later; a date or a timestamp */
  since?: string | undefined
  /** Another name of `author_id` */
  member_id?: string | undefined
}
export interface ListProductsQuery {
  /** Only products of this category */
  category?: string | undefined
  /** Only the product with this slug */
  slug?: string | undefined
  /** Only active products, or only inactive products; only for secret keys */
  is_active?: boolean | undefined
  /** Additional fields in the answer, separated by commas: `slug`, `images` */
  include?: ListProductsInclude[] | undefined
  /** Only records with this text as a part of the name. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. `price` compares the numbers, whatever their currencies. Records with the same value are sorted by id */
  sort?: ListProductsSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** The largest number of records on a page; the next page is in the header `Link` */
  limit?: number | undefined
  /** The place to continue: the `cursor` of the `Link` header of the previous page */
  cursor?: string | undefined
}
export interface ListStockMovesQuery {
  /** The largest number of records on a page; the next page is in the header `Link` */
  limit?: number | undefined
  /** The place to continue: the `cursor` of the `Link` header of the previous page */
  cursor?: string | undefined
}
export interface ListDiscountsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only active discounts, or only inactive discounts */
  is_active?: boolean | undefined
  /** Only records with this text as a part of the code. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: DiscountSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface GetCartQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface EmptyCartQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface RemoveCartItemQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface DropDiscountQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListOwnOrdersQuery {
  /** The largest number of records on a page; the next page is in the header `Link` */
  limit?: number | undefined
  /** The place to continue: the `cursor` of the `Link` header of the previous page */
  cursor?: string | undefined
  /** Only orders with this status */
  status?: OrderStatus | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface GetOrderQuery {
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListOrdersQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only orders with this status */
  status?: OrderStatus | undefined
  /** Only orders of this member */
  member_id?: string | undefined
  /** Only records with this text as a part of the number, the names of products, or the name or address of the buyer. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. `total` compares the numbers, whatever their currencies. Records with the same value are sorted by id */
  sort?: OrderSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface GetDailyStatsQuery {
  /** `revenue`: what was paid, less what was refunded. `mrr`: monthly recurring revenue at the end of the day. `orders`: orders that were paid for the first time. `sign_ups`: members who were created */
  metric: GetDailyStatsMetric
  /** The first day, by the time zone of the project. Default: 29 days before the last day */
  start_date?: string | undefined
  /** The last day, by the time zone of the project. Default: today */
  end_date?: string | undefined
}
export interface GetLinkedFileQuery {
  /** When the link expires, in seconds since 1970 */
  expires?: number | undefined
  /** The id of the export that has the link: the link expires with it */
  export?: string | undefined
  /** True in the link to the smaller size of a picture */
  preview?: boolean | undefined
  /** The signature of the link */
  signature?: string | undefined
}
export interface ListFilesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only records with this text as a part of the name. Upper and lower case are the same */
  search?: string | undefined
  /** Only files of this visibility */
  visibility?: FileVisibility | undefined
  /** Only files of this member */
  owner_id?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: FileSort | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
  /** A content type, or its part before the slash, like `image` */
  type?: string | undefined
}
export interface GetFileQuery {
  /** Additional fields in the answer, separated by commas: `used_by` */
  include?: 'used_by'[] | undefined
}
export interface OpenStreamQuery {
  /** A ticket, in place of the header `Authorization` */
  ticket?: string | undefined
  /** The topics of the stream, at most 20, with commas between them. Required without a ticket; a ticket has its own */
  topics?: string | undefined
  /** The last `id` that you have got, if you cannot send the header `Last-Event-ID`: the stream continues after it */
  last_event_id?: string | undefined
  /** Instead of the header `X-User-ID` */
  member_id?: string | undefined
}
export interface ListWebhookEndpointsQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only enabled endpoints, or only disabled ones */
  enabled?: boolean | undefined
  /** Only records with this text as a part of the URL or the description. Upper and lower case are the same */
  search?: string | undefined
  /** Only records that were created at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that were created at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface ListWebhookDeliveriesQuery {
  /** The number of the page, from 1; a page after the last one is empty */
  page?: number | undefined
  /** The largest number of records on a page */
  limit?: number | undefined
  /** The `next_cursor` of the previous page; order, filters and search must be the same */
  cursor?: string | undefined
  /** Only deliveries with this status */
  status?: WebhookDeliveryStatus | undefined
  /** Only deliveries of events of this type */
  event_type?: string | undefined
  /** Only records that are of events that happened at this time or later: a timestamp with its offset, or a date, which begins at 00:00 UTC */
  start_date?: string | undefined
  /** Only records that are of events that happened at this time or earlier: a timestamp with its offset, or a date, up to the end of that day */
  end_date?: string | undefined
  /** The field to sort by. Deliveries are in the order of their events. Records with the same value are sorted by id */
  sort?: 'created_at' | undefined
  /** `asc`: ascending; `desc`: descending */
  order?: SortOrder | undefined
}
export interface GetWebhookStatsQuery {
  /** The number of hours, including the present one */
  hours?: number | undefined
}
/** All operations of the API. */
export interface Operations {
  readonly analytics: {
    /** Track an event */
    track(body: TrackedEvent, options?: Options): Promise<Tracked>
    /** Track a page view */
    trackPageview(body: Pageview, options?: Options): Promise<Tracked>
    /** Track many events at once */
    trackBatch(body: Batch, options?: Options): Promise<BatchItemResult[]>
    readonly stats: {
      /** Get the metrics of a date range */
      get(query?: GetAnalyticsStatsQuery, options?: Options): Promise<AnalyticsStats>
    }
    readonly timeseries: {
      /** Get metrics over time */
      get(query?: GetAnalyticsTimeseriesQuery, options?: Options): Promise<AnalyticsTimeseries>
    }
    readonly breakdown: {
      /** Get metrics by a dimension */
      list(query?: GetAnalyticsBreakdownQuery, options?: Options): Pages<BreakdownItem, { /** The place of this page in the list */
pagination: CursorPagination }>
    }
    /** Query metrics by dimensions */
    query(body: AnalyticsQuery, options?: Options): Promise<AnalyticsQueryRow[]>
    readonly funnel: {
      /** Get a funnel */
      get(body: FunnelQuery, options?: Options): Promise<Funnel>
    }
    readonly retention: {
      /** Get retention */
      get(body?: RetentionQuery, options?: Options): Promise<Retention>
    }
    readonly realtime: {
      /** Get live metrics */
      get(options?: Options): Promise<Realtime>
    }
    readonly events: {
      /** List stored events */
      list(query?: ListAnalyticsEventsQuery, options?: Options): Pages<StoredEvent, { /** The place of this page in the list */
pagination: CursorPagination }>
    }
    readonly goals: {
      /** List goals */
      list(query?: ListGoalsQuery, options?: Options): Pages<Goal, { /** The place of this page in the list */
pagination: Pagination }>
      /** Create a goal */
      create(body: NewGoal, options?: Options): Promise<Goal>
      /** Get a goal */
      get(id: string, options?: Options): Promise<Goal>
      /** Change a goal */
      update(id: string, body: GoalChanges, options?: Options): Promise<Goal>
      /** Delete a goal */
      delete(id: string, options?: Options): Promise<Deleted>
    }
    readonly tracker: {
      /** Get the script of a site */
      get(options?: Options): Promise<Response>
    }
    /** Track events of a site */
    trackSite(body: SiteEvents, options?: Options): Promise<BatchItemResult[]>
  }
  readonly apiKeys: {
    /** List API keys */
    list(options?: Options): Promise<ApiKey[]>
    readonly self: {
      /** Get the key of this request */
      get(options?: Options): Promise<OwnApiKey>
    }
    /** Replace a key with a new one */
    rotate(id: string, body?: RotateRequest, options?: Options): Promise<RotatedApiKey>
    /** Revoke a key */
    delete(id: string, options?: Options): Promise<Deleted>
  }
  readonly auth: {
    /** Sign up */
    signup(body: SignUp, options?: Options<SignUpQuery>): Promise<SignUpAnswer>
    /** Log in by password */
    login(body: Login, options?: Options<LogInQuery>): Promise<LogInResponse>
    /** Get new tokens */
    refresh(body: RefreshSessionRequest, options?: Options): Promise<Session>
    /** Log out */
    logout(body?: LogOutRequest, options?: Options): Promise<{
      /** The number of sessions that were ended */
      ended: number
    }>
    readonly magicLink: {
      /** Send a link and a code to log in */
      request(body: MagicLinkRequest, options?: Options): Promise<Sent>
      /** Log in by a link or a code */
      verify(body: MailProof, options?: Options<VerifyMagicLinkQuery>): Promise<LogInResponse>
    }
    readonly email: {
      /** Confirm an address by a link or a code */
      verify(body: EmailProof, options?: Options<VerifyEmailQuery>): Promise<LogInResponse>
      /** Send the confirmation mail again */
      resend(body: EmailRequest, options?: Options): Promise<Sent>
    }
    readonly password: {
      /** Send a link and a code to set a new password */
      forgot(body: EmailRequest, options?: Options): Promise<Sent>
      /** Set a new password by a link or a code */
      reset(body: ResetPassword, options?: Options<ResetPasswordQuery>): Promise<LogInResponse>
      /** Change the password */
      change(body: ChangePassword, options?: Options): Promise<{
        /** The number of sessions that were ended */
        ended: number
      }>
    }
    readonly mfa: {
      readonly totp: {
        /** Start to add an authenticator app */
        begin(body?: BeginTotpRequest, options?: Options): Promise<BegunFactor>
        /** Confirm an authenticator app by a code */
        verify(body: ConfirmTotpRequest, options?: Options): Promise<ConfirmedFactor>
      }
      readonly recoveryCodes: {
        /** Replace the recovery codes */
        create(options?: Options): Promise<RecoveryCodes>
      }
      /** Send the second factor of a login */
      verify(body: VerifySecondFactorRequest, options?: Options<VerifySecondFactorQuery>): Promise<LogInResponse>
      readonly factors: {
        /** List second factors and passkeys */
        list(options?: Options): Promise<Factor[]>
        /** Remove a second factor or a passkey */
        delete(id: string, options?: Options): Promise<Deleted>
      }
    }
    readonly passkeys: {
      /** Start to add a passkey */
      begin(body?: BeginPasskeyRequest, options?: Options): Promise<PasskeyCreationOptions>
      /** Add a passkey */
      register(body: RegisterPasskeyRequest, options?: Options): Promise<Factor>
      /** Start to log in by a passkey */
      beginLogin(body?: BeginPasskeyLoginRequest, options?: Options): Promise<PasskeyRequestOptions>
      /** Log in by a passkey */
      login(body: LogInByPasskeyRequest, options?: Options<LogInByPasskeyQuery>): Promise<LogInResponse>
    }
    readonly sessions: {
      /** List the sessions of the member */
      list(options?: Options): Promise<SessionRecord[]>
      /** End a session */
      delete(id: string, options?: Options): Promise<Deleted>
    }
    readonly invitations: {
      /** Accept an invitation by its link or its code */
      accept(body: AcceptInvitation, options?: Options<AcceptInvitationQuery>): Promise<LogInResponse>
    }
    readonly sso: {
      readonly connections: {
        /** List the connections for a login page */
        list(query?: ListOfferedSsoConnectionsQuery, options?: Options): Promise<OfferedSsoConnection[]>
      }
      /** Start a login by single sign-on */
      start(body: StartSso, options?: Options): Promise<StartedSso>
      /** Finish a login by single sign-on */
      exchange(body: ExchangeSso, options?: Options<ExchangeSsoCodeQuery>): Promise<LogInResponse>
      /** Return from an OpenID provider */
      finishOidc(id: string, query: FinishOidcLoginQuery, options?: Options): Promise<Response>
      /** Return from an OpenID provider to the old address */
      finishOldOidc(query: FinishOldOidcLoginQuery, options?: Options): Promise<Response>
      /** Return from a SAML provider */
      finishSaml(id: string, options?: Options): Promise<Response>
      readonly metadata: {
        /** Get the SAML metadata of a connection */
        get(id: string, options?: Options): Promise<Response>
      }
    }
  }
  readonly members: {
    readonly factors: {
      /** Remove all second factors and passkeys of a member */
      delete(id: string, options?: Options): Promise<{
        /** The number of second factors and passkeys that were removed */
        removed: number
      }>
    }
    readonly sessions: {
      /** List the sessions of a member */
      list(id: string, options?: Options): Promise<SessionRecord[]>
      /** Log a member out everywhere */
      delete(id: string, options?: Options): Promise<{
        /** The number of sessions that were ended */
        ended: number
      }>
    }
    readonly credit: {
      /** Get the credit of a member */
      list(id: string, query?: GetMemberCreditQuery, options?: Options): Promise<GetMemberCreditResponse>
      /** Give a member credit, or take some */
      create(id: string, body: NewCreditEntry, options?: Options): Promise<MadeCreditEntry>
    }
    readonly entitlements: {
      /** Get the entitlements of a member */
      get(id: string, options?: Options): Promise<Entitlements>
    }
    readonly events: {
      /** List the events of a member */
      list(id: string, query?: ListMemberEventsQuery, options?: Options): Pages<Event, { /** The place of this page in the list */
pagination: Pagination }>
    }
    /** List members */
    list(query?: ListMembersQuery, options?: Options): Pages<ListedMember, { /** The place of this page in the list */
pagination: Pagination }>
    /** Create a member */
    create(body: NewMember, options?: Options<CreateMemberQuery>): Promise<CreatedMember>
    readonly stats: {
      /** Count members by status and plan */
      get(options?: Options): Promise<MemberStats>
    }
    /** Change, delete or invite many members */
    changeInBulk(body: BulkRequest, options?: Options): Promise<BulkResult>
    /** Get a member */
    get(id: string, query?: GetMemberQuery, options?: Options): Promise<MemberWithPlan>
    /** Change a member */
    update(id: string, body: MemberChanges, options?: Options<UpdateMemberQuery>): Promise<UpdatedMember>
    /** Delete a member */
    delete(id: string, query?: DeleteMemberQuery, options?: Options): Promise<Deleted>
    /** Restore a deleted member */
    restore(id: string, query?: RestoreMemberQuery, options?: Options): Promise<UpdatedMember>
    /** Export members */
    export(query?: ExportMembersQuery, options?: Options): Promise<Response>
    /** Export all data of a member */
    exportData(id: string, options?: Options): Promise<Export>
    readonly imports: {
      /** List imports */
      list(query?: ListMemberImportsQuery, options?: Options): Pages<MemberImportProgress, { /** The place of this page in the list */
pagination: Pagination }>
      /** Import members */
      create(body: FormData, options?: Options): Promise<MemberImport>
      /** Get an import */
      get(id: string, options?: Options): Promise<MemberImport>
      readonly faults: {
        /** Get the faulty rows of an import */
        get(id: string, options?: Options): Promise<Response>
      }
    }
    readonly suspension: {
      /** Get the suspension of a member */
      get(id: string, options?: Options): Promise<Suspension | null>
    }
    /** Suspend a member */
    suspend(id: string, body: NewSuspension, options?: Options): Promise<Suspension>
    /** End the suspension of a member */
    unsuspend(id: string, options?: Options): Promise<Unsuspended>
  }
  readonly user: {
    readonly profile: {
      /** Get the member whose token this is */
      get(query?: GetProfileQuery, options?: Options): Promise<MemberProfile>
      /** Change the member whose token this is */
      update(body: ProfileChanges, options?: Options<UpdateProfileQuery>): Promise<MemberProfile>
      /** Delete the member whose token this is */
      delete(body?: OwnProof, options?: Options): Promise<Deleted>
    }
    /** Export all data of the member whose token this is */
    exportData(body?: OwnProof, options?: Options): Promise<ExportData>
    readonly mutes: {
      /** List the members whom a member has muted */
      list(query?: ListMutesQuery, options?: Options): Pages<Mute, { /** The place of this page in the list */
pagination: Pagination }>
      /** Mute a member */
      set(id: string, body?: MuteMemberRequest, options?: Options): Promise<Muted>
      /** Stop muting a member */
      delete(id: string, query?: UnmuteMemberQuery, options?: Options): Promise<Muted>
    }
  }
  readonly invitations: {
    /** List invitations */
    list(query?: ListInvitationsQuery, options?: Options): Pages<Invitation, { /** The place of this page in the list */
pagination: Pagination }>
    /** Invite somebody */
    create(body: NewInvitation, options?: Options<CreateInvitationQuery>): Promise<Invitation>
    /** Revoke an invitation */
    revoke(id: string, query?: RevokeInvitationQuery, options?: Options): Promise<Invitation>
    /** Send an invitation again */
    resend(id: string, query?: ResendInvitationQuery, options?: Options): Promise<Invitation>
  }
  readonly ssoConnections: {
    /** List SSO connections */
    list(query?: ListSsoConnectionsQuery, options?: Options): Pages<SsoConnection, { /** The place of this page in the list */
pagination: Pagination }>
    /** Connect an OpenID or SAML provider */
    create(body: NewSsoConnection, options?: Options): Promise<SsoConnection>
    /** Get an SSO connection */
    get(id: string, options?: Options): Promise<SsoConnection>
    /** Change an SSO connection */
    update(id: string, body: SsoConnectionChanges, options?: Options): Promise<SsoConnection>
    /** Delete an SSO connection */
    delete(id: string, options?: Options): Promise<Deleted>
  }
  readonly subscriptions: {
    /** List subscriptions */
    list(query?: ListSubscriptionsQuery, options?: Options): Pages<Subscription, { /** The place of this page in the list */
pagination: Pagination }>
    /** Subscribe a member to a plan */
    create(body: NewSubscription, options?: Options): Promise<SubscriptionWithBill>
    /** Get a subscription */
    get(id: string, options?: Options): Promise<Subscription>
    readonly upcoming: {
      /** Get the next bill of a subscription */
      get(id: string, options?: Options): Promise<UpcomingBill | null>
    }
    readonly history: {
      /** List the changes of a subscription */
      list(id: string, query?: ListSubscriptionHistoryQuery, options?: Options): Pages<SubscriptionMove, { /** The place of this page in the list */
pagination: Pagination }>
    }
    /** Preview a change of plan */
    previewChange(id: string, body: PreviewRequest, options?: Options): Promise<ChangePreview>
    /** Change the plan of a subscription */
    change(id: string, body: SubscriptionChange, options?: Options): Promise<SubscriptionWithBill>
    /** End a subscription */
    cancel(id: string, body: SubscriptionCancel, options?: Options): Promise<SubscriptionWithBill>
    /** Resume a subscription */
    resume(id: string, options?: Options): Promise<SubscriptionWithBill>
    /** Pause a subscription */
    pause(id: string, body?: SubscriptionPause, options?: Options): Promise<SubscriptionWithBill>
    readonly paymentMethod: {
      /** Add or replace the card of a subscription */
      set(id: string, options?: Options): Promise<PaymentMethodSetup>
    }
  }
  readonly bills: {
    /** List bills */
    list(query?: ListBillsQuery, options?: Options): Pages<Bill, { /** The place of this page in the list */
pagination: Pagination }>
    /** Get a bill */
    get(id: string, options?: Options): Promise<Bill>
    /** Start or resume the payment of a bill */
    pay(id: string, options?: Options): Promise<Payment>
    /** Mark a bill as paid by hand */
    markPaid(id: string, options?: Options): Promise<Bill>
    /** Void a bill */
    void(id: string, options?: Options): Promise<Bill>
    /** Refund a bill */
    refund(id: string, body: NewBillRefund, options?: Options): Promise<Bill>
  }
  readonly paymentAccounts: {
    /** List payment accounts */
    list(query?: ListPaymentAccountsQuery, options?: Options): Pages<PaymentAccount, { /** The place of this page in the list */
pagination: Pagination }>
    /** Add a payment account */
    create(body: NewPaymentAccount, options?: Options): Promise<PaymentAccount>
    /** Get a payment account */
    get(id: string, options?: Options): Promise<PaymentAccount>
    /** Change a payment account */
    update(id: string, body: PaymentAccountChanges, options?: Options): Promise<PaymentAccount>
    /** Remove a payment account */
    delete(id: string, options?: Options): Promise<Deleted>
    /** Receive a message of a payment provider */
    receiveNotice(id: string, options?: Options): Promise<NoticeReceived>
  }
  readonly testClock: {
    /** Get the test clock */
    get(options?: Options): Promise<TestClock>
    /** Move the test clock forward */
    advance(body: TestClockAdvance, options?: Options): Promise<TestClock>
  }
  readonly community: {
    /** Export the community */
    export(options?: Options): Promise<Response>
    readonly imports: {
      /** Import a community */
      create(body: NewCommunityImport, options?: Options): Promise<CommunityImport>
      /** Get an import of a community */
      get(id: string, query?: GetCommunityImportQuery, options?: Options): Promise<CommunityImport>
    }
  }
  readonly discussions: {
    /** List discussions */
    list(query?: ListDiscussionsQuery, options?: Options): Pages<Discussion, { /** The place of this page in the list */
pagination: Pagination }>
    /** Start a discussion */
    create(body: NewDiscussion, options?: Options<StartDiscussionQuery>): Promise<StartedDiscussion>
    /** Get a discussion */
    get(id: string, query?: GetDiscussionQuery, options?: Options): Promise<Discussion>
    /** Change a discussion */
    update(id: string, body: DiscussionChanges, options?: Options<UpdateDiscussionQuery>): Promise<ChangedDiscussion>
    /** Remove a discussion */
    delete(id: string, query?: RemoveDiscussionQuery, options?: Options): Promise<Deleted>
    /** Pin or unpin a discussion */
    pin(id: string, body: Pin, options?: Options): Promise<Discussion>
    /** Lock or unlock a discussion */
    lock(id: string, body: Lock, options?: Options): Promise<Discussion>
    /** Mark the comment that answers a discussion */
    answer(id: string, body: Answer, options?: Options): Promise<Discussion>
    /** Like a discussion */
    like(id: string, body?: LikeDiscussionRequest, options?: Options): Promise<Liked>
    /** Remove a like from a discussion */
    unlike(id: string, query?: UnlikeDiscussionQuery, options?: Options): Promise<Liked>
    /** Subscribe to a discussion */
    subscribe(id: string, body?: SubscribeToDiscussionRequest, options?: Options): Promise<Subscribed>
    /** Unsubscribe from a discussion */
    unsubscribe(id: string, query?: UnsubscribeFromDiscussionQuery, options?: Options): Promise<Subscribed>
    /** Mark a discussion as read up to a comment */
    read(id: string, body?: ReadPosition, options?: Options): Promise<ReadState>
    readonly revisions: {
      /** List earlier versions of a discussion */
      list(id: string, query?: ListDiscussionRevisionsQuery, options?: Options): Pages<PostRevision, { /** The place of this page in the list */
pagination: Pagination }>
    }
    readonly comments: {
      /** List comments of a discussion */
      list(id: string, query?: ListCommentsQuery, options?: Options): Pages<CommentWithReplies, { /** The place of this page in the list */
pagination: Pagination }>
      /** Write a comment */
      create(id: string, body: NewComment, options?: Options<WriteCommentQuery>): Promise<WrittenComment>
    }
  }
  readonly comments: {
    /** List the comments of a member */
    list(query?: ListCommentsOfMemberQuery, options?: Options): Pages<Comment, { /** The place of this page in the list */
pagination: Pagination }>
    /** Get a comment */
    get(id: string, query?: GetCommentQuery, options?: Options): Promise<Comment>
    /** Change a comment */
    update(id: string, body: CommentChanges, options?: Options<UpdateCommentQuery>): Promise<Comment>
    /** Remove a comment */
    delete(id: string, query?: RemoveCommentQuery, options?: Options): Promise<Deleted>
    /** Like a comment */
    like(id: string, body?: LikeCommentRequest, options?: Options): Promise<Liked>
    /** Remove a like from a comment */
    unlike(id: string, query?: UnlikeCommentQuery, options?: Options): Promise<Liked>
    readonly revisions: {
      /** List earlier versions of a comment */
      list(id: string, query?: ListCommentRevisionsQuery, options?: Options): Pages<PostRevision, { /** The place of this page in the list */
pagination: Pagination }>
    }
  }
  readonly discussionCategories: {
    /** List categories of discussions */
    list(query?: ListDiscussionCategoriesQuery, options?: Options): Pages<DiscussionCategory, { /** The place of this page in the list */
pagination: Pagination }>
    /** Create a category of discussions */
    create(body: NewDiscussionCategory, options?: Options): Promise<DiscussionCategory>
    /** Get a category of discussions */
    get(id: string, options?: Options): Promise<DiscussionCategory>
    /** Change a category of discussions */
    update(id: string, body: DiscussionCategoryChanges, options?: Options): Promise<DiscussionCategory>
    /** Delete a category of discussions */
    delete(id: string, options?: Options): Promise<Deleted>
  }
  readonly reports: {
    /** Report a discussion, an item of feedback or a comment */
    create(body: NewReport, options?: Options): Promise<Report>
  }
  readonly moderation: {
    readonly queue: {
      /** List the posts that wait for a moderator */
      list(query?: ListModerationQueueQuery, options?: Options): Pages<QueuedCase, { /** The place of this page in the list */
pagination: Pagination }>
    }
    /** Show a reported or held post */
    approve(id: string, body?: Approval, options?: Options): Promise<ModerationCase>
    /** Remove a reported or held post */
    remove(id: string, body: Removal, options?: Options): Promise<ModerationCase>
    readonly bulk: {
      /** Decide many cases of the queue */
      create(body: BulkDecisions, options?: Options): Promise<BulkDecided>
    }
    /** Appeal a held, hidden or removed post */
    appeal(id: string, body: NewAppeal, options?: Options): Promise<Appeal>
    readonly rules: {
      /** List moderation rules */
      list(query?: ListModerationRulesQuery, options?: Options): Pages<ListedModerationRule, { /** The place of this page in the list */
pagination: Pagination }>
      /** Create a moderation rule */
      create(body: NewModerationRule, options?: Options): Promise<ModerationRule>
      /** Test what the rules say about a text */
      test(body: TestedPost, options?: Options): Promise<ModerationVerdict>
      /** Get a moderation rule */
      get(id: string, options?: Options): Promise<ModerationRule>
      /** Change a moderation rule */
      update(id: string, body: ModerationRuleChanges, options?: Options): Promise<ModerationRule>
      /** Delete a moderation rule */
      delete(id: string, options?: Options): Promise<Deleted>
    }
  }
  readonly webhooks: {
    readonly eventTypes: {
      /** List event types */
      list(options?: Options): Promise<EventType[]>
    }
    /** List webhook endpoints */
    list(query?: ListWebhookEndpointsQuery, options?: Options): Pages<WebhookEndpoint, { /** The place of this page in the list */
pagination: Pagination }>
    /** Create a webhook endpoint */
    create(body: NewWebhookEndpoint, options?: Options): Promise<WebhookEndpointWithSecret>
    /** Get a webhook endpoint */
    get(id: string, options?: Options): Promise<WebhookEndpoint>
    /** Change a webhook endpoint */
    update(id: string, body: WebhookEndpointChanges, options?: Options): Promise<WebhookEndpoint>
    /** Delete a webhook endpoint */
    delete(id: string, options?: Options): Promise<Deleted>
    readonly secret: {
      /** Get the signing secret */
      get(id: string, options?: Options): Promise<WebhookSecret>
    }
    /** Replace the signing secret */
    rotateSecret(id: string, body?: RotateWebhookSecretRequest, options?: Options): Promise<WebhookEndpointWithSecret>
    /** Enable a webhook endpoint */
    enable(id: string, body?: EnableWebhookRequest, options?: Options): Promise<WebhookEndpoint>
    /** Disable a webhook endpoint */
    disable(id: string, options?: Options): Promise<WebhookEndpoint>
    /** Send missed events to an endpoint */
    recover(id: string, body: RecoverWebhookRequest, options?: Options): Promise<WebhookRecovery>
    /** Send a test */
    test(id: string, options?: Options): Promise<WebhookTestDelivery>
    readonly deliveries: {
      /** List deliveries */
      list(id: string, query?: ListWebhookDeliveriesQuery, options?: Options): Pages<WebhookDelivery, { /** The place of this page in the list */
pagination: Pagination }>
      /** Get a delivery */
      get(id: string, options?: Options): Promise<WebhookDeliveryDetail>
      /** Send a delivery again */
      retry(id: string, options?: Options): Promise<WebhookDelivery>
    }
    readonly stats: {
      /** Count deliveries and attempts */
      get(id: string, query?: GetWebhookStatsQuery, options?: Options): Promise<WebhookStats>
    }
  }
  readonly events: {
    /** List events */
    list(query?: ListEventsQuery, options?: Options): Pages<Event, { /** The place of this page in the list */
pagination: EventCursor }>
  }
  readonly exports: {
    /** List exports */
    list(query?: ListExportsQuery, options?: Options): Pages<ExportData, { /** The place of this page in the list */
pagination: Pagination }>
    /** Export a list */
    create(body: NewListExport, options?: Options): Promise<Export>
    /** Get an export */
    get(id: string, options?: Options): Promise<Export>
  }
  readonly feedback: {
    /** List feedback */
    list(query?: ListFeedbackQuery, options?: Options): Pages<FeedbackItem, { /** The place of this page in the list */
pagination: Pagination }>
    /** Create an item of feedback */
    create(body: NewFeedback, options?: Options<CreateFeedbackQuery>): Promise<Feedback>
    /** Find items similar to a new item */
    findSimilar(query: FindSimilarFeedbackQuery, options?: Options): Promise<FeedbackItem[]>
    readonly similar: {
      /** List items similar to another item */
      list(id: string, query?: ListSimilarFeedbackQuery, options?: Options): Promise<FeedbackItem[]>
    }
    /** Get an item of feedback */
    get(id: string, query?: GetFeedbackQuery, options?: Options): Promise<FeedbackItem>
    /** Change an item of feedback */
    update(id: string, body: FeedbackChanges, options?: Options<UpdateFeedbackQuery>): Promise<FeedbackItem>
    /** Delete an item of feedback */
    delete(id: string, options?: Options): Promise<Deleted>
    /** Vote for an item */
    vote(id: string, body?: VoteForFeedbackRequest, options?: Options): Promise<VoteOutcome>
    /** Remove a vote */
    unvote(id: string, query?: TakeBackVoteQuery, options?: Options): Promise<VoteOutcome>
    readonly voters: {
      /** List the voters of an item */
      list(id: string, query?: ListVotersQuery, options?: Options): Pages<Voter, { /** The place of this page in the list */
pagination: Pagination }>
    }
    /** Merge an item into another item, or undo a merge */
    merge(id: string, body: Merge, options?: Options): Promise<FeedbackItem>
    readonly status: {
      /** Set the status of an item */
      set(id: string, body: NewStatus, options?: Options): Promise<FeedbackItem>
    }
    readonly statusChanges: {
      /** List status changes of an item */
      list(id: string, query?: ListFeedbackStatusChangesQuery, options?: Options): Pages<FeedbackStatusChange, { /** The place of this page in the list */
pagination: Pagination }>
    }
    /** Set the status of many items, merge them or delete them */
    changeInBulk(body: BulkFeedback, options?: Options): Promise<BulkFeedbackResult>
    readonly comments: {
      /** List the comments on an item */
      list(id: string, query?: ListFeedbackCommentsQuery, options?: Options): Pages<FeedbackComment, { /** The place of this page in the list */
pagination: Pagination }>
      /** Comment on an item */
      create(id: string, body: NewFeedbackComment, options?: Options<CommentOnFeedbackQuery>): Promise<FeedbackComment>
      /** Delete a comment on feedback */
      delete(id: string, options?: Options): Promise<Deleted>
    }
  }
  readonly roadmap: {
    /** Get the roadmap */
    get(query?: GetRoadmapQuery, options?: Options): Promise<RoadmapColumn[]>
  }
  readonly changelog: {
    /** Get the changelog */
    list(query?: GetChangelogQuery, options?: Options): Pages<ChangelogEntry, { /** The place of this page in the list */
pagination: Pagination }>
  }
  readonly forms: {
    /** List forms */
    list(query?: ListFormsQuery, options?: Options): Pages<FormListItem, { /** The place of this page in the list */
pagination: Pagination }>
    /** Create a form */
    create(body: NewForm, options?: Options): Promise<Form>
    /** Get a form */
    get(id: string, query?: GetFormQuery, options?: Options): Promise<FormDetail>
    /** Change a form */
    update(id: string, body: FormChanges, options?: Options): Promise<Form>
    /** Delete a form */
    delete(id: string, options?: Options): Promise<Deleted>
    /** Publish a form */
    publish(id: string, options?: Options): Promise<Form>
    /** Archive a form */
    archive(id: string, options?: Options): Promise<Form>
    /** Copy a form */
    duplicate(id: string, options?: Options): Promise<Form>
    readonly versions: {
      /** List the versions of a form */
      list(id: string, query?: ListFormVersionsQuery, options?: Options): Pages<FormVersion, { /** The place of this page in the list */
pagination: Pagination }>
    }
    readonly schema: {
      /** Get the published version of a form */
      get(id: string, options?: Options): Promise<FormSchema>
    }
    readonly summary: {
      /** Count the values of the submissions of a form */
      get(id: string, query?: SummarizeFormQuery, options?: Options): Promise<FormSummary>
    }
    readonly submissions: {
      /** List the submissions of a form */
      list(id: string, query?: ListFormSubmissionsQuery, options?: Options): Pages<ListedFormSubmission, { /** The place of this page in the list */
pagination: Pagination }>
      /** Submit a form */
      create(id: string, body: NewSubmission | FormData, options?: Options): Promise<SubmissionReceipt>
      /** Get a submission */
      get(id: string, sid: string, options?: Options): Promise<FormSubmission>
      /** Mark a submission as spam or as not spam */
      update(id: string, sid: string, body: SubmissionChanges, options?: Options): Promise<FormSubmission>
      /** Delete a submission */
      delete(id: string, sid: string, options?: Options): Promise<Deleted>
      /** Export the submissions of a form at once */
      export(id: string, query?: ExportFormSubmissionsQuery, options?: Options): Promise<Response>
    }
    readonly exports: {
      /** Export the submissions of a form in the background */
      create(id: string, body?: NewExport, options?: Options): Promise<Export>
    }
  }
  readonly help: {
    readonly categories: {
      /** List the categories of the help center */
      list(query?: ListHelpCategoriesQuery, options?: Options): Pages<ListedHelpCategory>
      /** Create a category of the help center */
      create(body: NewHelpCategory, options?: Options): Promise<HelpCategoryDetail>
      /** Get a category of the help center */
      get(id: string, options?: Options): Promise<HelpCategoryPage>
      /** Change a category of the help center */
      update(id: string, body: HelpCategoryChanges, options?: Options): Promise<HelpCategoryDetail>
      /** Delete a category of the help center */
      delete(id: string, options?: Options): Promise<Deleted>
    }
    readonly articles: {
      /** List articles */
      list(query?: ListArticlesQuery, options?: Options): Pages<ArticleSummary, { /** The place of this page in the list */
pagination: Pagination }>
      /** Write an article */
      create(body: NewArticle, options?: Options): Promise<Article>
      /** Get an article */
      get(id: string, query?: GetArticleQuery, options?: Options): Promise<Article>
      /** Change an article */
      update(id: string, body: ArticleChanges, options?: Options): Promise<Article>
      /** Delete an article */
      delete(id: string, options?: Options): Promise<Deleted>
      /** Publish an article */
      publish(id: string, options?: Options): Promise<Article>
      /** Archive an article */
      archive(id: string, options?: Options): Promise<Article>
      readonly versions: {
        /** List the versions of an article */
        list(id: string, query?: ListArticleVersionsQuery, options?: Options): Pages<ArticleVersion, { /** The place of this page in the list */
pagination: Pagination }>
        /** Restore a version of an article */
        restore(id: string, n: string, options?: Options): Promise<Article>
      }
      readonly translations: {
        /** Translate an article */
        set(id: string, locale: string, body: NewTranslation, options?: Options): Promise<Translation>
        /** Delete a translation */
        delete(id: string, locale: string, options?: Options): Promise<Deleted>
      }
      readonly related: {
        /** List articles that are related to an article */
        list(id: string, query?: ListRelatedArticlesQuery, options?: Options): Promise<ArticleSummary[]>
      }
      /** Vote on whether an article helped */
      vote(id: string, body: HelpVote, options?: Options): Promise<HelpVoteOutcome>
      /** Remove a vote on an article */
      unvote(id: string, query?: TakeBackArticleVoteQuery, options?: Options): Promise<HelpVoteOutcome>
    }
    /** Search the help center */
    search(query: SearchArticlesQuery, options?: Options): Pages<HelpSearchHit, { /** The place of this page in the list */
pagination: Pagination }>
    readonly insights: {
      /** Get insights into the help center */
      get(query?: GetHelpInsightsQuery, options?: Options): Promise<HelpInsights>
    }
  }
  readonly lms: {
    readonly courses: {
      /** List courses */
      list(query?: ListCoursesQuery, options?: Options): Pages<Course>
      /** Create a course */
      create(body: NewCourse, options?: Options): Promise<FullCourse>
      /** Get a course with its outline */
      get(id: string, options?: Options): Promise<CourseDetail>
      /** Change a course */
      update(id: string, body: CourseChanges, options?: Options): Promise<FullCourse>
      /** Delete a course */
      delete(id: string, options?: Options): Promise<Deleted>
      /** Publish a course */
      publish(id: string, options?: Options): Promise<FullCourse>
      /** Archive a course */
      archive(id: string, options?: Options): Promise<FullCourse>
      /** Reorder the outline of a course */
      reorder(id: string, body: OutlineOrder, options?: Options): Promise<CourseDetail>
      /** Rate a course */
      rate(id: string, body: RatingInput, options?: Options): Promise<Rating>
      readonly ratings: {
        /** List the ratings of a course */
        list(id: string, query?: ListCourseRatingsQuery, options?: Options): Pages<Rating, { /** The place of this page in the list */
pagination: Pagination }>
      }
      readonly gradebook: {
        /** List the progress of all members of a course */
        list(id: string, query?: GetGradebookQuery, options?: Options): Pages<GradebookRow, { /** The place of this page in the list */
pagination: Pagination }>
      }
    }
    readonly modules: {
      /** Add a module to a course */
      create(id: string, body: NewModule, options?: Options): Promise<CourseModule>
      /** Get a module */
      get(id: string, options?: Options): Promise<CourseModule>
      /** Change a module */
      update(id: string, body: ModuleChanges, options?: Options): Promise<CourseModule>
      /** Delete a module */
      delete(id: string, options?: Options): Promise<Deleted>
    }
    readonly lessons: {
      /** Add a lesson to a module */
      create(id: string, body: NewLesson, options?: Options): Promise<Lesson>
      /** Get a lesson */
      get(id: string, options?: Options): Promise<Lesson>
      /** Change a lesson */
      update(id: string, body: LessonChanges, options?: Options): Promise<Lesson>
      /** Delete a lesson */
      delete(id: string, options?: Options): Promise<Deleted>
      readonly quiz: {
        /** Write the quiz of a lesson */
        set(id: string, body: QuizInput, options?: Options): Promise<Quiz>
        /** Get the quiz of a lesson */
        get(id: string, query?: GetQuizQuery, options?: Options): Promise<Quiz>
        /** Delete the quiz of a lesson */
        delete(id: string, options?: Options): Promise<Deleted>
      }
    }
    readonly enrollments: {
      /** List the enrollments of a member */
      list(query?: ListEnrollmentsQuery, options?: Options): Pages<ListedEnrollment>
      /** Enroll a member in a course */
      create(body: NewEnrollment, options?: Options): Promise<Enrollment>
      /** Get an enrollment */
      get(id: string, options?: Options): Promise<Enrollment>
      /** Change an enrollment */
      update(id: string, body: EnrollmentChanges, options?: Options): Promise<Enrollment>
      /** Cancel an enrollment */
      delete(id: string, options?: Options): Promise<Deleted>
      readonly progress: {
        /** Get the progress of an enrollment */
        get(id: string, options?: Options): Promise<EnrollmentProgress>
      }
      readonly blockers: {
        /** List the lessons that a member must still complete */
        list(id: string, options?: Options): Promise<Blocker[]>
      }
    }
    readonly progress: {
      /** Record progress in a lesson */
      record(body: ProgressPost, options?: Options): Promise<LessonProgress>
      /** Record progress in many lessons */
      recordBatch(body: ProgressBatch, options?: Options): Promise<ProgressBatchResult>
    }
    readonly attempts: {
      /** Begin an attempt at a quiz */
      begin(id: string, body?: BeginAttemptRequest, options?: Options): Promise<Attempt>
      /** Get an attempt at a quiz */
      get(id: string, options?: Options): Promise<Attempt>
      /** Submit an attempt at a quiz */
      submit(id: string, body: QuizSubmission, options?: Options): Promise<Attempt>
    }
    readonly certificates: {
      /** Get a certificate */
      get(id: string, query?: GetCertificateQuery, options?: Options): Promise<Response>
      /** Verify a certificate */
      verify(code: string, options?: Options): Promise<Verification>
      /** Revoke a certificate */
      revoke(id: string, body?: Revocation, options?: Options): Promise<Certificate>
      /** Reissue a certificate */
      reissue(id: string, options?: Options): Promise<Certificate>
    }
  }
  readonly mail: {
    readonly settings: {
      /** Get the mail settings */
      get(options?: Options): Promise<MailSettings>
      /** Change the mail settings */
      update(body: MailSettingsChanges, options?: Options): Promise<MailSettings>
    }
    readonly templates: {
      /** List the texts of mails */
      list(options?: Options): Promise<MailTemplate[]>
      /** Change the texts of mails */
      update(body: MailTemplateChanges, options?: Options): Promise<MailTemplate[]>
    }
    /** Preview a mail */
    preview(body: MailPreviewRequest, options?: Options): Promise<MailPreview>
    readonly suppressions: {
      /** List suppressed addresses */
      list(query?: ListMailSuppressionsQuery, options?: Options): Pages<MailSuppression, { /** The place of this page in the list */
pagination: Pagination }>
      /** Remove an address from the suppressed addresses */
      delete(id: string, options?: Options): Promise<Deleted>
    }
  }
  readonly mails: {
    /** List mails */
    list(query?: ListMailsQuery, options?: Options): Pages<Mail, { /** The place of this page in the list */
pagination: Pagination }>
    /** Get a mail */
    get(id: string, options?: Options): Promise<MailInFull>
    /** Send a copy of a mail to the operator */
    sendToMe(id: string, options?: Options): Promise<SentCopy>
  }
  readonly memberContent: {
    /** List rules */
    list(query?: ListProtectionRulesQuery, options?: Options): Pages<ProtectionRuleInFull, { /** The place of this page in the list */
pagination: Pagination }>
    /** Create a rule */
    create(body: NewProtectionRule, options?: Options): Promise<ProtectionRule>
    /** Get a rule */
    get(id: string, options?: Options): Promise<ProtectionRuleInFull>
    /** Change a rule */
    update(id: string, body: ProtectionRuleChanges, options?: Options): Promise<ProtectionRuleInFull>
    /** Delete a rule */
    delete(id: string, options?: Options): Promise<Deleted>
    /** Simulate a new or changed rule */
    simulate(body: RuleDraft, options?: Options): Promise<RuleSimulation>
    /** Check whether a page may be seen */
    check(body: PageCheck, options?: Options): Promise<PageDecision>
    /** Check many pages at once */
    checkBatch(body: PageChecks, options?: Options): Promise<PageDecision[]>
    /** Explain whether a page may be seen */
    explain(body: PageQuestion, options?: Options): Promise<PageExplanation>
    readonly manifest: {
      /** Get all active rules as a signed document */
      get(options?: Options): Promise<ContentManifest>
    }
  }
  readonly suspensions: {
    /** List the members who are suspended */
    list(query?: ListSuspensionsQuery, options?: Options): Pages<Suspension, { /** The place of this page in the list */
pagination: Pagination }>
  }
  readonly notifications: {
    readonly preferences: {
      /** Get the notification preferences of a member */
      get(query?: GetNotificationPreferencesQuery, options?: Options): Promise<NotificationPreferences>
      /** Change the notification preferences of a member */
      update(body: NotificationPreferenceChanges, options?: Options): Promise<NotificationPreferences>
    }
    /** Send a message to members */
    create(body: NewNotificationMessage, options?: Options): Promise<NotificationMessage>
    /** List the notifications of a member */
    list(query?: ListNotificationsQuery, options?: Options): Pages<Notification, { /** The place of this page in the list */
pagination: Pagination }>
    readonly unreadCount: {
      /** Count the unread notifications of a member */
      get(query?: CountUnreadNotificationsQuery, options?: Options): Promise<UnreadCount>
    }
    /** Mark notifications as read */
    read(body: ReadNotifications, options?: Options): Promise<UnreadCount>
  }
  readonly plans: {
    /** List plans */
    list(query?: ListPlansQuery, options?: Options): Pages<Plan, { /** The place of this page in the list */
pagination: Pagination }>
    /** Create a plan */
    create(body: NewPlan, options?: Options): Promise<Plan>
    /** Get a plan */
    get(id: string, options?: Options): Promise<Plan>
    /** Change a plan */
    update(id: string, body: PlanChanges, options?: Options): Promise<Plan>
    /** Delete a plan */
    delete(id: string, options?: Options): Promise<Deleted>
    /** Archive a plan */
    archive(id: string, options?: Options): Promise<Plan>
  }
  readonly profiles: {
    /** Find profiles by ids or by the beginning of a name */
    list(query?: FindProfilesQuery, options?: Options): Promise<Profile[]>
    /** Get the profile of a member */
    get(id: string, options?: Options): Promise<Profile>
  }
  readonly search: {
    /** Search everything */
    list(query: SearchQuery, options?: Options): Pages<FoundItem, { /** How many hits there are of each kind */
facets: SearchFacets; /** The place of this page in the list */
pagination: Pagination }>
  }
  readonly shop: {
    readonly products: {
      /** List products */
      list(query?: ListProductsQuery, options?: Options): Pages<ListedProduct>
      /** Create a product */
      create(body: NewProduct, options?: Options): Promise<ProductInFull>
      /** Get a product */
      get(id: string, options?: Options): Promise<ProductInFull>
      /** Change a product */
      update(id: string, body: ProductChanges, options?: Options): Promise<ProductInFull>
      /** Delete a product */
      delete(id: string, options?: Options): Promise<Deleted>
    }
    readonly variants: {
      /** List the variants of a product */
      list(id: string, options?: Options): Promise<Variant[]>
      /** Add a variant to a product */
      create(id: string, body?: NewVariant, options?: Options): Promise<Variant>
      /** Get a variant */
      get(id: string, options?: Options): Promise<Variant>
      /** Change a variant */
      update(id: string, body: VariantChanges, options?: Options): Promise<Variant>
      /** Delete a variant */
      delete(id: string, options?: Options): Promise<Deleted>
      readonly stock: {
        /** Change the stock of a variant */
        create(id: string, body: StockChange, options?: Options): Promise<Variant>
        /** Read the stock ledger of a variant */
        list(id: string, query?: ListStockMovesQuery, options?: Options): Pages<StockMove>
      }
    }
    readonly discounts: {
      /** List discounts */
      list(query?: ListDiscountsQuery, options?: Options): Pages<Discount, { /** The place of this page in the list */
pagination: Pagination }>
      /** Create a discount */
      create(body: NewDiscount, options?: Options): Promise<Discount>
      /** Get a discount */
      get(id: string, options?: Options): Promise<Discount>
      /** Change a discount */
      update(id: string, body: DiscountChanges, options?: Options): Promise<Discount>
      /** Delete a discount */
      delete(id: string, options?: Options): Promise<Deleted>
    }
    readonly cart: {
      /** Get the cart */
      get(query?: GetCartQuery, options?: Options): Promise<Cart>
      readonly items: {
        /** Add a product to the cart */
        create(body: NewCartItem, options?: Options): Promise<CartItem>
        /** Change the quantity of a cart item */
        update(itemId: string, body: CartItemChange, options?: Options): Promise<CartItem>
        /** Remove an item from the cart */
        delete(itemId: string, query?: RemoveCartItemQuery, options?: Options): Promise<Deleted>
      }
      /** Empty the cart */
      delete(query?: EmptyCartQuery, options?: Options): Promise<Deleted>
      readonly discount: {
        /** Apply a discount to the cart */
        apply(body: CartDiscount, options?: Options): Promise<Cart>
        /** Remove the discount from the cart */
        delete(query?: DropDiscountQuery, options?: Options): Promise<Deleted>
      }
    }
    /** Create an order from the cart */
    checkout(body?: Checkout, options?: Options): Promise<Order>
    readonly orders: {
      /** List a member's orders */
      list(query?: ListOwnOrdersQuery, options?: Options): Pages<ListedOrder>
      /** Get an order */
      get(id: string, query?: GetOrderQuery, options?: Options): Promise<Order>
      /** Start or resume the payment of an order */
      pay(id: string, body?: PayOrderRequest, options?: Options): Promise<Order>
      /** Cancel an order */
      cancel(id: string, body?: OrderReason, options?: Options): Promise<Order>
      /** Mark an order as paid */
      markPaid(id: string, options?: Options): Promise<Order>
      /** Mark an order as sent or handed over */
      fulfill(id: string, body?: Shipment, options?: Options): Promise<Order>
      /** Mark an order as completed */
      complete(id: string, options?: Options): Promise<Order>
      /** Refund an order */
      refund(id: string, body?: NewOrderRefund, options?: Options): Promise<Order>
    }
  }
  readonly orders: {
    /** List the orders of all members */
    list(query?: ListOrdersQuery, options?: Options): Pages<OrderSummary, { /** The place of this page in the list */
pagination: Pagination }>
    /** Fulfill, complete or cancel many orders */
    changeInBulk(body: BulkOrders, options?: Options): Promise<BulkOrdersResult>
  }
  readonly stats: {
    readonly daily: {
      /** Get a metric by day */
      get(query: GetDailyStatsQuery, options?: Options): Promise<DailyStats>
    }
  }
  readonly storage: {
    readonly files: {
      readonly content: {
        /** Read a file */
        get(id: string, options?: Options): Promise<Response>
      }
      /** List files */
      list(query?: ListFilesQuery, options?: Options): Pages<File, { /** The place of this page in the list */
pagination: Pagination }>
      /** Upload a file */
      upload(body: FormData, options?: Options): Promise<File>
      /** Get a file */
      get(id: string, query?: GetFileQuery, options?: Options): Promise<FileDetail>
      /** Change a file */
      update(id: string, body: FileChanges, options?: Options): Promise<File>
      /** Delete a file */
      delete(id: string, options?: Options): Promise<Deleted>
      /** Create a signed URL */
      signUrl(id: string, body?: SignedUrlRequest, options?: Options): Promise<SignedUrl>
      /** Change or delete many files */
      changeInBulk(body: BulkFiles, options?: Options): Promise<BulkFilesResult>
    }
    readonly public: {
      /** Read a public file */
      get(projectId: string, id: string, options?: Options): Promise<Response>
    }
    readonly signed: {
      /** Read a file by a signed link */
      get(projectId: string, id: string, query?: GetLinkedFileQuery, options?: Options): Promise<Response>
    }
    readonly uploads: {
      /** Start an upload directly to the storage */
      create(body: UploadRequest, options?: Options): Promise<Upload>
      /** Complete an upload */
      complete(id: string, body?: UploadCompletion, options?: Options): Promise<File>
    }
    readonly usage: {
      /** Get the used and the allowed storage */
      get(options?: Options): Promise<StorageUsage>
    }
  }
  readonly stream: {
    readonly tickets: {
      /** Get a ticket for a stream */
      create(body: NewStreamTicket, options?: Options): Promise<StreamTicket>
    }
    /** Open a stream of events */
    open(query?: OpenStreamQuery, options?: Options): Promise<Response>
  }
}
/** The codes that any operation may answer. */
export type CommonCode = 'AUTH_REQUIRED' | 'CHANGED_MEANWHILE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_MISMATCH' | 'INSUFFICIENT_PERMISSIONS' | 'INTERNAL_ERROR' | 'INVALID_JSON' | 'INVALID_PARAMETERS' | 'INVALID_TOKEN' | 'MEMBER_SUSPENDED' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'UNAVAILABLE' | 'UNSUPPORTED_CONTENT_TYPE' | 'VALIDATION_ERROR'

/** The codes that only some operations answer. */
export interface OwnCodes {
  'analytics.track': 'MEMBER_NOT_FOUND'
  'analytics.trackPageview': 'MEMBER_NOT_FOUND'
  'analytics.stats.get': 'REPORT_TOO_LARGE'
  'analytics.timeseries.get': 'REPORT_TOO_LARGE'
  'analytics.breakdown.list': 'REPORT_TOO_LARGE'
  'analytics.query': 'REPORT_TOO_LARGE'
  'analytics.funnel.get': 'REPORT_TOO_LARGE'
  'analytics.retention.get': 'REPORT_TOO_LARGE'
  'analytics.goals.create': 'LIMIT_REACHED'
  'analytics.tracker.get': 'CELL_UNAVAILABLE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'apiKeys.rotate': 'LIMIT_REACHED'
  'auth.signup': 'EMAIL_TAKEN' | 'SSO_REQUIRED'
  'auth.login': 'ACCOUNT_DELETED' | 'ACCOUNT_PENDING' | 'EMAIL_NOT_VERIFIED' | 'INVALID_CREDENTIALS' | 'SSO_REQUIRED'
  'auth.magicLink.request': 'SSO_REQUIRED'
  'auth.magicLink.verify': 'EMAIL_TAKEN' | 'INVALID_CODE' | 'INVALID_LINK' | 'SSO_REQUIRED'
  'auth.email.verify': 'EMAIL_TAKEN' | 'INVALID_CODE' | 'INVALID_LINK' | 'SSO_REQUIRED'
  'auth.password.forgot': 'SSO_REQUIRED'
  'auth.password.reset': 'INVALID_CODE' | 'INVALID_LINK' | 'SSO_REQUIRED'
  'auth.password.change': 'INVALID_CREDENTIALS' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED'
  'auth.mfa.totp.begin': 'MFA_REQUIRED' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED' | 'TOO_MANY_FACTORS'
  'auth.mfa.totp.verify': 'INVALID_CODE' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED'
  'auth.mfa.recoveryCodes.create': 'MFA_REQUIRED' | 'NO_FACTORS' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED'
  'auth.mfa.verify': 'INVALID_CODE' | 'SSO_REQUIRED'
  'auth.mfa.factors.delete': 'MFA_REQUIRED' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED'
  'auth.passkeys.begin': 'MFA_REQUIRED' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED' | 'TOO_MANY_FACTORS'
  'auth.passkeys.register': 'INVALID_PASSKEY' | 'MFA_REQUIRED' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED' | 'TOO_MANY_FACTORS'
  'auth.passkeys.login': 'INVALID_CREDENTIALS' | 'SSO_REQUIRED'
  'auth.sessions.delete': 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED'
  'user.profile.update': 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED' | 'SSO_REQUIRED'
  'user.profile.delete': 'INVALID_CODE' | 'INVALID_CREDENTIALS' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED' | 'RECENT_LOGIN_REQUIRED'
  'user.exportData': 'INVALID_CODE' | 'INVALID_CREDENTIALS' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED' | 'RECENT_LOGIN_REQUIRED'
  'invitations.create': 'EMAIL_TAKEN' | 'INVITATION_PENDING'
  'auth.invitations.accept': 'EMAIL_TAKEN' | 'INVALID_CODE' | 'INVALID_LINK' | 'SSO_REQUIRED'
  'ssoConnections.create': 'LIMIT_REACHED'
  'auth.sso.start': 'SSO_PROVIDER_UNAVAILABLE'
  'auth.sso.exchange': 'INVALID_CODE'
  'auth.sso.finishOidc': 'CELL_UNAVAILABLE' | 'INVALID_STATE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'auth.sso.finishOldOidc': 'CELL_UNAVAILABLE' | 'INVALID_STATE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'auth.sso.finishSaml': 'CELL_UNAVAILABLE' | 'INVALID_STATE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'auth.sso.metadata.get': 'CELL_UNAVAILABLE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'subscriptions.create': 'ALREADY_SUBSCRIBED' | 'AMOUNT_TOO_SMALL' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'OPERATOR_SESSION' | 'PLAN_NOT_RECURRING' | 'PROJECT_SUSPENDED' | 'TRIAL_USED'
  'subscriptions.previewChange': 'BILL_OPEN' | 'MEMBER_DELETED' | 'PERIOD_END_ONLY' | 'PLAN_NOT_RECURRING' | 'SAME_PLAN' | 'SUBSCRIPTION_CANCELED' | 'SUBSCRIPTION_INCOMPLETE' | 'SUBSCRIPTION_PAUSED'
  'subscriptions.change': 'BILL_OPEN' | 'MEMBER_DELETED' | 'OPERATOR_SESSION' | 'PERIOD_END_ONLY' | 'PLAN_NOT_RECURRING' | 'PREVIEW_EXPIRED' | 'PROJECT_SUSPENDED' | 'SAME_PLAN' | 'SUBSCRIPTION_CANCELED' | 'SUBSCRIPTION_INCOMPLETE' | 'SUBSCRIPTION_PAUSED'
  'subscriptions.cancel': 'SUBSCRIPTION_CANCELED'
  'subscriptions.resume': 'MEMBER_DELETED' | 'NOTHING_TO_RESUME' | 'SUBSCRIPTION_CANCELED' | 'SUBSCRIPTION_INCOMPLETE'
  'subscriptions.pause': 'BILL_OPEN' | 'MEMBER_DELETED' | 'SUBSCRIPTION_CANCELED' | 'SUBSCRIPTION_INCOMPLETE' | 'SUBSCRIPTION_NOT_ACTIVE' | 'SUBSCRIPTION_PAST_DUE' | 'SUBSCRIPTION_PAUSED'
  'subscriptions.paymentMethod.set': 'OPERATOR_SESSION' | 'PAID_BY_HAND' | 'PAYMENT_ACCOUNT_REFUSED' | 'PROJECT_SUSPENDED' | 'SUBSCRIPTION_CANCELED'
  'bills.pay': 'AMOUNT_TOO_SMALL' | 'BILL_NOT_OPEN' | 'OPERATOR_SESSION' | 'PAYMENT_ACCOUNT_REFUSED' | 'PROJECT_SUSPENDED'
  'bills.markPaid': 'BILL_NOT_OPEN'
  'bills.void': 'BILL_NOT_OPEN'
  'bills.refund': 'BILL_NOT_PAID' | 'REFUND_EXCEEDS_PAID'
  'members.credit.create': 'CREDIT_INSUFFICIENT'
  'paymentAccounts.create': 'LIMIT_REACHED'
  'paymentAccounts.update': 'OTHER_STRIPE_ACCOUNT'
  'paymentAccounts.delete': 'ACCOUNT_IN_USE'
  'paymentAccounts.receiveNotice': 'CELL_UNAVAILABLE' | 'INVALID_SIGNATURE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED' | 'WEBHOOK_SECRET_MISSING'
  'discussions.create': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'POST_REFUSED'
  'discussions.update': 'DISCUSSION_LOCKED' | 'POST_REFUSED'
  'discussions.delete': 'DISCUSSION_LOCKED'
  'discussions.like': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'discussions.unlike': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'discussions.subscribe': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'discussions.unsubscribe': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'discussions.read': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'discussions.comments.create': 'DISCUSSION_LOCKED' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'POST_REFUSED'
  'comments.update': 'DISCUSSION_LOCKED' | 'POST_REFUSED'
  'comments.like': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'comments.unlike': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'discussionCategories.create': 'LIMIT_REACHED' | 'SLUG_TAKEN'
  'discussionCategories.update': 'SLUG_TAKEN'
  'discussionCategories.delete': 'CATEGORY_IN_USE'
  'reports.create': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'moderation.approve': 'CASE_DECIDED'
  'moderation.remove': 'CASE_DECIDED'
  'moderation.appeal': 'APPEAL_REFUSED' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'feedback.create': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'POST_REFUSED'
  'feedback.update': 'POST_REFUSED'
  'feedback.vote': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'feedback.unvote': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'feedback.merge': 'MERGE_CIRCLE'
  'feedback.status.set': 'FEEDBACK_IS_DUPLICATE'
  'feedback.comments.create': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'POST_REFUSED'
  'forms.create': 'LIMIT_REACHED'
  'forms.update': 'LIMIT_REACHED'
  'forms.publish': 'FORM_INCOMPLETE'
  'forms.archive': 'FORM_NOT_PUBLISHED'
  'forms.duplicate': 'LIMIT_REACHED'
  'forms.schema.get': 'FORM_NOT_PUBLISHED'
  'forms.submissions.create': 'EMAIL_TAKEN' | 'FORM_NOT_PUBLISHED' | 'QUOTA_EXCEEDED' | 'SSO_REQUIRED'
  'help.categories.create': 'LIMIT_REACHED' | 'SLUG_TAKEN'
  'help.categories.update': 'CATEGORY_CIRCLE' | 'SLUG_TAKEN'
  'help.categories.delete': 'CATEGORY_IN_USE'
  'help.articles.create': 'SLUG_TAKEN'
  'help.articles.update': 'SLUG_TAKEN'
  'help.articles.publish': 'SLUG_TAKEN'
  'help.articles.translations.set': 'LIMIT_REACHED' | 'LOCALE_IS_ORIGINAL'
  'help.articles.vote': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'help.articles.unvote': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'lms.courses.create': 'LIMIT_REACHED' | 'SLUG_TAKEN'
  'lms.courses.update': 'PREREQUISITE_CIRCLE' | 'SLUG_TAKEN'
  'lms.courses.delete': 'COURSE_IN_USE'
  'lms.modules.create': 'LIMIT_REACHED'
  'lms.modules.delete': 'MODULE_NOT_EMPTY'
  'lms.lessons.create': 'LIMIT_REACHED'
  'lms.enrollments.create': 'ALREADY_ENROLLED' | 'COURSE_FULL' | 'COURSE_NOT_OPEN' | 'ENROLLMENT_ENDED' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'PREREQUISITES_MISSING'
  'lms.enrollments.update': 'COURSE_FULL'
  'lms.progress.record': 'ENROLLMENT_ENDED' | 'LESSON_NOT_OPEN' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'lms.progress.recordBatch': 'ENROLLMENT_ENDED' | 'LESSON_NOT_OPEN' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'lms.lessons.quiz.set': 'LIMIT_REACHED' | 'NOT_A_QUIZ'
  'lms.attempts.begin': 'ENROLLMENT_ENDED' | 'LESSON_NOT_OPEN' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'NO_ATTEMPTS_LEFT'
  'lms.attempts.submit': 'ATTEMPT_EXPIRED' | 'ENROLLMENT_ENDED' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'lms.courses.rate': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'NOT_ENROLLED'
  'lms.certificates.get': 'NAME_NOT_PRINTABLE' | 'NAME_REQUIRED'
  'lms.certificates.verify': 'CELL_UNAVAILABLE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'lms.certificates.reissue': 'CERTIFICATE_REVOKED' | 'NAME_REQUIRED'
  'mails.sendToMe': 'OPERATOR_TOKEN_REQUIRED'
  'memberContent.create': 'LIMIT_REACHED'
  'memberContent.simulate': 'REPORT_TOO_LARGE'
  'memberContent.check': 'MEMBER_NOT_FOUND'
  'memberContent.checkBatch': 'MEMBER_NOT_FOUND'
  'memberContent.explain': 'MEMBER_NOT_FOUND'
  'memberContent.manifest.get': 'MANIFEST_TOO_LARGE'
  'members.create': 'EMAIL_TAKEN'
  'members.update': 'EMAIL_TAKEN'
  'members.restore': 'EMAIL_TAKEN'
  'user.mutes.list': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'user.mutes.set': 'LIMIT_REACHED' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'user.mutes.delete': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'moderation.rules.create': 'LIMIT_REACHED'
  'moderation.rules.update': 'LIMIT_REACHED'
  'notifications.preferences.get': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'notifications.preferences.update': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'notifications.list': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'notifications.unreadCount.get': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'notifications.read': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'plans.create': 'LIMIT_REACHED' | 'SLUG_TAKEN'
  'plans.update': 'PLAN_IS_DEFAULT' | 'SLUG_TAKEN'
  'plans.delete': 'PLAN_IN_USE' | 'PLAN_IS_DEFAULT'
  'plans.archive': 'PLAN_IS_DEFAULT'
  'shop.products.create': 'SLUG_TAKEN'
  'shop.products.update': 'SLUG_TAKEN'
  'shop.variants.create': 'LIMIT_REACHED' | 'SKU_TAKEN'
  'shop.variants.update': 'SKU_TAKEN'
  'shop.variants.stock.create': 'OUT_OF_STOCK'
  'shop.discounts.create': 'CODE_TAKEN'
  'shop.discounts.update': 'CODE_TAKEN'
  'shop.cart.get': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.cart.items.create': 'CART_FULL' | 'CURRENCY_MISMATCH' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'OUT_OF_STOCK' | 'REMOVED_FROM_COURSE' | 'VARIANT_REQUIRED'
  'shop.cart.delete': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.cart.items.update': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'OUT_OF_STOCK'
  'shop.cart.items.delete': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.cart.discount.apply': 'DISCOUNT_INVALID' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.cart.discount.delete': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.checkout': 'AMOUNT_TOO_SMALL' | 'CART_CHANGED' | 'CART_EMPTY' | 'DISCOUNT_INVALID' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'OPERATOR_SESSION' | 'PROJECT_SUSPENDED' | 'REMOVED_FROM_COURSE' | 'TOO_MANY_OPEN_ORDERS'
  'shop.orders.list': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.orders.get': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.orders.pay': 'AMOUNT_TOO_SMALL' | 'INVALID_TRANSITION' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND' | 'OPERATOR_SESSION' | 'PAYMENT_ACCOUNT_REFUSED' | 'PROJECT_SUSPENDED' | 'REMOVED_FROM_COURSE'
  'shop.orders.cancel': 'INVALID_TRANSITION' | 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'shop.orders.markPaid': 'INVALID_TRANSITION'
  'shop.orders.fulfill': 'INVALID_TRANSITION'
  'shop.orders.complete': 'INVALID_TRANSITION'
  'shop.orders.refund': 'REFUND_EXCEEDS_PAID'
  'storage.public.get': 'CELL_UNAVAILABLE' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'storage.signed.get': 'CELL_UNAVAILABLE' | 'LINK_ENDED' | 'PROJECT_MOVED' | 'PROJECT_MOVING' | 'PROJECT_SUSPENDED'
  'storage.files.upload': 'QUOTA_EXCEEDED'
  'storage.files.signUrl': 'FILE_PENDING'
  'storage.uploads.create': 'QUOTA_EXCEEDED'
  'storage.uploads.complete': 'UPLOAD_INCOMPLETE' | 'UPLOAD_MISMATCH'
  'stream.tickets.create': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'stream.open': 'MEMBER_INACTIVE' | 'MEMBER_NOT_FOUND'
  'webhooks.create': 'LIMIT_REACHED'
  'webhooks.recover': 'ENDPOINT_DISABLED'
  'webhooks.test': 'ENDPOINT_DISABLED'
}
/** The bodies of webhooks, by the types of events. */
export interface WebhookEvents {
  'api_key.created': ApiKeyCreatedEvent
  'api_key.revoked': ApiKeyRevokedEvent
  'api_key.rotated': ApiKeyRotatedEvent
  'appeal.created': AppealCreatedEvent
  'appeal.decided': AppealDecidedEvent
  'article.archived': ArticleArchivedEvent
  'article.deleted': ArticleDeletedEvent
  'article.published': ArticlePublishedEvent
  'article.updated': ArticleUpdatedEvent
  'auth.under_attack': AuthUnderAttackEvent
  'bill.created': BillCreatedEvent
  'bill.disputed': BillDisputedEvent
  'bill.paid': BillPaidEvent
  'bill.uncollectible': BillUncollectibleEvent
  'bill.voided': BillVoidedEvent
  'certificate.issued': CertificateIssuedEvent
  'certificate.replaced': CertificateReplacedEvent
  'certificate.revoked': CertificateRevokedEvent
  'comment.created': CommentCreatedEvent
  'comment.removed': CommentRemovedEvent
  'comment.updated': CommentUpdatedEvent
  'community.imported': CommunityImportedEvent
  'content_rule.created': ContentRuleCreatedEvent
  'content_rule.deleted': ContentRuleDeletedEvent
  'content_rule.updated': ContentRuleUpdatedEvent
  'course.published': CoursePublishedEvent
  'discussion.answered': DiscussionAnsweredEvent
  'discussion.created': DiscussionCreatedEvent
  'discussion.removed': DiscussionRemovedEvent
  'discussion.unanswered': DiscussionUnansweredEvent
  'discussion.updated': DiscussionUpdatedEvent
  'dispute.closed': DisputeClosedEvent
  'dispute.opened': DisputeOpenedEvent
  'enrollment.completed': EnrollmentCompletedEvent
  'enrollment.created': EnrollmentCreatedEvent
  'enrollment.expired': EnrollmentExpiredEvent
  'export.completed': ExportCompletedEvent
  'export.failed': ExportFailedEvent
  'feedback.comment_removed': FeedbackCommentRemovedEvent
  'feedback.commented': FeedbackCommentedEvent
  'feedback.created': FeedbackCreatedEvent
  'feedback.deleted': FeedbackDeletedEvent
  'feedback.merged': FeedbackMergedEvent
  'feedback.status_changed': FeedbackStatusChangedEvent
  'feedback.unmerged': FeedbackUnmergedEvent
  'feedback.updated': FeedbackUpdatedEvent
  'file.created': FileCreatedEvent
  'file.deleted': FileDeletedEvent
  'form_submission.created': FormSubmissionCreatedEvent
  'form_submission.deleted': FormSubmissionDeletedEvent
  'form_submission.updated': FormSubmissionUpdatedEvent
  'form.archived': FormArchivedEvent
  'form.created': FormCreatedEvent
  'form.deleted': FormDeletedEvent
  'form.published': FormPublishedEvent
  'form.updated': FormUpdatedEvent
  'import.completed': ImportCompletedEvent
  'invitation.accepted': InvitationAcceptedEvent
  'invitation.created': InvitationCreatedEvent
  'invitation.revoked': InvitationRevokedEvent
  'lesson.completed': LessonCompletedEvent
  'member.created': MemberCreatedEvent
  'member.deleted': MemberDeletedEvent
  'member.email_verified': MemberEmailVerifiedEvent
  'member.entitlements_changed': MemberEntitlementsChangedEvent
  'member.mfa_disabled': MemberMfaDisabledEvent
  'member.mfa_enabled': MemberMfaEnabledEvent
  'member.passkey_added': MemberPasskeyAddedEvent
  'member.passkey_removed': MemberPasskeyRemovedEvent
  'member.password_changed': MemberPasswordChangedEvent
  'member.restored': MemberRestoredEvent
  'member.signed_up': MemberSignedUpEvent
  'member.sso_linked': MemberSsoLinkedEvent
  'member.suspended': MemberSuspendedEvent
  'member.unsuspended': MemberUnsuspendedEvent
  'member.updated': MemberUpdatedEvent
  'order.canceled': OrderCanceledEvent
  'order.completed': OrderCompletedEvent
  'order.created': OrderCreatedEvent
  'order.disputed': OrderDisputedEvent
  'order.fulfilled': OrderFulfilledEvent
  'order.paid': OrderPaidEvent
  'order.refunded': OrderRefundedEvent
  'payment.failed': PaymentFailedEvent
  'payment.succeeded': PaymentSucceededEvent
  'plan.archived': PlanArchivedEvent
  'plan.created': PlanCreatedEvent
  'plan.deleted': PlanDeletedEvent
  'plan.updated': PlanUpdatedEvent
  'post.held': PostHeldEvent
  'post.hidden': PostHiddenEvent
  'post.liked': PostLikedEvent
  'post.shown': PostShownEvent
  'post.unliked': PostUnlikedEvent
  'product.created': ProductCreatedEvent
  'product.deleted': ProductDeletedEvent
  'product.updated': ProductUpdatedEvent
  'quiz.submitted': QuizSubmittedEvent
  'refund.failed': RefundFailedEvent
  'refund.succeeded': RefundSucceededEvent
  'report.created': ReportCreatedEvent
  'report.resolved': ReportResolvedEvent
  'session.created': SessionCreatedEvent
  'session.revoked': SessionRevokedEvent
  'sso_connection.created': SsoConnectionCreatedEvent
  'sso_connection.deleted': SsoConnectionDeletedEvent
  'sso_connection.updated': SsoConnectionUpdatedEvent
  'stock.low': StockLowEvent
  'subscription.canceled': SubscriptionCanceledEvent
  'subscription.created': SubscriptionCreatedEvent
  'subscription.past_due': SubscriptionPastDueEvent
  'subscription.paused': SubscriptionPausedEvent
  'subscription.renewed': SubscriptionRenewedEvent
  'subscription.resumed': SubscriptionResumedEvent
  'subscription.trial_ending': SubscriptionTrialEndingEvent
  'subscription.updated': SubscriptionUpdatedEvent
  'webhook.endpoint.disabled': WebhookEndpointDisabledEvent
  'webhook.endpoint.failing': WebhookEndpointFailingEvent
  'webhook.test': WebhookTestEvent
}
/** The operations by their groups, as `table.ts` reads them. */
export const TABLE = `analytics
 track P~/analytics/track bw
 trackPageview P~/analytics/pageview bw
 trackBatch P~/analytics/batch b
 query P~/analytics/query b
 trackSite P/t/e b
analytics.stats
 get G~/analytics/stats q
analytics.timeseries
 get G~/analytics/timeseries q
analytics.breakdown
 list G~/analytics/breakdown ql
analytics.funnel
 get P~/analytics/funnel b
analytics.retention
 get P~/analytics/retention b
analytics.realtime
 get G~/analytics/realtime
analytics.events
 list G~/analytics/events ql
analytics.goals
 list G~/analytics/goals ql
 create P~/analytics/goals bk
 get G~/analytics/goals/*
 update A~/analytics/goals/* b
 delete D~/analytics/goals/*
analytics.tracker
 get G/t.js r
apiKeys
 list G~/api-keys
 rotate P~/api-keys/*/rotate bk
 delete D~/api-keys/*
apiKeys.self
 get G~/api-keys/self
auth
 signup P~/auth/signup bkw
 login P~/auth/login bw
 refresh P~/auth/refresh b:session
 logout P~/auth/logout b
auth.magicLink
 request P~/auth/magic-link bkw
 verify P~/auth/magic-link/verify bkw
auth.email
 verify P~/auth/email/verify bkw
 resend P~/auth/email/resend bkw
auth.password
 forgot P~/auth/password/forgot bkw
 reset P~/auth/password/reset bkw
 change P~/auth/password/change b
auth.mfa.totp
 begin P~/auth/mfa/totp bk
 verify P~/auth/mfa/totp/verify b
auth.mfa.recoveryCodes
 create P~/auth/mfa/recovery-codes k
auth.mfa
 verify P~/auth/mfa/verify bkw
auth.mfa.factors
 list G~/auth/mfa/factors
 delete D~/auth/mfa/factors/*
members.factors
 delete D~/members/*/factors
auth.passkeys
 begin P~/auth/passkeys/options b
 register P~/auth/passkeys/register bk
 beginLogin P~/auth/passkeys/login/options b
 login P~/auth/passkeys/login bkw
auth.sessions
 list G~/auth/sessions
 delete D~/auth/sessions/*
members.sessions
 list G~/members/*/sessions
 delete D~/members/*/sessions
user.profile
 get G~/user/profile q
 update A~/user/profile b
 delete D~/user/profile b
user
 exportData P~/user/data-export bk
invitations
 list G~/invitations ql
 create P~/invitations bk
 revoke P~/invitations/*/revoke q
 resend P~/invitations/*/resend qk
auth.invitations
 accept P~/auth/invitations/accept bkw
ssoConnections
 list G~/sso-connections ql
 create P~/sso-connections bk
 get G~/sso-connections/*
 update A~/sso-connections/* b
 delete D~/sso-connections/*
auth.sso.connections
 list G~/auth/sso/connections q
auth.sso
 start P~/auth/sso/start b
 exchange P~/auth/sso/exchange bkw
 finishOidc G~/auth/sso/*/callback qr
 finishOldOidc G~/auth/sso/callback qr
 finishSaml P~/auth/sso/*/acs r
auth.sso.metadata
 get G~/auth/sso/*/metadata r
subscriptions
 list G~/subscriptions ql
 create P~/subscriptions bk
 get G~/subscriptions/*
 previewChange P~/subscriptions/*/preview-change b
 change P~/subscriptions/*/change bk
 cancel P~/subscriptions/*/cancel b
 resume P~/subscriptions/*/resume
 pause P~/subscriptions/*/pause b
subscriptions.upcoming
 get G~/subscriptions/*/upcoming
subscriptions.history
 list G~/subscriptions/*/history ql
subscriptions.paymentMethod
 set P~/subscriptions/*/payment-method
bills
 list G~/bills ql
 get G~/bills/*
 pay P~/bills/*/pay k
 markPaid P~/bills/*/mark-paid
 void P~/bills/*/void
 refund P~/bills/*/refund bk
members.credit
 list G~/members/*/credit qw
 create P~/members/*/credit bk
paymentAccounts
 list G~/payment-accounts ql
 create P~/payment-accounts bk
 get G~/payment-accounts/*
 update A~/payment-accounts/* b
 delete D~/payment-accounts/*
 receiveNotice P~/payment-accounts/*/webhook
testClock
 get G~/test-clock
 advance P~/test-clock/advance bk
community
 export G~/community/export r
community.imports
 create P~/community/imports bk
 get G~/community/imports/* q
discussions
 list G~/discussions ql
 create P~/discussions bk:discussion
 get G~/discussions/* q
 update A~/discussions/* b
 delete D~/discussions/* q
 pin P~/discussions/*/pin b
 lock P~/discussions/*/lock b
 answer P~/discussions/*/answer b
 like U~/discussions/*/like b
 unlike D~/discussions/*/like q
 subscribe U~/discussions/*/subscription b
 unsubscribe D~/discussions/*/subscription q
 read P~/discussions/*/read b
discussions.revisions
 list G~/discussions/*/revisions ql
discussions.comments
 list G~/discussions/*/comments ql
 create P~/discussions/*/comments bk:comment
comments
 list G~/comments ql
 get G~/comments/* q
 update A~/comments/* b
 delete D~/comments/* q
 like U~/comments/*/like b
 unlike D~/comments/*/like q
comments.revisions
 list G~/comments/*/revisions ql
discussionCategories
 list G~/discussion-categories ql
 create P~/discussion-categories bk
 get G~/discussion-categories/*
 update A~/discussion-categories/* b
 delete D~/discussion-categories/*
reports
 create P~/reports bk
moderation.queue
 list G~/moderation/queue ql
moderation
 approve P~/moderation/*/approve b
 remove P~/moderation/*/remove b
 appeal P~/moderation/*/appeal bk
moderation.bulk
 create P~/moderation/bulk b
members.entitlements
 get G~/members/*/entitlements
webhooks.eventTypes
 list G~/webhooks/event-types
events
 list G~/events ql
members.events
 list G~/members/*/events ql
exports
 list G~/exports ql
 create P~/exports bk
 get G~/exports/*
feedback
 list G~/feedback ql
 create P~/feedback bk:feedback
 findSimilar G~/feedback/similar q
 get G~/feedback/* q
 update A~/feedback/* b
 delete D~/feedback/*
 vote U~/feedback/*/vote b
 unvote D~/feedback/*/vote q
 merge P~/feedback/*/merge b
 changeInBulk P~/feedback/bulk b
feedback.similar
 list G~/feedback/*/similar q
feedback.voters
 list G~/feedback/*/voters ql
feedback.status
 set P~/feedback/*/status b
feedback.statusChanges
 list G~/feedback/*/status-changes ql
roadmap
 get G~/roadmap q
changelog
 list G~/changelog ql
feedback.comments
 list G~/feedback/*/comments ql
 create P~/feedback/*/comments bk
 delete D~/feedback-comments/*
forms
 list G~/forms ql
 create P~/forms bk
 get G~/forms/* q:form
 update A~/forms/* b
 delete D~/forms/*
 publish P~/forms/*/publish
 archive P~/forms/*/archive
 duplicate P~/forms/*/duplicate k
forms.versions
 list G~/forms/*/versions ql
forms.schema
 get G~/forms/*/schema
forms.summary
 get G~/forms/*/summary q
forms.submissions
 list G~/forms/*/submissions ql
 create P~/forms/*/submissions bk
 get G~/forms/*/submissions/*
 update A~/forms/*/submissions/* b
 delete D~/forms/*/submissions/*
 export G~/forms/*/submissions/export qr
forms.exports
 create P~/forms/*/exports bk
help.categories
 list G~/help/categories ql:categories
 create P~/help/categories bk
 get G~/help/categories/*
 update A~/help/categories/* b
 delete D~/help/categories/*
help.articles
 list G~/help/articles ql
 create P~/help/articles bk
 get G~/help/articles/* q
 update A~/help/articles/* b
 delete D~/help/articles/*
 publish P~/help/articles/*/publish
 archive P~/help/articles/*/archive
 vote U~/help/articles/*/vote b
 unvote D~/help/articles/*/vote q
help.articles.versions
 list G~/help/articles/*/versions ql
 restore P~/help/articles/*/versions/*/restore
help.articles.translations
 set U~/help/articles/*/translations/* b
 delete D~/help/articles/*/translations/*
help
 search G~/help/search ql
help.articles.related
 list G~/help/articles/*/related q
help.insights
 get G~/help/insights q
lms.courses
 list G~/lms/courses ql
 create P~/lms/courses bk
 get G~/lms/courses/*
 update A~/lms/courses/* b
 delete D~/lms/courses/*
 publish P~/lms/courses/*/publish
 archive P~/lms/courses/*/archive
 reorder P~/lms/courses/*/reorder b
 rate U~/lms/courses/*/rating b
lms.modules
 create P~/lms/courses/*/modules bk
 get G~/lms/modules/*
 update A~/lms/modules/* b
 delete D~/lms/modules/*
lms.lessons
 create P~/lms/modules/*/lessons bk
 get G~/lms/lessons/*
 update A~/lms/lessons/* b
 delete D~/lms/lessons/*
lms.enrollments
 list G~/lms/enrollments ql
 create P~/lms/enrollments bk
 get G~/lms/enrollments/*
 update A~/lms/enrollments/* b
 delete D~/lms/enrollments/*
lms.enrollments.progress
 get G~/lms/enrollments/*/progress
lms.enrollments.blockers
 list G~/lms/enrollments/*/blockers
lms.progress
 record P~/lms/progress b
 recordBatch P~/lms/progress/batch b
lms.lessons.quiz
 set U~/lms/lessons/*/quiz b
 get G~/lms/lessons/*/quiz q
 delete D~/lms/lessons/*/quiz
lms.attempts
 begin P~/lms/quizzes/*/attempts bk
 get G~/lms/attempts/*
 submit P~/lms/attempts/*/submit bk
lms.courses.ratings
 list G~/lms/courses/*/ratings ql
lms.courses.gradebook
 list G~/lms/courses/*/gradebook ql
lms.certificates
 get G~/lms/certificates/* qr
 verify G~/lms/certificates/verify/*
 revoke P~/lms/certificates/*/revoke b
 reissue P~/lms/certificates/*/reissue k
mail.settings
 get G~/mail/settings
 update A~/mail/settings b
mail.templates
 list G~/mail/templates
 update A~/mail/templates b
mail
 preview P~/mail/preview b
mails
 list G~/mails ql
 get G~/mails/*
 sendToMe P~/mails/*/send-to-me k
mail.suppressions
 list G~/mail/suppressions ql
 delete D~/mail/suppressions/*
memberContent
 list G~/member-content ql
 create P~/member-content bk:content
 get G~/member-content/*
 update A~/member-content/* b
 delete D~/member-content/*
 simulate P~/member-content/simulate b
 check P~/member-content/check b
 checkBatch P~/member-content/check/batch b
 explain P~/member-content/explain b
memberContent.manifest
 get G~/member-content/manifest
members
 list G~/members ql
 create P~/members bk:member
 changeInBulk P~/members/bulk b
 get G~/members/* q
 update A~/members/* b
 delete D~/members/* q
 restore P~/members/*/restore q
 export G~/members/export qr
 exportData P~/members/*/data-export k
 suspend P~/members/*/suspend b
 unsuspend P~/members/*/unsuspend
members.stats
 get G~/members/stats
members.imports
 list G~/members/imports ql
 create P~/members/imports bk
 get G~/members/imports/*
members.imports.faults
 get G~/members/imports/*/faults r
suspensions
 list G~/suspensions ql
members.suspension
 get G~/members/*/suspension
user.mutes
 list G~/user/mutes ql
 set U~/user/mutes/* b
 delete D~/user/mutes/* q
moderation.rules
 list G~/moderation/rules ql
 create P~/moderation/rules bk
 test P~/moderation/rules/test b
 get G~/moderation/rules/*
 update A~/moderation/rules/* b
 delete D~/moderation/rules/*
notifications.preferences
 get G~/notifications/preferences q
 update A~/notifications/preferences b
notifications
 create P~/notifications bk
 list G~/notifications ql
 read P~/notifications/read b
notifications.unreadCount
 get G~/notifications/unread-count q
plans
 list G~/plans ql
 create P~/plans bk
 get G~/plans/*
 update A~/plans/* b
 delete D~/plans/*
 archive P~/plans/*/archive
profiles
 list G~/profiles q
 get G~/profiles/*
search
 list G~/search ql
shop.products
 list G~/shop/products ql:products
 create P~/shop/products bk
 get G~/shop/products/*
 update A~/shop/products/* b
 delete D~/shop/products/*
shop.variants
 list G~/shop/products/*/variants
 create P~/shop/products/*/variants bk
 get G~/shop/variants/*
 update A~/shop/variants/* b
 delete D~/shop/variants/*
shop.variants.stock
 create P~/shop/variants/*/stock bk
 list G~/shop/variants/*/stock ql
shop.discounts
 list G~/shop/discounts ql
 create P~/shop/discounts bk
 get G~/shop/discounts/*
 update A~/shop/discounts/* b
 delete D~/shop/discounts/*
shop.cart
 get G~/shop/cart q
 delete D~/shop/cart q
shop.cart.items
 create P~/shop/cart bk:item
 update A~/shop/cart/* b
 delete D~/shop/cart/* q
shop.cart.discount
 apply P~/shop/cart/discount b
 delete D~/shop/cart/discount q
shop
 checkout P~/shop/checkout bk
shop.orders
 list G~/shop/orders ql:orders
 get G~/shop/orders/* q
 pay P~/shop/orders/*/pay bk
 cancel P~/shop/orders/*/cancel b
 markPaid P~/shop/orders/*/mark-paid
 fulfill P~/shop/orders/*/fulfill b
 complete P~/shop/orders/*/complete
 refund P~/shop/orders/*/refund bk
orders
 list G~/orders ql
 changeInBulk P~/orders/bulk b
stats.daily
 get G~/stats/daily q
storage.files.content
 get G~/storage/files/*/content r
storage.public
 get G~/storage/public/*/* r
storage.signed
 get G~/storage/signed/*/* qr
storage.files
 list G~/storage/files ql
 upload P~/storage/files bk
 get G~/storage/files/* q
 update A~/storage/files/* b
 delete D~/storage/files/*
 signUrl P~/storage/files/*/signed-url b
 changeInBulk P~/storage/files/bulk b
storage.uploads
 create P~/storage/uploads bk
 complete P~/storage/uploads/*/complete b
storage.usage
 get G~/storage/usage
stream.tickets
 create P~/stream/tickets b
stream
 open G~/stream qr
webhooks
 list G~/webhooks ql
 create P~/webhooks bk
 get G~/webhooks/*
 update A~/webhooks/* b
 delete D~/webhooks/*
 rotateSecret P~/webhooks/*/rotate-secret bk
 enable P~/webhooks/*/enable b
 disable P~/webhooks/*/disable
 recover P~/webhooks/*/recover bk
 test P~/webhooks/*/test k
webhooks.secret
 get G~/webhooks/*/secret
webhooks.deliveries
 list G~/webhooks/*/deliveries ql
 get G~/webhooks/deliveries/*
 retry P~/webhooks/deliveries/*/retry k
webhooks.stats
 get G~/webhooks/*/stats q`
