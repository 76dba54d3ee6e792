import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { LIMIT_NAMES } from '#platform/keys/rate-limits.ts'

/** What is left out stays as it is; null sets the default again. */
export interface LimitChanges {
  /** Requests per minute of each key, in place of the tier's. */
  readonly rateLimit?: number | null | undefined
  /** Other limits by name, per minute. */
  readonly limits?: Readonly<Record<string, number | null>> | undefined
}

/** The largest number that the counters of limits hold. */
const MOST = 2_000_000_000

/** @throws ApiError 422 for a name that no limit has, and for what is no whole number of 1 or more */
export function assertLimits({ rateLimit, limits = {} }: LimitChanges): void {
  const faults = [
    ...limitFaults('rate_limit', rateLimit),
    ...Object.entries(limits).flatMap(([name, value]) =>
      (LIMIT_NAMES as readonly string[]).includes(name)
        ? limitFaults('limits', value, `${name} `)
        : [{ field: 'limits', rule: 'enum', message: `has no ${name}; it has ${LIMIT_NAMES.join(', ')}` }],
    ),
  ]
  if (faults.length > 0) throw invalidBody(faults)
}

/** What is wrong with a limit. */
export function limitFaults(field: string, value: number | null | undefined, name = ''): FieldFault[] {
  if (value === undefined || value === null) return []
  if (Number.isInteger(value) && value >= 1 && value <= MOST) return []
  return [{ field, rule: 'range', message: `${name}must be a whole number from 1 to ${MOST}` }]
}
