import { type Static, Type } from 'typebox'
import { envelope, nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'

export const RuleId = Type.String({
  description: 'The id of a rule',
  examples: ['rule_01jcq3k8f7e8qtk4m3hbw7rn2p'],
})
const PlanId = Type.String({ description: 'The id of a plan', examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'] })

const UrlPattern = Type.String({
  minLength: 1,
  maxLength: 500,
  description:
    'A path like `/courses/**`, or one with its host like `example.com/courses/**`. `*` matches within a segment of the path, `**` across segments, none included',
  examples: ['/courses/**'],
})
const RequiredPlans = Type.Array(PlanId, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Plans of which a member must have one; empty: every active member',
  examples: [['plan_01jcq3k8f7e8qtk4m3hbw7rn2e']],
})
const RedirectUrl = Type.String({
  pattern: '^(https?://[^\\s\\\\]+|/([^/\\s\\\\][^\\s\\\\]*)?)$',
  maxLength: 2000,
  description: 'Where those are sent who may not see the page: an http(s) URL or a path',
  examples: ['https://example.com/join'],
})
const IsActive = Type.Boolean({ description: 'Whether it protects anything', examples: [true] })
const Features = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Keys of features that a member must have, all of them',
  examples: [['downloads']],
})
const AfterDays = Type.Integer({
  minimum: 1,
  maximum: 36_500,
  description: 'Days that somebody must have been a member',
  examples: [7],
})
const FreeViews = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Pages a calendar month (UTC) that a member may see who lacks the rest; each path counts once',
  examples: [3],
})

/** A rule as the reference shows it. */
export const Rule = Type.Object(
  {
    id: RuleId,
    url_pattern: UrlPattern,
    required_plans: RequiredPlans,
    redirect_url: nullable(RedirectUrl),
    is_active: IsActive,
    created_at: Timestamp(),
  },
  { title: 'ProtectionRule' },
)
export type Rule = Static<typeof Rule>

/** A rule with all that it asks for. */
export const FullRule = Type.Object(
  {
    ...Rule.properties,
    features: Features,
    after_days: nullable(AfterDays),
    free_views: nullable(FreeViews),
    updated_at: Timestamp(),
  },
  { title: 'ProtectionRuleInFull' },
)
export type FullRule = Static<typeof FullRule>

const conditions = {
  required_plans: Type.Optional(RequiredPlans),
  redirect_url: Type.Optional(nullable(RedirectUrl)),
  is_active: Type.Optional(IsActive),
  features: Type.Optional(Features),
  after_days: Type.Optional(nullable(AfterDays)),
  free_views: Type.Optional(nullable(FreeViews)),
}

export const NewRule = strict(
  { url_pattern: UrlPattern, ...conditions },
  { title: 'NewProtectionRule', examples: [{ url_pattern: '/courses/**', redirect_url: '/join' }] },
)
export type NewRule = Static<typeof NewRule>

export const RuleChanges = strict(
  { url_pattern: Type.Optional(UrlPattern), ...conditions },
  { title: 'ProtectionRuleChanges', examples: [{ is_active: false }] },
)
export type RuleChanges = Static<typeof RuleChanges>

export const ById = strict({ id: RuleId })

export const ListQuery = strict({
  ...pageParameters,
  is_active: Type.Optional(Type.Boolean({ description: 'Rules that protect, or that do not' })),
})
export type ListQuery = Static<typeof ListQuery>

export const CreatedRule = Type.Object({ success: Type.Literal(true), content: Rule })

export const REASONS = [
  'public',
  'allowed',
  'login_required',
  'plan_required',
  'feature_required',
  'too_new',
  'free_views_used',
  'inactive',
  'invalid_url',
] as const
export type Reason = (typeof REASONS)[number]

export const PageAddress = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'An http(s) URL, or a path that begins with `/`; query and fragment are ignored',
  examples: ['https://example.com/courses/pottery'],
})
export const MemberId = Type.String({
  description: 'The id of a member. Left out: an anonymous visitor; with a token, its member',
  examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})

export const Check = strict(
  {
    url: PageAddress,
    member_id: Type.Optional(MemberId),
    grant: Type.Optional(Type.Boolean({ description: 'Asks for a signed grant', examples: [false] })),
  },
  { title: 'PageCheck', examples: [{ url: 'https://example.com/courses/pottery' }] },
)
export type Check = Static<typeof Check>

export const Decision = Type.Object(
  {
    allowed: Type.Boolean({ examples: [false] }),
    reason: oneOf(REASONS, { description: 'Why', examples: ['login_required'] }),
    rule_id: nullable(RuleId),
    required_plans: Type.Array(PlanId),
    redirect_url: nullable(
      Type.String({
        description: 'Where to send the visitor; null where the page may be seen',
        examples: ['https://example.com/join'],
      }),
    ),
    grant: Type.Optional(
      Type.String({
        description:
          'A JWS of 60 seconds (`typ` `page-grant+jwt`) of whoever may see the page, where one was asked for',
        examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6InBhZ2UtZ3JhbnQrand0In0.e30.c2lnbmF0dXJl'],
      }),
    ),
  },
  { title: 'PageDecision' },
)
export type Decision = Static<typeof Decision>

export const CheckBatch = strict(
  { checks: Type.Array(Check, { minItems: 1, maxItems: 100, description: 'At most 100' }) },
  { title: 'PageChecks', examples: [{ checks: [{ url: '/courses/pottery' }, { url: '/about' }] }] },
)
export const Decisions = envelope(Type.Array(Decision, { description: 'In the order of the checks' }))

export const Explain = strict(
  { url: PageAddress, member_id: Type.Optional(MemberId) },
  { title: 'PageQuestion', examples: [{ url: '/courses/pottery' }] },
)

const Matched = Type.Object(
  {
    rule_id: RuleId,
    url_pattern: UrlPattern,
    decides: Type.Boolean({ description: 'Whether it is the one rule that counts' }),
    match: oneOf(['exact', 'wildcard'], { description: 'How its pattern matches' }),
    literal_prefix: Type.String({
      description: 'What stands before its first wildcard: the longest wins',
      examples: ['/courses/'],
    }),
    names_host: Type.Boolean(),
    created_at: Timestamp(),
    would_allow: Type.Boolean({ description: 'What it would say if it decided' }),
    reason: oneOf(REASONS),
  },
  { title: 'MatchedRule' },
)
export type Matched = Static<typeof Matched>

export const Explanation = Type.Object(
  {
    host: nullable(Type.String({ description: 'As rules see it', examples: ['example.com'] })),
    path: nullable(
      Type.String({
        description: 'As rules see it; null where the URL is invalid',
        examples: ['/courses/pottery'],
      }),
    ),
    allowed: Type.Boolean(),
    reason: oneOf(REASONS),
    rules: Type.Array(Matched, { description: 'Every active rule that matches, the one that decides first' }),
  },
  { title: 'PageExplanation' },
)
export type Explanation = Static<typeof Explanation>
