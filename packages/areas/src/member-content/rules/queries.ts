import { sql } from 'kysely'
import { publishedPlans } from '#areas/plans/service.ts'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { MOST_RULES, ruleLimit } from '../errors.ts'
import type { RuleRow } from './rows.ts'

const rules = () =>
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
    .select(
      publishedPlans(
        sql`array(select plan_id from content_rule_plans as p where p.rule_id = r.id order by place)`,
      ).as('published_plans'),
    )

const byId = lookup('content_rule_by_id', (v: { id: string }) => rules().where('r.id', '=', v.id))

/** @throws ApiError 404 */
export const getRule = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Rule')

/** The same, undefined where there is none. */
export const findRule = (ctx: Context, id: string) => ctx.tx.first(byId, { id })

/** The newest first. */
export const listRules = defineList({
  label: 'content_rules',
  rows: () => rules(),
  key: 'r.id',
  filters: { is_active: equals<boolean>('r.is_active') },
})

const active = statement('content_rules_active', () =>
  rules().where('r.is_active', '=', true).orderBy('r.id'),
)

/** All rules that protect, the oldest first. */
export const activeRules = (ctx: Context) => ctx.tx.all(active, {})

export type RuleValues = Omit<RuleRow, 'required_plans' | 'published_plans' | 'created_at' | 'updated_at'>

const columns = (v: RuleValues) => ({
  url_pattern: v.url_pattern,
  required_features: v.required_features,
  after_days: v.after_days,
  free_views: v.free_views,
  redirect_url: v.redirect_url,
  is_active: v.is_active,
})

const insert = statement('insert_content_rule', (v: RuleValues) =>
  query
    .insertInto('content_rules')
    .values({ ...columns(v), id: v.id, created_at: now, updated_at: now })
    .returning(sql<number>`(select count(*) from content_rules)`.as('others')),
)

/** @throws ApiError 422 RULE_LIMIT */
export async function insertRuleRow(ctx: Context, rule: RuleValues): Promise<void> {
  const { others } = await ctx.tx.single(insert, rule)
  if (others >= MOST_RULES) throw ruleLimit()
}

const update = statement('update_content_rule', (v: RuleValues) =>
  query
    .updateTable('content_rules')
    .set({ ...columns(v), updated_at: now })
    .where('id', '=', v.id),
)
export const updateRuleRow = (ctx: Context, rule: RuleValues) => ctx.tx.run(update, rule)

const lock = statement('lock_content_rule', (v: { id: string }) =>
  query.selectFrom('content_rules').select('id').where('id', '=', v.id).forUpdate(),
)

/** Changes of one rule wait for each other. @throws ApiError 404 */
export const lockRule = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Rule')

const clearPlans = statement('clear_content_rule_plans', (v: { id: string }) =>
  query.deleteFrom('content_rule_plans').where('rule_id', '=', v.id),
)
const addPlans = statement(
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
export async function setPlans(ctx: Context, id: string, plans: readonly string[]): Promise<void> {
  const cleared = ctx.tx.run(clearPlans, { id })
  await cleared.and(ctx.tx.run(addPlans, { id, plans }))
}

const remove = statement('delete_content_rule', (v: { id: string }) =>
  query.deleteFrom('content_rules').where('id', '=', v.id).returning('id'),
)

/** @throws ApiError 404 */
export const deleteRuleRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Rule')
