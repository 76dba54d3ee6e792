import type { FastifyRequest } from 'fastify'
import { memberNotFound, type WhoActs, whoMayAct } from '#platform/http/acting-member.ts'
import { callerOf } from '#platform/http/caller.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import type { EventLoopTurns, Slices } from '#platform/threads/event-loop-turns.ts'
import type { PageGrants } from '../edge/page-grants.ts'
import { type PageUrl, readPageUrl } from '../matching/page-url.ts'
import type { Check, Decision } from '../schema.ts'
import type { CompiledRule, CompiledRules } from './compiled-rules.ts'
import { decide, type MemberFacts, type Verdict } from './decide.ts'
import { findMemberFacts, getMemberFacts, takeFreeView } from './queries.ts'
import type { RuleStore } from './rule-store.ts'

/** What checks work with. */
export interface CheckParts {
  readonly rules: RuleStore
  readonly grants: PageGrants
  readonly turns: EventLoopTurns
}

const INVALID: Decision = {
  allowed: false,
  reason: 'invalid_url',
  rule_id: null,
  required_plans: [],
  redirect_url: null,
}

/**
 * Whether a visitor may see a page. A free view is counted where one is what lets the visitor in.
 * @throws ApiError 403 where a public key names a member, or a token another one; 422 MEMBER_NOT_FOUND
 */
export async function checkPage(
  request: FastifyRequest,
  { rules, grants, turns }: CheckParts,
  check: Check,
): Promise<Decision> {
  const who = whoMayAct(request, { field: 'member_id', id: check.member_id })
  const { projectId } = callerOf(request)
  const visitor = await memberFactsOf(request, who)
  const page = readPageUrl(check.url)
  if (page === undefined) return INVALID
  const compiled = await rules.of(projectId, request)
  const slices = turns.begin({ projectId })
  return answer(request, grants, { page, compiled, visitor, wantsGrant: check.grant === true, slices })
}

/**
 * The same of many, in their order.
 * @throws ApiError 403 and 422 as for one
 */
export async function checkPages(
  request: FastifyRequest,
  { rules, grants, turns }: CheckParts,
  checks: readonly Check[],
): Promise<Decision[]> {
  const named = checks.map((check, i) =>
    whoMayAct(request, { field: `checks[${i}].member_id`, id: check.member_id }),
  )
  const visitors = await allMemberFactsOf(request, named)
  const compiled = await rules.of(callerOf(request).projectId, request)
  const decisions: Decision[] = []
  const slices = turns.begin({ projectId: callerOf(request).projectId })
  // One after the other: free views are counted in the order of the checks.
  for (const [i, check] of checks.entries()) {
    if (slices.isOver) await slices.next()
    const page = readPageUrl(check.url)
    const wantsGrant = check.grant === true
    decisions.push(
      page
        ? await answer(request, grants, { page, compiled, visitor: visitors[i], wantsGrant, slices })
        : INVALID,
    )
  }
  return decisions
}

/** The facts that rules ask about the named member, if one is named. @throws ApiError 422 MEMBER_NOT_FOUND */
export async function memberFactsOf(
  request: FastifyRequest,
  who: WhoActs | undefined,
): Promise<MemberFacts | undefined> {
  if (who === undefined) return undefined
  const asked = getMemberFacts({ id: who.memberId ?? null, field: 'member_id' })
  return (await request.read({ visitor: asked })).visitor
}

async function allMemberFactsOf(
  request: FastifyRequest,
  named: readonly (WhoActs | undefined)[],
): Promise<(MemberFacts | undefined)[]> {
  const ids = [...new Set(named.flatMap((who) => who?.memberId ?? []))]
  const { known } =
    ids.length === 0
      ? { known: new Map<string, MemberFacts>() }
      : await request.read({ known: findMemberFacts({ ids }) })
  return named.map((who) => {
    if (who === undefined) return undefined
    const facts = known.get(who.memberId ?? '')
    if (facts === undefined) throw memberNotFound(who.field)
    return facts
  })
}

interface Question {
  readonly page: PageUrl
  readonly compiled: CompiledRules
  readonly visitor: MemberFacts | undefined
  readonly wantsGrant: boolean
  readonly slices: Slices
}

async function answer(
  request: FastifyRequest,
  grants: PageGrants,
  { page, compiled, visitor, wantsGrant, slices }: Question,
): Promise<Decision> {
  const rule = await compiled.matcher.match(page, slices)
  const judged = decide(rule, visitor)
  const verdict = rule && visitor ? await withFreeView(request, { rule, visitor, page, judged }) : judged
  const decision = toDecision(rule, verdict, credentialOf(request).isKey)
  if (!wantsGrant || !verdict.allowed) return decision
  const { projectId } = callerOf(request)
  const ofPath = judged.allowed === false
  return { ...decision, grant: await grants.issue({ projectId, visitor, rule, page, ofPath }) }
}

async function withFreeView(
  request: FastifyRequest,
  {
    rule,
    visitor,
    page,
    judged,
  }: { rule: CompiledRule; visitor: MemberFacts; page: PageUrl; judged: Verdict },
): Promise<Verdict> {
  if (judged.lack === undefined || rule.freeViews === 0) return judged
  const view = { memberId: visitor.memberId, ruleId: rule.id, path: page.path, limit: rule.freeViews }
  const isFree = await request.write(takeFreeView(view))
  return isFree ? { allowed: true, reason: 'allowed' } : { allowed: false, reason: 'free_views_used' }
}

/** @param seesAll false: the plans that everybody may see are named, and no others */
const toDecision = (
  rule: CompiledRule | undefined,
  { allowed, reason }: Verdict,
  seesAll: boolean,
): Decision => ({
  allowed,
  reason,
  rule_id: rule?.publicId ?? null,
  required_plans: (seesAll ? rule?.requiredPlans : rule?.publishedPlans) ?? [],
  redirect_url: allowed ? null : (rule?.redirectUrl ?? null),
})
