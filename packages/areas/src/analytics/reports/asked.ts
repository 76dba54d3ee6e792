import type { ApiError, FieldFault } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { isTimeZone } from '#platform/values/time-zone.ts'
import type { Day } from '../calendar.ts'
import type { Goal } from '../goals/goal.ts'
import { allGoals } from '../goals/queries.ts'
import { goalId } from '../ids.ts'
import { firstKeptDay, readSettings } from '../settings.ts'
import type { Filter } from './filters.ts'
import type { Bots } from './hits.ts'
import { METRICS, type Metric } from './metrics.ts'
import { areProjectHours, type Interval, type Period, periodOf, pointsOf, reportDays } from './period.ts'
import type { Reports } from './report.ts'
import type { ReportRequest } from './report-sql.ts'

/** Makes the error of faults: 400 for a query string, 422 for a body. */
export type Fail = (faults: readonly FieldFault[]) => ApiError

/** What all reports can be asked. */
export interface Asked {
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
  readonly timezone?: string | undefined
  readonly bots?: Bots | undefined
  readonly goal?: string | undefined
  readonly recount?: boolean | undefined
}

/** What is known when a report begins. */
export interface Scope {
  /** The project's. */
  readonly projectZone: string
  /** What happened before it is not kept. */
  readonly firstDay: Day
  readonly goals: readonly Goal[]
  readonly period: Period
  readonly bots: Bots
  readonly recount: boolean
}

/** @throws what `fail` makes of a zone that is none, or a range that cannot be, or a goal that is missing */
export async function scopeOf(data: Reports, asked: Asked, now: number, fail: Fail): Promise<Scope> {
  const { settings, goals } = await data.read({ settings: readSettings(), goals: allGoals() })
  const zone = asked.timezone ?? settings.timezone
  if (!isTimeZone(zone))
    throw fail([
      { field: 'timezone', rule: 'timezone', message: 'must be an IANA time zone, like Europe/Berlin' },
    ])
  return {
    projectZone: settings.timezone,
    firstDay: firstKeptDay(settings, now),
    goals: asked.goal === undefined ? goals : [goalNamed(goals, asked.goal, fail)],
    period: periodOf(zone, asked, now, fail),
    bots: asked.bots ?? 'exclude',
    recount: asked.recount ?? false,
  }
}

function goalNamed(goals: readonly Goal[], id: string, fail: Fail): Goal {
  const uuid = parseId(goalId, id)
  const goal = goals.find((each) => each.id === uuid)
  if (uuid === undefined || goal === undefined)
    throw fail([{ field: 'goal', rule: 'exists', message: 'is not a goal of this project' }])
  return goal
}

/** A report of a scope. */
export function requestOf(
  scope: Scope,
  wanted: {
    readonly metrics: readonly Metric[]
    readonly filters?: readonly Filter[]
    readonly dimensions?: ReportRequest['dimensions']
    readonly interval?: Interval
    readonly period?: Period
    readonly order?: ReportRequest['order']
    readonly after?: ReportRequest['after']
    readonly limit?: number
    readonly only?: ReportRequest['only']
  },
  fail: Fail,
): ReportRequest & { readonly starts: readonly number[] } {
  const { projectZone, firstDay, goals, bots, recount } = scope
  const { metrics, filters = [], dimensions = [], interval, period = scope.period } = wanted
  const points = interval && pointsOf(period, interval, fail)
  const byHour = interval === 'hour'
  const canUseHours = !byHour || areProjectHours(projectZone, period)
  return {
    zone: projectZone,
    days: reportDays(projectZone, period, points, byHour).filter(({ day }) => day >= firstDay),
    byHour,
    recount: recount || !canUseHours,
    withMembers: metrics.includes('members'),
    dimensions,
    filters,
    goals,
    bots,
    from: new Date(period.from),
    until: new Date(period.until),
    points: points?.map((point) => new Date(point)),
    starts: points ?? [],
    ...(wanted.order && { order: wanted.order }),
    ...(wanted.after && { after: wanted.after }),
    ...(wanted.limit !== undefined && { limit: wanted.limit }),
    ...(wanted.only && { only: wanted.only }),
  }
}

/** Metrics of a comma-separated list; all where it is left out. */
export function metricsOf(text: string | undefined, fail: Fail): readonly Metric[] {
  if (text === undefined) return METRICS
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !(METRICS as readonly string[]).includes(name))
  if (unknown.length > 0)
    throw fail([
      { field: 'metric', rule: 'enum', message: `has an unknown metric. Known: ${METRICS.join(', ')}` },
    ])
  return [...new Set(names)] as Metric[]
}
