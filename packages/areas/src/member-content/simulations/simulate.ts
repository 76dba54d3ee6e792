import type { FastifyRequest } from 'fastify'
import { readViewedPages, type ViewedPage } from '#areas/analytics/service.ts'
import { readPlanIds } from '#areas/plans/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { AsSystem } from '#platform/deps.ts'
import { invalidField } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import type { EventLoopTurns, Slices } from '#platform/threads/event-loop-turns.ts'
import type { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import { type CompiledRules, compileRule } from '../checks/compiled-rules.ts'
import { decide, type MemberFacts } from '../checks/decide.ts'
import { findMemberFacts } from '../checks/queries.ts'
import type { RuleStore } from '../checks/rule-store.ts'
import { ruleId } from '../ids.ts'
import { readPageUrl } from '../matching/page-url.ts'
import { RuleMatcher } from '../matching/rule-matcher.ts'
import { findRuleRow, type RuleRow } from '../rules/queries.ts'
import { valuesOf } from '../rules/service.ts'
import { DAYS, MOST_NAMED, MOST_PAGES, type Simulate, type Simulation } from './schema.ts'

const DAY_MS = 86_400_000

/** What simulations work with. */
export interface SimulationParts {
  readonly asSystem: AsSystem
  readonly rules: RuleStore
  readonly turns: EventLoopTurns
  readonly reports: FairSemaphore
}

/** What both sides of a decision are made with. */
interface Facts {
  readonly since: Date
  /** The most viewed pages, and one more than are looked at where there are more. */
  readonly viewed: readonly ViewedPage[]
  readonly visitors: ReadonlyMap<string, MemberFacts>
  readonly rules: CompiledRules
  /** A new rule, or one as it would be. */
  readonly draft: RuleRow
}

interface Options {
  /** Whether the caller may know who looked at what, and not only how many. */
  readonly namesMembers: boolean
  readonly slices: Slices
}

/**
 * The page views of the last 30 days, the rules as they are, and the one that would be.
 * @throws ApiError 422 as when the rule is made, or for a rule that does not exist; 422 and 503 as for a report
 */
export async function readFacts(
  request: FastifyRequest,
  { asSystem, rules, reports }: SimulationParts,
  input: Simulate,
): Promise<Facts> {
  const { projectId } = callerOf(request)
  const draft = await request.write((ctx) => draftOf(ctx, input))
  const since = new Date(Date.now() - DAY_MS * DAYS)
  const viewed = await readViewedPages(request, reports, { since, limit: MOST_PAGES + 1 })
  const ids = [...new Set(viewed.flatMap(({ member_id }) => member_id ?? []))]
  const { visitors } = await request.read({ visitors: findMemberFacts({ ids }) })
  // Rules are kept in memory, so no replica answers which there are.
  const compiled = await rules.of(projectId, asSystem(projectId, 'content.simulate'))
  return { since, viewed, visitors, rules: compiled, draft }
}

/** Decides about each page by both sets of rules. Nothing is kept. @throws ApiError 503 where too many searches wait */
export async function simulate(facts: Facts, options: Options): Promise<Simulation> {
  const viewed = facts.viewed.slice(0, MOST_PAGES)
  return {
    since: facts.since.toISOString(),
    views: viewed.reduce((sum, { views }) => sum + views, 0),
    is_complete: facts.viewed.length <= MOST_PAGES,
    ...(await compare({ ...facts, viewed }, options)),
  }
}

/**
 * The rule as it would be. One that is new is newer than all others.
 * @throws ApiError 422 as when the rule is made, or for a rule that does not exist
 */
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
  // The plans that a viewer would see do not change the answer.
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
  { viewed, visitors, rules, draft }: Facts,
  { namesMembers, slices }: Options,
): Promise<Pick<Simulation, 'gain' | 'lose'>> {
  const { matcher: before } = rules
  const others = rules.rules.filter(({ id }) => id !== draft.id)
  const changed = draft.is_active ? compileRule(draft) : undefined
  const after = await RuleMatcher.of(changed === undefined ? others : [...others, changed], slices)
  const gain = new Tally()
  const lose = new Tally()
  for (const view of viewed) {
    if (slices.isOver) await slices.next()
    const page = readPageUrl(view.host === null ? view.path : `https://${view.host}${view.path}`)
    const visitor = view.member_id === null ? undefined : visitors.get(view.member_id)
    // Somebody who is no member any more neither gains nor loses.
    if (page === undefined || (view.member_id !== null && visitor === undefined)) continue
    const was = decide(await before.match(page, slices), visitor).allowed
    const would = decide(await after.match(page, slices), visitor).allowed
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
