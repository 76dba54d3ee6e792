import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { requestOf, scopeOf } from '../asked.ts'
import type { Filter } from '../filters.ts'
import { METRICS, type Metric, type MetricValues, NOTHING, valuesOf } from '../metrics.ts'
import { INTERVALS, type Interval, previousOf } from '../period.ts'
import { type Reports, readReport } from '../report.ts'
import type { ReportRequest, ReportRow } from '../report-sql.ts'
import { DIMENSIONS, type Dimension, parseDimension } from './dimensions.ts'
import type { FilterBody, QueryBody } from './query-schema.ts'

const TIME = 'time:'
const USUAL_LIMIT = 100

/** A group of a query, as clients see it. */
export interface QueryGroup {
  readonly dimensions: Record<string, string | null>
  readonly metrics: MetricValues
  readonly previous?: MetricValues
}

/**
 * Answers a query: metrics by dimensions.
 * @throws ApiError 422 for dimensions that do not exist, and ranges that cannot be
 */
export async function answerQuery(data: Reports, body: QueryBody, now: number): Promise<QueryGroup[]> {
  const asked = { ...body.date_range, timezone: body.timezone, bots: body.bots, goal: body.goal }
  const { interval, dimensions } = splitDimensions(body.dimensions ?? [])
  const filters = toFilters(body.filters ?? [], 'filters')
  const order = orderOfQuery(body, dimensions, interval)
  const scope = await scopeOf(data, asked, now, invalidBody)
  const wanted = { metrics: body.metrics, dimensions, filters, ...(interval && { interval }) }
  const limit = body.limit ?? USUAL_LIMIT
  const report = requestOf(scope, { ...wanted, order, limit }, invalidBody)
  const rows = await readReport(data, report)
  const found = rows.length === 0 && dimensions.length === 0 && !interval ? [EMPTY] : rows
  const keyOf = (row: ReportRow) => JSON.stringify([row.bucket, ...row.values])
  let earlier: Map<string, ReportRow> | undefined
  if (body.compare !== undefined) {
    // Of the period before nothing is read but what is shown: it may have had millions of other groups.
    const before = requestOf(scope, { ...wanted, period: previousOf(scope.period), only: found }, invalidBody)
    earlier = new Map((await readReport(data, before)).map((row) => [keyOf(row), row]))
  }
  return found.map((row) => ({
    dimensions: Object.fromEntries([
      ...dimensions.map((dimension, i) => [dimension, row.values[i] ?? null]),
      ...(interval ? [[TIME + interval, new Date(report.starts[row.bucket - 1] ?? 0).toISOString()]] : []),
    ]),
    metrics: valuesOf(body.metrics, row),
    ...(earlier && { previous: valuesOf(body.metrics, earlier.get(keyOf(row)) ?? NOTHING) }),
  }))
}

const EMPTY: ReportRow = { ...NOTHING, bucket: 1, values: [], rank: 0 }

function splitDimensions(names: readonly string[]): { interval?: Interval; dimensions: Dimension[] } {
  const faults: FieldFault[] = []
  const dimensions: Dimension[] = []
  let interval: Interval | undefined
  for (const [i, name] of names.entries()) {
    const fault = (message: string) => faults.push({ field: `dimensions[${i}]`, rule: 'dimension', message })
    const time = name.startsWith(TIME)
      ? INTERVALS.find((each) => each === name.slice(TIME.length))
      : undefined
    const dimension = parseDimension(name)
    if (time !== undefined && interval !== undefined) fault('is a second time dimension: only one is allowed')
    else if (time !== undefined) interval = time
    else if (dimension === undefined) fault(KNOWN)
    else if (dimensions.length === 3) fault('is a fourth dimension: at most three are allowed')
    else dimensions.push(dimension)
  }
  if (faults.length > 0) throw invalidBody(faults)
  return { dimensions, ...(interval && { interval }) }
}

const KNOWN = `is an unknown dimension. Known: ${DIMENSIONS.join(', ')}, property:<name>, and time: with ${INTERVALS.join(', ')}`

/** @param field where they were sent @throws ApiError 422 */
export function toFilters(given: readonly FilterBody[], field: string): Filter[] {
  const faults: FieldFault[] = []
  const filters = given.flatMap(({ dimension: name, operator = 'is', values }, i): Filter[] => {
    const dimension = parseDimension(name)
    if (dimension === undefined)
      faults.push({ field: `${field}[${i}].dimension`, rule: 'dimension', message: KNOWN })
    return dimension === undefined ? [] : [{ dimension, operator, values }]
  })
  if (faults.length > 0) throw invalidBody(faults)
  return filters
}

function orderOfQuery(
  { metrics, order_by }: QueryBody,
  dimensions: readonly Dimension[],
  interval: Interval | undefined,
): NonNullable<ReportRequest['order']> {
  if (order_by === undefined)
    return interval
      ? [{ by: 'bucket', descending: false }]
      : [{ by: metrics[0] ?? 'visitors', descending: true }]
  return order_by.map(({ field, direction = 'desc' }, i) => {
    const descending = direction === 'desc'
    if (interval && field === TIME + interval) return { by: 'bucket', descending }
    const place = dimensions.indexOf(field as Dimension)
    if (place >= 0) return { by: place, descending }
    if ((METRICS as readonly string[]).includes(field) && metrics.includes(field as Metric))
      return { by: field as Metric, descending }
    throw invalidBody([
      {
        field: `order_by[${i}].field`,
        rule: 'field',
        message: 'must be a metric or dimension of this query',
      },
    ])
  })
}
