import { LRUCache } from 'lru-cache'
import { defineLookup, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { AsSystem } from '#platform/deps.ts'
import { type Day, dayAt, monthsBefore } from './calendar.ts'

/** What a project says of its analytics. */
export interface AnalyticsSettings {
  /** Whose days are the project's days. */
  readonly timezone: string
  readonly respect_do_not_track: boolean
  readonly analytics_retention_months: number
}

/** A project that only tests of the data layer know has none. */
const DEFAULTS = { timezone: 'UTC', respect_do_not_track: false, analytics_retention_months: 24 }

const projectSettings = defineLookup('analytics_settings', () =>
  query.selectFrom('projects').select(['timezone', 'respect_do_not_track', 'analytics_retention_months']),
).first()
export const readSettings = deriveQuery(() =>
  mapAnswer(projectSettings(), (row): AnalyticsSettings => row ?? DEFAULTS),
)

/** The first day whose events a project keeps. */
export const firstKeptDay = ({ timezone, analytics_retention_months }: AnalyticsSettings, now: number): Day =>
  monthsBefore(dayAt(timezone, now), analytics_retention_months)

/** A change is followed after this long. */
const TRUST_MS = 5_000
const CAPACITY = 10_000

/** Settings of projects, kept for seconds: every event needs them. */
export class KnownSettings {
  readonly #asSystem: AsSystem
  readonly #known = new LRUCache<string, Promise<AnalyticsSettings>>({ max: CAPACITY, ttl: TRUST_MS })

  constructor(asSystem: AsSystem) {
    this.#asSystem = asSystem
  }

  of(projectId: string): Promise<AnalyticsSettings> {
    const known = this.#known.get(projectId)
    if (known) return known
    const asked = this.#asSystem(projectId, 'analytics settings')
      .read({ settings: readSettings() })
      .then(({ settings }) => settings)
    this.#known.set(projectId, asked)
    asked.catch(() => this.#known.delete(projectId))
    return asked
  }

  /** Forgets what is known of a project. */
  forget(projectId: string): void {
    this.#known.delete(projectId)
  }
}
