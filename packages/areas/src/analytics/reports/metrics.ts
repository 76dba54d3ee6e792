import { type RawBuilder, sql } from 'kysely'

/** What reports count. */
export const METRICS = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'bounce_rate',
  'visit_duration',
  'views_per_visit',
  'conversions',
  'conversion_rate',
  'members',
] as const
export type Metric = (typeof METRICS)[number]
export type MetricValues = { [M in Metric]?: number }

/** What the numbers of a group are made of: whole numbers that can be added up over days. */
export interface Sums {
  readonly visitors: number
  readonly visits: number
  readonly pageviews: number
  readonly events: number
  readonly bounces: number
  readonly duration_ms: number
  readonly visit_views: number
  readonly conversions: number
  readonly converted: number
  readonly members: number
}

export const SUMS = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'bounces',
  'duration_ms',
  'visit_views',
  'conversions',
  'converted',
] as const

export const NOTHING: Sums = {
  visitors: 0,
  visits: 0,
  pageviews: 0,
  events: 0,
  bounces: 0,
  duration_ms: 0,
  visit_views: 0,
  conversions: 0,
  converted: 0,
  members: 0,
}

/** To hundredths; 0 of nothing. Multiplied first, so that a half is exactly a half and is rounded up. */
const ratio = (part: number, whole: number, factor = 1) =>
  whole === 0 ? 0 : Math.round((part * factor * 100) / whole) / 100

const VALUES: { readonly [M in Metric]: (sums: Sums) => number } = {
  visitors: (sums) => sums.visitors,
  visits: (sums) => sums.visits,
  pageviews: (sums) => sums.pageviews,
  events: (sums) => sums.events,
  bounce_rate: (sums) => ratio(sums.bounces, sums.visits, 100),
  visit_duration: (sums) => ratio(sums.duration_ms, sums.visits * 1_000),
  views_per_visit: (sums) => ratio(sums.visit_views, sums.visits),
  conversions: (sums) => sums.conversions,
  conversion_rate: (sums) => ratio(sums.converted, sums.visitors, 100),
  members: (sums) => sums.members,
}

export const valuesOf = (metrics: readonly Metric[], sums: Sums): MetricValues =>
  Object.fromEntries(metrics.map((metric) => [metric, VALUES[metric](sums)]))

/** What groups are put in order by: the metric, without its rounding. */
export const orderOf: { readonly [M in Metric]: RawBuilder<number> } = {
  visitors: sql`visitors`,
  visits: sql`visits`,
  pageviews: sql`pageviews`,
  events: sql`events`,
  bounce_rate: sql`coalesce(bounces::float8 / nullif(visits, 0), 0)`,
  visit_duration: sql`coalesce(duration_ms::float8 / nullif(visits, 0), 0)`,
  views_per_visit: sql`coalesce(visit_views::float8 / nullif(visits, 0), 0)`,
  conversions: sql`conversions`,
  conversion_rate: sql`coalesce(converted::float8 / nullif(visitors, 0), 0)`,
  members: sql`members`,
}
