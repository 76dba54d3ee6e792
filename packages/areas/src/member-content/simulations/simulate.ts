import { type ViewedPage, viewedPages } from '#areas/analytics/service.ts'
import { readPlanIds } from '#areas/plans/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import type { Slices } from '#platform/threads/event-loop-turns.ts'
import { compileRules } from '../checks/compiled-rules.ts'
import { decide, type MemberFacts } from '../checks/decide.ts'
import { findMemberFacts } from '../checks/queries.ts'
import { ruleId } from '../ids.ts'
import { readPageUrl } from '../matching/page-url.ts'
import { activeRules, findRuleRow, type RuleRow } from '../rules/queries.ts'
import { valuesOf } from '../rules/service.ts'
import { DAYS, MOST_NAMED, MOST_PAGES, type Simulate, type Simulation } from './schema.ts'

const DAY_MS = 86_400_000

/** What both sides of a decision are made with. */
interface Facts {
  readonly since: Date
  readonly viewed: readonly ViewedPage[]
  /** Whether these are all pages that were viewed. */
  readonly isComplete: boolean
  readonly visitors: ReadonlyMap<string, MemberFacts>
  readonly rules: readonly RuleRow[]
  /** The rules as they would be. */
  readonly changed: readonly RuleRow[]
}

interface Options {
  /** Whether the caller may know who looked at what, and not only how many. */
  readonly namesMembers: boolean
  readonly slices: Slices
}

/**
 * The page views of the last 30 days, the rules as they are, and the rules as they would be.
 * @throws ApiError 422 as when the rule is made, or for a rule that there is not
 */
export async function readFacts(ctx: Context, input: Simulate): Promise<Facts> {
  const draft = await draftOf(ctx, input)
  const since = new Date(Date.now() - DAY_MS * DAYS)
  const [rules, found] = await Promise.all([
    activeRules(ctx),
    viewedPages(ctx, { since, limit: MOST_PAGES + 1 }),
  ])
  const viewed = found.slice(0, MOST_PAGES)
  const ids = new Set(viewed.flatMap(({ member_id }) => member_id ?? []))
  const visitors = await findMemberFacts(ctx, { ids: [...ids] })
  const others = rules.filter(({ id }) => id !== draft.id)
  const changed = draft.is_active ? [...others, draft] : others
  return { since, viewed, isComplete: found.length <= MOST_PAGES, visitors, rules, changed }
}

/** Decides about each page by both sets of rules. Nothing is kept. @throws ApiError 503 where too many searches wait */
export async function simulate(facts: Facts, options: Options): Promise<Simulation> {
  return {
    since: facts.since.toISOString(),
    views: facts.viewed.reduce((sum, { views }) => sum + views, 0),
    is_complete: facts.isComplete,
    ...(await compare(facts, options)),
  }
}

/** The rule as it would be. One that is new is newer than all others. */
async function draftOf(ctx: Context, { rule_id, ...changes }: Simulate): Promise<RuleRow> {
  const before = rule_id === undefined ? undefined : await ruleOf(ctx, rule_id)
  if (before === undefined && changes.url_pattern === undefined)
    throw invalidField('url_pattern', 'required', 'is required without rule_id')
  const values = valuesOf(before?.id ?? newUuid(), before, changes)
  const required_plans =
    changes.required_plans === undefined
      ? (before?.required_plans ?? [])
      : await readPlanIds(ctx, 'required_plans', changes.required_plans)
  const now = await projectNow(ctx)
  // Who would see the plans makes no difference to who gets in.
  return {
    ...values,
    required_plans,
    published_plans: [],
    created_at: before?.created_at ?? now,
    updated_at: now,
  }
}

async function ruleOf(ctx: Context, id: string): Promise<RuleRow> {
  const uuid = parseId(ruleId, id)
  const rule = uuid === undefined ? undefined : await findRuleRow(ctx, { id: uuid })
  if (rule === undefined) throw invalidField('rule_id', 'exists', 'is not a rule of this project')
  return rule
}

async function compare(
  { viewed, visitors, rules, changed }: Facts,
  { namesMembers, slices }: Options,
): Promise<Pick<Simulation, 'gain' | 'lose'>> {
  const before = compileRules(rules)
  await slices.next()
  const after = compileRules(changed)
  const gain = new Tally()
  const lose = new Tally()
  for (const view of viewed) {
    if (slices.isOver) await slices.next()
    const page = readPageUrl(view.host === null ? view.path : `https://${view.host}${view.path}`)
    const visitor = view.member_id === null ? undefined : visitors.get(view.member_id)
    // Somebody who is no member any more neither gains nor loses.
    if (page === undefined || (view.member_id !== null && visitor === undefined)) continue
    const was = decide(await before.matcher.match(page, slices), visitor).allowed
    const would = decide(await after.matcher.match(page, slices), visitor).allowed
    if (was !== would) (would ? gain : lose).add(view)
  }
  return { gain: gain.toResult(namesMembers), lose: lose.toResult(namesMembers) }
}

/** Adds up whom a change concerns, and on which pages. */
class Tally {
  readonly #members = new Map<string, number>()
  readonly #pages = new Map<string, { host: string | null; path: string; views: number }>()
  #views = 0
  #anonymous = 0

  add({ host, path, member_id, views }: ViewedPage): void {
    this.#views += views
    if (member_id === null) this.#anonymous += views
    else this.#members.set(member_id, (this.#members.get(member_id) ?? 0) + views)
    const key = `${host ?? ''}${path}`
    const page = this.#pages.get(key) ?? { host, path, views: 0 }
    page.views += views
    this.#pages.set(key, page)
  }

  toResult(namesMembers: boolean): Simulation['gain'] {
    const members = [...this.#members].toSorted(([, a], [, b]) => b - a)
    const pages = [...this.#pages.values()].toSorted((a, b) => b.views - a.views)
    return {
      members: members.length,
      member_ids: members.slice(0, namesMembers ? MOST_NAMED : 0).map(([id]) => toId('member', id)),
      views: this.#views,
      anonymous_views: this.#anonymous,
      pages: pages.slice(0, MOST_NAMED),
    }
  }
}
