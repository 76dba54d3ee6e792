import { toId } from '#platform/ids.ts'
import { ruleId } from '../ids.ts'
import type { FullRule, Rule } from '../schema.ts'

/** What every query for rules reads. */
export interface RuleRow {
  id: string
  url_pattern: string
  required_plans: string[]
  /** Those of them that everybody may see. */
  published_plans: string[]
  required_features: string[]
  after_days: number | null
  free_views: number | null
  redirect_url: string | null
  is_active: boolean
  created_at: string
  updated_at: string
}

/** A rule as the reference shows it. */
export const toRule = ({
  id,
  url_pattern,
  required_plans,
  redirect_url,
  is_active,
  created_at,
}: FullRule): Rule => ({
  id,
  url_pattern,
  required_plans,
  redirect_url,
  is_active,
  created_at,
})

export const toFullRule = ({ required_features, published_plans: _, ...row }: RuleRow): FullRule => ({
  ...row,
  id: toId(ruleId, row.id),
  required_plans: row.required_plans.map((id) => toId('plan', id)),
  features: required_features,
})
