import { toId } from '#platform/ids.ts'
import type { Slices } from '#platform/threads/event-loop-turns.ts'
import { ruleId } from '../ids.ts'
import { type Pattern, readPattern } from '../matching/pattern.ts'
import { RuleMatcher } from '../matching/rule-matcher.ts'
import type { RuleRow } from '../rules/queries.ts'

/** A rule ready to be compared with requests. */
export interface CompiledRule {
  /** The stored id. */
  readonly id: string
  readonly publicId: string
  readonly urlPattern: string
  readonly pattern: Pattern
  /** Stored ids of plans; empty where any active member may see the page. */
  readonly plans: ReadonlySet<string>
  readonly requiredPlans: string[]
  /** Those of them that everybody may see. */
  readonly publishedPlans: string[]
  readonly features: readonly string[]
  readonly afterDays: number
  readonly freeViews: number
  readonly redirectUrl: string | null
  readonly createdAt: string
}

/** The active rules of a project. */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[]
  readonly matcher: RuleMatcher<CompiledRule>
}

/** @throws ApiError 503 where too many wait for their next slice */
export async function compileRules(rows: readonly RuleRow[], slices: Slices): Promise<CompiledRules> {
  const rules: CompiledRule[] = []
  for (const row of rows) {
    if (slices.isOver) await slices.next()
    const rule = compileRule(row)
    if (rule !== undefined) rules.push(rule)
  }
  return Object.freeze({ rules, matcher: await RuleMatcher.of(rules, slices) })
}

/** Undefined where the pattern is none, which no rule's is that was let in. */
export function compileRule(row: RuleRow): CompiledRule | undefined {
  const pattern = readPattern(row.url_pattern)
  if (typeof pattern === 'string') return undefined
  return Object.freeze({
    id: row.id,
    publicId: toId(ruleId, row.id),
    urlPattern: row.url_pattern,
    pattern,
    plans: new Set(row.required_plans),
    requiredPlans: row.required_plans.map((id) => toId('plan', id)),
    publishedPlans: row.published_plans.map((id) => toId('plan', id)),
    features: row.required_features,
    afterDays: row.after_days ?? 0,
    freeViews: row.free_views ?? 0,
    redirectUrl: row.redirect_url,
    createdAt: row.created_at,
  })
}
