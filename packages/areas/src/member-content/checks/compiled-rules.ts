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
  readonly plans: readonly string[]
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
  const ids = new PlanIds()
  for (const row of rows) {
    if (slices.isOver) await slices.next()
    const rule = compileRule(row, ids)
    if (rule !== undefined) rules.push(rule)
  }
  return Object.freeze({ rules, matcher: await RuleMatcher.of(rules, slices) })
}

/** Undefined where the pattern is none, which no rule's is that was let in. */
export function compileRule(row: RuleRow, ids = new PlanIds()): CompiledRule | undefined {
  const pattern = readPattern(row.url_pattern)
  if (typeof pattern === 'string') return undefined
  return Object.freeze({
    id: row.id,
    publicId: toId(ruleId, row.id),
    urlPattern: row.url_pattern,
    pattern,
    plans: row.required_plans.map((id) => ids.of(id).stored),
    requiredPlans: row.required_plans.map((id) => ids.of(id).shown),
    publishedPlans: row.published_plans.map((id) => ids.of(id).shown),
    features: row.required_features,
    afterDays: row.after_days ?? 0,
    freeViews: row.free_views ?? 0,
    redirectUrl: row.redirect_url,
    createdAt: row.created_at,
  })
}

/** Ids of plans, each in memory once: thousands of rules can name a hundred plans each. */
class PlanIds {
  readonly #ids = new Map<string, { readonly stored: string; readonly shown: string }>()

  of(stored: string) {
    const known = this.#ids.get(stored)
    if (known !== undefined) return known
    const ids = { stored, shown: toId('plan', stored) }
    this.#ids.set(stored, ids)
    return ids
  }
}

/** About how many bytes the rules take. */
export const memoryOf = ({ rules }: CompiledRules): number =>
  rules.reduce(
    (sum, { pattern, plans }) =>
      sum + RULE_BYTES + SEGMENT_BYTES * pattern.segments + PLAN_BYTES * plans.length,
    RULE_BYTES,
  )

/** Measured with patterns of many segments and of many ways; three lists name a plan. */
const [RULE_BYTES, SEGMENT_BYTES, PLAN_BYTES] = [1_500, 80, 24]
