import { makeCase, startDiscussion, writeComment } from '#testkit/areas/community.ts'
import { beginAttempt, complete, enroll, makeCertificate, makeLesson, makeQuiz } from '#testkit/areas/lms.ts'
import { makeCartItem, makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import { makeNamed } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'

type Reasons = Readonly<Record<string, string>>

const KEYS = 'a key of the API is checked by real time'
const SESSIONS = 'a session, and what proves who logs in, ends by real time'
const ANALYTICS = 'visits and events happen in real time'
const EXPORTS = 'files are made and kept in real time'
const FILES = 'files are kept, and their addresses end, in real time'
const IMPORTS = 'files are read in real time'
const MAILS = 'mails are sent in real time'
const WEBHOOKS = 'deliveries are sent in real time'

/** Timestamps that go by real time, of whole objects or by field, and why. */
export const REAL_TIME: Reasons = {
  AnalyticsPoint: ANALYTICS,
  ApiKey: KEYS,
  CommunityImport: IMPORTS,
  CommunityImportProgress: IMPORTS,
  'ConfirmedFactor.factor': SESSIONS,
  'EventPage.data': 'when something was announced, for those who read the log in real time',
  'listMemberEvents.data': 'when something was announced, for those who read the log in real time',
  'WebhookDeliveryDetail.event': 'when something was announced, for those who read the log in real time',
  Export: EXPORTS,
  ExportData: EXPORTS,
  Factor: SESSIONS,
  File: FILES,
  FileDetail: FILES,
  Goal: ANALYTICS,
  'ListedMember.last_login_at': SESSIONS,
  Mail: MAILS,
  MailInFull: MAILS,
  MailSuppression: MAILS,
  MemberImport: IMPORTS,
  MemberImportProgress: IMPORTS,
  'MemberProfile.last_login_at': SESSIONS,
  'MemberWithPlan.last_login_at': SESSIONS,
  OwnApiKey: KEYS,
  RealtimeMinute: ANALYTICS,
  RetentionCohort: ANALYTICS,
  RotatedApiKey: KEYS,
  'RuleSimulation.since': ANALYTICS,
  Session: SESSIONS,
  SessionRecord: SESSIONS,
  SignedUrl: FILES,
  SsoConnection: SESSIONS,
  'listAnalyticsEvents.data': ANALYTICS,
  StreamTicket: SESSIONS,
  PostFile: FILES,
  Upload: FILES,
  WebhookAttempt: WEBHOOKS,
  WebhookDelivery: WEBHOOKS,
  WebhookDeliveryDetail: WEBHOOKS,
  WebhookEndpoint: WEBHOOKS,
  WebhookEndpointWithSecret: WEBHOOKS,
  WebhookRecovery: WEBHOOKS,
  WebhookStats: WEBHOOKS,
  'WebhookStats.hours': WEBHOOKS,
  WebhookTestDelivery: WEBHOOKS,
  'webhook.endpoint.disabled': WEBHOOKS,
  'webhook.endpoint.failing': WEBHOOKS,
}

/** Timestamps that say what a client sent. */
export const BY_THE_CLIENT: Reasons = {
  'Discount.ends_at': 'the window of the discount',
  'Discount.starts_at': 'the window of the discount',
  'Enrollment.expires_at': 'the sample of PATCH sets it',
  'Subscription.resume_at': 'the sample of a pause',
  'SubscriptionWithBill.resume_at': 'the sample of a pause',
}

/** Timestamps by the project's clock that no sample request brings about, and the test that looks at them. */
export const ELSEWHERE: Reasons = {
  'Course.created_at': 'takes include=created_at: lms/courses/routes.test.ts',
  'DisputeData.created_at': 'takes a provider: billing/payments/events.test.ts',
  'FormDetail.published_at': 'is that of Form, beside what is included: forms/routes.test.ts',
  'FormDetail.updated_at': 'is that of Form, beside what is included: forms/routes.test.ts',
  'Invitation.accepted_at': 'takes a mail: auth/invitations/routes.test.ts',
  'Invitation.sent_at': 'takes a mail: auth/invitations/routes.test.ts',
}

/** Which timestamps of one object come first. */
export const IN_ORDER: readonly (readonly [string, string])[] = [
  ...[
    ...(['updated_at', 'edited_at', 'published_at', 'completed_at', 'finished_at', 'decided_at'] as const),
    ...(['revoked_at', 'sent_at', 'accepted_at', 'expires_at', 'last_activity_at', 'canceled_at'] as const),
    ...(['paid_at', 'due_at', 'reserved_until', 'deleted_at', 'trial_end', 'paused_at'] as const),
  ].map((later) => ['created_at', later] as const),
  ['issued_at', 'revoked_at'],
  ['sent_at', 'accepted_at'],
  ['started_at', 'submitted_at'],
  ['started_at', 'expires_at'],
  ['enrolled_at', 'completed_at'],
  ['enrolled_at', 'expires_at'],
  ['period_start', 'period_end'],
  ['paused_at', 'resume_at'],
  ['starts_at', 'ends_at'],
  ['since', 'until'],
]

/** Tables whose rows have real time. All others go by the project's clock. */
export const REAL_TIME_TABLES: readonly string[] = [
  ...([
    'accepted_differences',
    'analytics_goals',
    'api_keys',
    'audit_log',
    'community_imports',
    'events',
    'exports',
    'file_attachments',
    'files',
  ] as const),
  ...(['idempotency_keys', 'mail_settings', 'mail_suppressions', 'mail_templates', 'mails'] as const),
  ...(['member_imports', 'mfa_factors', 'one_time_tokens', 'outbox', 'passkeys', 'project_clocks'] as const),
  'device_log_ins',
  ...([
    'project_acts',
    'project_exports',
    'project_imports',
    'requested_moves',
    'owner_workers',
    'project_keys',
    'project_moves',
    'cells',
    'project_locations',
    'request_counters',
    'stream_tickets',
    'team_invitations',
    'team_members',
  ] as const),
  ...(['projects', 'schema_migrations', 'sessions', 'signing_keys', 'sso_codes', 'sso_connections'] as const),
  ...(['sso_identities', 'sso_logins', 'webhook_deliveries', 'webhook_endpoints'] as const),
]

/** Tables by the project's clock that have a default of real time from before there was a test. Their statements name the time. */
export const NEEDLESS_DEFAULTS: readonly string[] = ['profiles']

interface Made<T> {
  readonly data: T
}

/** Lives of things that take more than one request, so that the timestamps of their ends are there. */
export async function liveThrough(side: Side): Promise<void> {
  const post = async <T>(path: string, body: object = {}) => {
    const answer = await side.admin.post<Made<T>>(path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  await liveASubscription(side, post)
  await liveAnOrder(side, post)
  await learn(side)
  await liveInACommunity(side, post)
  await liveAMember(side)
}

type Post = <T>(path: string, body?: object) => Promise<T>

async function liveASubscription(side: Side, post: Post): Promise<void> {
  const [plan, better] = [
    await side.makePlan({ price: 10, trial_days: 3 }),
    await side.makePlan({ price: 100, rank: 5 }),
  ]
  const { id: member_id } = await side.makeMember()
  const { id } = await post<{ id: string }>('/subscriptions', { member_id, plan_id: plan.id })
  await side.admin.get(`/subscriptions/${id}`)
  await advance(side, { days: 4 })
  const payAll = async () => {
    const { body } = await side.admin.get<Made<{ id: string }[]>>(`/bills?member_id=${member_id}&status=open`)
    for (const bill of body.data) await post(`/bills/${bill.id}/mark-paid`)
    return body.data
  }
  const [paid] = await payAll()
  await post(`/bills/${paid?.id}/refund`, { amount: 1, to: 'credit' })
  await side.admin.get(`/subscriptions/${id}/upcoming`)
  await post(`/subscriptions/${id}/preview-change`, { plan_id: better.id, when: 'now' })
  await post(`/members/${member_id}/credit`, { amount: 500, currency: 'eur', reason: 'Sorry' })
  await post(`/subscriptions/${id}/change`, { plan_id: better.id, when: 'now' })
  await payAll()
  await post(`/subscriptions/${id}/pause`, {})
  await post(`/subscriptions/${id}/resume`)
  await post(`/subscriptions/${id}/cancel`, { at: 'now' })
  for (const path of ['credit', 'entitlements']) await side.admin.get(`/members/${member_id}/${path}`)
  for (const path of ['', '/history']) await side.admin.get(`/subscriptions/${id}${path}`)
  await side.admin.get(`/bills?member_id=${member_id}`)
}

async function liveAnOrder(side: Side, post: Post): Promise<void> {
  const { id: member } = await side.makeMember()
  const of = { ...side, member: async () => member }
  const grants = { features: ['downloads'], plan_id: (await side.makePlan({ rank: 9 })).id, days: 30 }
  const product = await makeProduct(side, { grants })
  const { client } = await makeCustomer(side, member)
  await client.post('/shop/cart', { product_id: product.id })
  await client.get('/shop/cart')
  const { id } = (await client.post<Made<{ id: string }>>('/shop/checkout', {})).body.data
  for (const act of ['mark-paid', 'fulfill', 'complete']) {
    await advance(side, { minutes: 1 })
    await post(`/shop/orders/${id}/${act}`)
  }
  await side.admin.get(`/members/${member}/entitlements`)
  await post(`/shop/orders/${id}/refund`, { amount: 1 })
  await client.get(`/shop/orders/${id}`)
  const { id: item } = await makeCartItem(of)
  await client.patch(`/shop/cart/${item}`, { quantity: 2 })
  await client.get('/shop/cart')
}

async function learn(side: Side): Promise<void> {
  const { course, lesson, quiz } = await makeQuiz(side, { time_limit_seconds: 60 }, { access_days: 30 })
  const later = await makeLesson(side, course.moduleId, { drip_days: 2 })
  const { token, memberId } = await side.signIn()
  const enrollment = await enroll(side, course.id, memberId)
  const learner = side.as(token)
  await beginAttempt(side, quiz.id, memberId)
  for (const id of [lesson.id, later.id]) await learner.get(`/lms/lessons/${id}`)
  await learner.get(`/lms/courses/${course.id}`)
  await advance(side, { days: 3 })
  await complete(side, enrollment, [lesson, later])
  await learner.put(`/lms/courses/${course.id}/rating`, { rating: 5 })
  for (const path of ['', '/ratings', '/gradebook']) await side.admin.get(`/lms/courses/${course.id}${path}`)
  await learner.get(`/lms/courses/${course.id}`)
  const { code } = await makeCertificate(side, memberId)
  await side.admin.get(`/lms/certificates/verify/${code}`)
  for (const path of ['', '/progress', '/blockers'])
    await side.admin.get(`/lms/enrollments/${enrollment.id}${path}`)
}

async function liveInACommunity(side: Side, post: Post): Promise<void> {
  const [first, second] = [await makeNamed(side, 'fb'), await makeNamed(side, 'fb')]
  await post(`/feedback/${first}/merge`, { into: second })
  await post(`/feedback/${first}/merge`, { into: null })
  const { id } = await startDiscussion(side)
  const comment = await writeComment(side, id)
  await advance(side, { minutes: 1 })
  await side.admin.patch(`/comments/${comment.id}`, { content: 'Other words' })
  await side.admin.get(`/discussions/${id}/comments`)
  const moderated = (await makeCase(side)).id
  const asAuthor = { headers: { 'x-user-id': await side.member() } }
  await side.admin.post(`/moderation/${moderated}/appeal`, { text: 'It is no spam' }, asAuthor)
  await side.admin.get('/moderation/queue?status=appealed')
  await post(`/moderation/${moderated}/remove`, { reason: 'Spam' })
  await side.admin.get('/moderation/queue?status=resolved')
}

async function liveAMember(side: Side): Promise<void> {
  await side.admin.post('/members', { email: 'ada.by.the.clock@example.com' })
  const { id } = await side.makeMember()
  await side.admin.get('/members?include=updated_at,last_login_at,role')
  await side.admin.delete(`/members/${id}`)
  await side.admin.get('/members?deleted=true')
  await side.admin.post(`/members/${id}/restore`)
  const reader = await side.makeMember()
  await side.admin.post('/notifications', { member_ids: [reader.id], text: 'The office moves' })
  const asReader = { headers: { 'x-user-id': reader.id } }
  const { data } = (await side.admin.get<{ data: { id: string }[] }>('/notifications', asReader)).body
  await side.admin.post('/notifications/read', { ids: data.map(({ id }) => id) }, asReader)
  await side.admin.get('/notifications', asReader)
  await side.admin.get('/help/search?q=nothing+like+it')
  await side.admin.get('/help/insights')
}
