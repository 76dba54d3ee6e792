import { readPlanIds } from '#areas/plans/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { ruleCreated, ruleDeleted } from '../events.ts'
import { ruleId } from '../ids.ts'
import { MOST_SEGMENTS, MOST_WILDCARDS, type Pattern, readPattern } from '../matching/pattern.ts'
import type { FullRule, NewRule, RuleChanges } from '../schema.ts'
import {
  getRule,
  insertRule,
  lockRule,
  patchRule,
  type RuleRow,
  type RuleValues,
  removeRule,
  setPlans,
} from './queries.ts'

/** @throws ApiError 422 for a pattern that is none, or a plan that does not exist */
export async function createRule(ctx: Context, input: NewRule): Promise<FullRule> {
  const id = newUuid()
  const plans = await readPlanIds(ctx, 'required_plans', input.required_plans ?? [])
  insertRule(ctx, valuesOf(id, undefined, input))
  if (plans.length > 0) setPlans(ctx, id, plans)
  const rule = await getRule(ctx, { id })
  emit(ctx, ruleCreated, rule)
  return rule
}

/** Changes what is given and nothing else. @throws ApiError 404; 422 for a pattern that is none, or a plan that does not exist */
export async function updateRule(ctx: Context, id: string, changes: RuleChanges): Promise<FullRule> {
  await lockRule(ctx, { id })
  const { url_pattern } = changes
  // A pattern that is sent back as it is may have more wildcards and segments than a new one.
  if (url_pattern !== undefined && url_pattern !== (await getRule(ctx, { id })).url_pattern)
    assertPattern(url_pattern)
  if (changes.required_plans !== undefined)
    setPlans(ctx, id, await readPlanIds(ctx, 'required_plans', changes.required_plans))
  return patchRule(ctx, { id, changes, ifMatch: undefined })
}

/** @throws ApiError 404 */
export async function deleteRule(ctx: Context, id: string): Promise<void> {
  const before = await getRule(ctx, { id })
  removeRule(ctx, { id })
  const deleted = { id: toId(ruleId, id) }
  audit(ctx, { action: 'content_rule.delete', target: deleted.id, before })
  emit(ctx, ruleDeleted, deleted)
}

/** @throws ApiError 422 for a pattern that is none, or has too many wildcards or segments */
function assertPattern(text: string): void {
  const pattern = readPattern(text)
  const fault = typeof pattern === 'string' ? pattern : excessOf(pattern)
  if (fault) throw invalidField('url_pattern', 'pattern', fault)
}

/** What a pattern has too much of, where it does. */
function excessOf({ wildcards, segments }: Pattern): string | undefined {
  if (wildcards > MOST_WILDCARDS) return `must have at most ${MOST_WILDCARDS} wildcards (* or **)`
  return segments > MOST_SEGMENTS
    ? `must have at most ${MOST_SEGMENTS} segments; each ** inside a segment doubles their number`
    : undefined
}

const NEW_RULE = { url_pattern: '', after_days: null, free_views: null, redirect_url: null, is_active: true }

/** A rule as it is made, or would be. @throws ApiError 422 for a pattern that is none */
export function valuesOf(id: string, before: RuleRow | undefined, input: RuleChanges): RuleValues {
  const { features: required_features = before?.required_features ?? [], ...changes } = input
  const after = { ...NEW_RULE, ...before, ...changes }
  const { url_pattern, redirect_url, is_active, after_days, free_views } = after
  if (url_pattern !== before?.url_pattern) assertPattern(url_pattern)
  return { id, url_pattern, required_features, after_days, free_views, redirect_url, is_active }
}
