import { type Static, Type } from 'typebox'
import { envelope, envelopeOf, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, idParameter, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { ruleId } from './ids.ts'

export const RuleId = Type.String({
  description: 'The id of a rule',
  examples: ['rule_01jcq3k8f7e8qtk4m3hbw7rn2p'],
})
const PlanId = Type.String({ description: 'The id of a plan', examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'] })

const UrlPattern = Type.String({
  minLength: 1,
  maxLength: 500,
  description:
    'A path like `/courses/**`, or a host and a path like `example.com/courses/**`. `*` matches text within a segment of the path; `**` matches any number of segments, also none. At most 10 wildcards',
  examples: ['/courses/**'],
})
const RequiredPlans = Type.Array(PlanId, {
  maxItems: 100,
  uniqueItems: true,
  description: 'A member must be on one of these plans; empty: every active member may see the pages',
  examples: [['plan_01jcq3k8f7e8qtk4m3hbw7rn2e']],
})
const RedirectUrl = Type.String({
  pattern: '^(https?://[^\\s\\\\]+|/([^/\\s\\\\][^\\s\\\\]*)?)$',
  maxLength: 2000,
  description: 'The address to which visitors are sent who may not see the page: an http(s) URL or a path',
  examples: ['https://example.com/join'],
})
const IsActive = Type.Boolean({ description: 'False: the rule protects nothing', examples: [true] })
const Features = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Keys of features; a member must have all of them',
  examples: [['downloads']],
})
const AfterDays = Type.Integer({
  minimum: 1,
  maximum: 36_500,
  description: 'A member must have been a member for this number of days',
  examples: [7],
})
const FreeViews = Type.Integer({
  minimum: 1,
  maximum: 100,
  description:
    'The number of pages in a calendar month (UTC) that a member without access may see; each path counts once',
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

export const ById = strict({ id: pathId(ruleId, RuleId) })

export const ListQuery = strict({
  ...pageParameters,
  is_active: Type.Optional(Type.Boolean({ description: 'Only active rules, or only inactive rules' })),
  plan_id: idParameter(PlanId, 'Only rules that this plan opens'),
  search: searchIn('the pattern'),
  ...createdParameters,
  ...sortParameters(['created_at', 'url_pattern']),
})
export type ListQuery = Static<typeof ListQuery>

export const CreatedRule = envelopeOf({ content: Rule })

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
  description: 'An http(s) URL, or a path that starts with `/`; query and fragment are ignored',
  examples: ['https://example.com/courses/pottery'],
})
export const MemberId = Type.String({
  description: 'The id of a member. Default: an anonymous visitor; with a token, the member of the token',
  examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})

export const Check = strict(
  {
    url: PageAddress,
    member_id: Type.Optional(MemberId),
    grant: Type.Optional(Type.Boolean({ description: 'True asks for a signed grant', examples: [false] })),
  },
  { title: 'PageCheck', examples: [{ url: 'https://example.com/courses/pottery' }] },
)
export type Check = Static<typeof Check>

export const Decision = Type.Object(
  {
    allowed: Type.Boolean({ examples: [false] }),
    reason: oneOf(REASONS, { description: 'The reason of the answer', examples: ['login_required'] }),
    rule_id: nullable(RuleId),
    required_plans: Type.Array(PlanId, {
      description: 'The plans that the rule requires. Only secret keys see plans here that are not public',
    }),
    redirect_url: nullable(
      Type.String({
        description: 'The address to which the visitor is sent; null if the page may be seen',
        examples: ['https://example.com/join'],
      }),
    ),
    grant: Type.Optional(
      Type.String({
        description:
          'A JWS that is valid for 60 seconds (`typ` `page-grant+jwt`); present if a grant was asked for and the page may be seen',
        examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6InBhZ2UtZ3JhbnQrand0In0.e30.c2lnbmF0dXJl'],
      }),
    ),
  },
  { title: 'PageDecision' },
)
export type Decision = Static<typeof Decision>

export const CheckBatch = strict(
  { checks: Type.Array(Check, { minItems: 1, maxItems: 100, description: 'At most 100 checks' }) },
  { title: 'PageChecks', examples: [{ checks: [{ url: '/courses/pottery' }, { url: '/about' }] }] },
)
export const Decisions = envelope(
  Type.Array(Decision, { description: 'The answers, in the order of the checks' }),
)

export const Explain = strict(
  { url: PageAddress, member_id: Type.Optional(MemberId) },
  { title: 'PageQuestion', examples: [{ url: '/courses/pottery' }] },
)

const Matched = Type.Object(
  {
    rule_id: RuleId,
    url_pattern: UrlPattern,
    decides: Type.Boolean({ description: 'True for the rule that decides' }),
    match: oneOf(['exact', 'wildcard'], { description: 'How the pattern of the rule matches' }),
    literal_prefix: Type.String({
      description:
        'The part of the pattern before its first wildcard; the rule with the longest part decides',
      examples: ['/courses/'],
    }),
    names_host: Type.Boolean(),
    created_at: Timestamp(),
    would_allow: Type.Boolean({ description: 'The answer that this rule alone would give' }),
    reason: oneOf(REASONS),
  },
  { title: 'MatchedRule' },
)
export type Matched = Static<typeof Matched>

export const Explanation = Type.Object(
  {
    host: nullable(
      Type.String({ description: 'The host as it is compared with patterns', examples: ['example.com'] }),
    ),
    path: nullable(
      Type.String({
        description: 'The path as it is compared with patterns; null if the URL is invalid',
        examples: ['/courses/pottery'],
      }),
    ),
    allowed: Type.Boolean(),
    reason: oneOf(REASONS),
    matches: Type.Integer({
      minimum: 0,
      description: 'The number of active rules that match',
      examples: [2],
    }),
    rules: Type.Array(Matched, {
      description: 'The active rules that match, the deciding rule first: at most 1,000',
    }),
  },
  { title: 'PageExplanation' },
)
export type Explanation = Static<typeof Explanation>
