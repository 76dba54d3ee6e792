import { type RawBuilder, sql } from 'kysely'

/** What is the same for a whole visit: what its first page view says, or its first event where it has none. */
export const VISIT_ATTRIBUTES = [
  'referrer',
  'source',
  'channel',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'country',
  'device',
  'browser',
  'os',
] as const
type VisitAttribute = (typeof VISIT_ATTRIBUTES)[number]

/** Of a visit. */
export const VISIT_DIMENSIONS = ['entry_page', 'exit_page', ...VISIT_ATTRIBUTES] as const
/** Of an event. */
export const EVENT_DIMENSIONS = ['page', 'event'] as const
export const DIMENSIONS = [...EVENT_DIMENSIONS, ...VISIT_DIMENSIONS] as const
export type NamedDimension = (typeof DIMENSIONS)[number]
/** One of those, or `property:` and the name of a property. */
export type Dimension = NamedDimension | `property:${string}`

const PROPERTY = 'property:'
const LONGEST_PROPERTY = 120

/** What a text names, or undefined. */
export function parseDimension(text: string): Dimension | undefined {
  if ((DIMENSIONS as readonly string[]).includes(text)) return text as NamedDimension
  const name = text.startsWith(PROPERTY) ? text.slice(PROPERTY.length) : ''
  return name !== '' && name.length <= LONGEST_PROPERTY ? (text as Dimension) : undefined
}

/** Whether a dimension is rolled up: all are, but for properties, of which there can be any number. */
export const isRolledUp = (dimension: Dimension): dimension is NamedDimension =>
  !dimension.startsWith(PROPERTY)

export const isOfVisit = (dimension: Dimension): boolean =>
  (VISIT_DIMENSIONS as readonly string[]).includes(dimension)

/** Whether its values are paths, or hosts with paths. */
export const isOfPaths = (dimension: Dimension): boolean =>
  dimension === 'referrer' || columnOf(dimension) === 'path'

/** The value of an event `n` in its visit `v`; null where it has none. */
export function valueFor(dimension: Dimension): RawBuilder<string | null> {
  if (dimension === 'page') return sql`(case when n.name is null then n.path end)`
  if (dimension === 'event') return sql`n.name`
  if (isOfVisit(dimension)) return sql`v.${sql.raw(dimension)}`
  return sql`(n.properties ->> ${dimension.slice(PROPERTY.length)}::text)`
}

/** How a visit comes by the value of a dimension: from its event `f`, or its last page view `l`. */
export function ofVisit(dimension: Dimension): RawBuilder<string | null> {
  if (dimension === 'entry_page') return sql`case when f.name is null then f.path end as entry_page`
  if (dimension === 'exit_page') return sql`l.path as exit_page`
  return sql`f.${sql.raw(dimension as VisitAttribute)}`
}

/** The column of events that a dimension is read from. */
export function columnOf(dimension: Dimension): string {
  if (dimension === 'page' || dimension === 'entry_page' || dimension === 'exit_page') return 'path'
  if (dimension === 'event') return 'name'
  return isRolledUp(dimension) ? dimension : 'properties'
}
