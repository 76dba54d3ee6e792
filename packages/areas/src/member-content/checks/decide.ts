import type { Reason } from '../schema.ts'
import type { CompiledRule } from './compiled-rules.ts'

/** What rules ask about a member. */
export interface MemberFacts {
  /** The stored id. */
  readonly memberId: string
  readonly isActive: boolean
  /** The stored id of the effective plan. */
  readonly planId: string
  readonly features: ReadonlySet<string>
  /** Whole days since somebody became a member. */
  readonly days: number
}

type Lack = Extract<Reason, 'plan_required' | 'feature_required' | 'too_new'>

export interface Verdict {
  readonly allowed: boolean
  readonly reason: Reason
  /** What a free view may stand in for; undefined where none does. */
  readonly lack?: Lack
}

/**
 * What a rule says to a visitor, free views left aside. All that a rule requires must be there.
 * @param rule undefined where none guards the page
 * @param visitor undefined where nobody knows who it is
 */
export function decide(rule: CompiledRule | undefined, visitor: MemberFacts | undefined): Verdict {
  if (rule === undefined) return { allowed: true, reason: 'public' }
  if (visitor === undefined) return { allowed: false, reason: 'login_required' }
  if (!visitor.isActive) return { allowed: false, reason: 'inactive' }
  const lack = lackOf(rule, visitor)
  return lack === undefined ? { allowed: true, reason: 'allowed' } : { allowed: false, reason: lack, lack }
}

function lackOf(rule: CompiledRule, visitor: MemberFacts): Lack | undefined {
  if (rule.plans.length > 0 && !rule.plans.includes(visitor.planId)) return 'plan_required'
  if (rule.features.some((feature) => !visitor.features.has(feature))) return 'feature_required'
  return visitor.days < rule.afterDays ? 'too_new' : undefined
}
