import { type ViewedPage, viewedPages } from '#areas/analytics/service.ts'
import { readPlanIds } from '#areas/plans/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { type CompiledRules, compileRules } from '../checks/compiled-rules.ts'
import { decide, type MemberFacts } from '../checks/decide.ts'
import { findMemberFacts } from '../checks/member-facts-queries.ts'
import { ruleId } from '../ids.ts'
import { type PageUrl, readPageUrl } from '../matching/page-url.ts'
import { activeRules, findRuleRow, type RuleRow } from '../rules/queries.ts'
import { valuesOf } from '../rules/service.ts'
import { DAYS, MOST_NAMED, MOST_PAGES, type Simulate, type Simulation } from './schema.ts'

const DAY_MS = 86_400_000

/** What both sides of a decision are made with. */
interface Facts {
  readonly viewed: readonly ViewedPage[]
  readonly visitors: ReadonlyMap<string, MemberFacts>
  readonly before: CompiledRules
  readonly after: CompiledRules
}

/**
 * Holds the page views of the last 30 days against the rules as they are, and as they would be. Nothing is kept.
 * @param namesMembers whether the caller may know who looked at what, and not only how many
 * @throws ApiError 422 as when the rule is made, or for a rule that there is not
 */
export async function simulate(
  ctx: Context,
  input: Simulate,
  { namesMembers }: { namesMembers: boolean },
): Promise<Simulation> {
  const draft = await draftOf(ctx, input)
  const since = new Date(Date.now() - DAY_MS * DAYS)
  const [rules, found] = await Promise.all([activeRules(ctx), viewedPages(ctx, since, MOST_PAGES + 1)])
  const viewed = found.slice(0, MOST_PAGES)
  const ids = new Set(viewed.flatMap(({ member_id }) => member_id ?? []))
  const visitors = await findMemberFacts(ctx, { ids: [...ids] })
  const others = rules.filter(({ id }) => id !== draft.id)
  const changed = draft.is_active ? [...others, draft] : others
  const facts = { viewed, visitors, before: compileRules(rules), after: compileRules(changed) }
  return {
    since: since.toISOString(),
    views: viewed.reduce((sum, { views }) => sum + views, 0),
    is_complete: found.length <= MOST_PAGES,
    ...compare(facts, namesMembers),
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
  // Who would be told of plans makes no difference to who gets in.
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

function compare(
  { viewed, visitors, before, after }: Facts,
  namesMembers: boolean,
): Pick<Simulation, 'gain' | 'lose'> {
  const gain = new Tally()
  const lose = new Tally()
  for (const view of viewed) {
    const page = readPageUrl(view.host === null ? view.path : `https://${view.host}${view.path}`)
    const visitor = view.member_id === null ? undefined : visitors.get(view.member_id)
    // Somebody who is no member any more neither gains nor loses.
    if (page === undefined || (view.member_id !== null && visitor === undefined)) continue
    const was = isAllowed(before, page, visitor)
    const would = isAllowed(after, page, visitor)
    if (was !== would) (would ? gain : lose).add(view)
  }
  return { gain: gain.toResult(namesMembers), lose: lose.toResult(namesMembers) }
}

const isAllowed = ({ matcher }: CompiledRules, page: PageUrl, visitor: MemberFacts | undefined): boolean =>
  decide(matcher.match(page), visitor).allowed

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
