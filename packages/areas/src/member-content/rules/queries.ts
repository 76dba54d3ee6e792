import { type InferResult, sql } from 'kysely'
import { publishedPlans } from '#areas/plans/service.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, condition, contains, equals } from '#platform/lists/list-filters.ts'
import { ruleUpdated } from '../events.ts'
import { ruleId } from '../ids.ts'
import { MOST_WILDCARDS, readPattern } from '../matching/pattern.ts'
import { type FullRule, RuleChanges } from '../schema.ts'

const shownRules = () =>
  query
    .selectFrom('content_rules as r')
    .select([
      'r.id',
      'r.url_pattern',
      'r.required_features',
      'r.after_days',
      'r.free_views',
      'r.redirect_url',
    ])
    .select(['r.is_active', 'r.created_at', 'r.updated_at'])
    .select(
      sql<
        string[]
      >`array(select plan_id from content_rule_plans as p where p.rule_id = r.id order by place)`.as(
        'required_plans',
      ),
    )

/** With what checks ask for. A list of a hundred rules with a hundred plans each does not look for all of them. */
const rules = () =>
  shownRules().select(
    publishedPlans(
      sql`array(select plan_id from content_rule_plans as p where p.rule_id = r.id order by place)`,
    ).as('published_plans'),
  )

/** `published_plans` are those of `required_plans` that everybody may see. */
export type RuleRow = InferResult<ReturnType<typeof rules>>[number]

type ShownRow = Omit<RuleRow, 'published_plans'> & Partial<RuleRow>

/** A row as clients see it. */
const toRule = ({ required_features, published_plans: _, ...row }: ShownRow): FullRule => ({
  ...row,
  id: toId(ruleId, row.id),
  required_plans: row.required_plans.map((id) => toId('plan', id)),
  features: required_features,
})

const ruleById = defineLookup('content_rule_by_id', (v: { id: string }) => rules().where('r.id', '=', v.id))
/** @throws ApiError 404 */
export const getRule = ruleById.map(toRule).one('Rule')
/** The same as it is stored, or undefined. */
export const findRuleRow = ruleById.first()

/** The newest first. */
export const listRules = defineList({
  label: 'content_rules',
  rows: shownRules,
  map: toRule,
  key: 'r.id',
  filters: {
    is_active: equals<boolean>('r.is_active'),
    plan_id: condition<string>(
      (plan) => sql`r.id in (select o.rule_id from content_rule_plans as o where o.plan_id = ${plan}::uuid)`,
      (id) => parseId('plan', id),
    ),
    ...between('r.created_at'),
  },
  search: contains('r.url_pattern'),
  sorts: { created_at: ['r.created_at', 'timestamptz'], url_pattern: ['r.url_pattern', 'text'] },
})

/** All rules that protect, the oldest first. */
export const activeRules = defineQuery('content_rules_active', () =>
  rules().where('r.is_active', '=', true).orderBy('r.id'),
)

export type RuleValues = Omit<RuleRow, 'required_plans' | 'published_plans' | 'created_at' | 'updated_at'>

export const insertRule = defineQuery('insert_content_rule', (v: RuleValues) =>
  query
    .insertInto('content_rules')
    .values({
      ...pick(v, 'id', 'url_pattern', 'required_features', 'after_days', 'free_views', 'redirect_url'),
      ...pick(v, 'is_active'),
      created_at: now,
      updated_at: now,
    })
    .returning('id'),
)

/** Changes what is sent, but the plans: see `setPlans`. @throws ApiError 404 */
export const patchRule = definePatch('content_rules', {
  body: RuleChanges,
  current: getRule,
  columns: ['url_pattern', 'after_days', 'free_views', 'redirect_url', 'is_active'],
  fields: {
    features: field(
      (features: readonly string[]) => ({ features }),
      (v) => ({ required_features: v.features }),
    ),
    required_plans: field(
      () => ({}),
      () => ({}),
    ),
  },
  also: { updated_at: now },
  announce: (ctx, rule) => emit(ctx, ruleUpdated, rule),
})

/** Changes of one rule wait for each other. @throws ApiError 404 */
export const lockRule = defineQuery('lock_content_rule', (v: { id: string }) =>
  query.selectFrom('content_rules').select('id').where('id', '=', v.id).forUpdate(),
).one('Rule')

const clearPlans = defineQuery('clear_content_rule_plans', (v: { id: string }) =>
  query.deleteFrom('content_rule_plans').where('rule_id', '=', v.id),
)
const addPlans = defineQuery(
  'add_content_rule_plans',
  (v: { id: string; plans: readonly string[] }) =>
    query
      .insertInto('content_rule_plans')
      .columns(['rule_id', 'plan_id', 'place'])
      .expression(
        sql`select ${v.id}::uuid, p.id, p.place from unnest(${v.plans}::uuid[]) with ordinality as p (id, place)`,
      ),
  // A plan that was deleted since it was looked for.
  {
    content_rule_plans_plan_fkey: (cause) =>
      invalidField('required_plans', 'exists', 'has a plan that was just deleted', cause),
  },
)

/** @throws ApiError 422 for a plan that was deleted meanwhile */
export function setPlans(ctx: Context, id: string, plans: readonly string[]): void {
  clearPlans(ctx, { id })
  addPlans(ctx, { id, plans })
}

/** @throws ApiError 404 */
export const removeRule = defineQuery('delete_content_rule', (v: { id: string }) =>
  query.deleteFrom('content_rules').where('id', '=', v.id).returning('id'),
).one('Rule')

const listPatterns = defineQuery('content_rule_patterns', () =>
  query.selectFrom('content_rules').select(['id', 'url_pattern']).orderBy('id'),
)

/** Rules with more wildcards than a new one may have: made before there was a limit. They work, but checks of them are slow. */
export async function listRulesWithManyWildcards(data: ProjectData) {
  const { rules } = await data.read({ rules: listPatterns() })
  return rules.flatMap(({ id, url_pattern }) => {
    const pattern = readPattern(url_pattern)
    if (typeof pattern === 'string' || pattern.wildcards <= MOST_WILDCARDS) return []
    return [{ rule_id: toId(ruleId, id), url_pattern, wildcards: pattern.wildcards }]
  })
}
