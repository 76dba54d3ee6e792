import { LRUCache } from 'lru-cache'
import { defineLookup, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { AsSystem } from '#platform/deps.ts'
import { invalidField } from '#platform/errors.ts'
import { defineSettings } from '#platform/settings.ts'
import { type Day, dayAt, monthsBefore } from './calendar.ts'

/** The settings of the area. */
interface OwnSettings {
  readonly respect_do_not_track: boolean
  readonly analytics_retention_months: number
}
/** What a project says of its analytics. */
export interface AnalyticsSettings extends OwnSettings {
  /** Whose days are the project's days. */
  readonly timezone: string
}

/** For how many months events are kept where the project has not set it. */
export const RETENTION_MONTHS = 24
const DEFAULTS: OwnSettings = { respect_do_not_track: false, analytics_retention_months: RETENTION_MONTHS }
const settings = defineSettings<OwnSettings>('analytics_settings', DEFAULTS)
/** How analytics of the project work. */
export const findAnalyticsSettings = settings.find

const projectSettings = defineLookup('analytics_settings_and_zone', () =>
  query
    .selectFrom('projects as p')
    .leftJoin('analytics_settings as s', 's.project_id', 'p.id')
    .select(['p.timezone', 's.respect_do_not_track', 's.analytics_retention_months']),
).first()
/** A project that only tests of the data layer know has a zone, too. */
export const readSettings = deriveQuery(() =>
  mapAnswer(
    projectSettings(),
    (row): AnalyticsSettings => ({
      timezone: row?.timezone ?? 'UTC',
      respect_do_not_track: row?.respect_do_not_track ?? DEFAULTS.respect_do_not_track,
      analytics_retention_months: row?.analytics_retention_months ?? RETENTION_MONTHS,
    }),
  ),
)

/** What is left out stays as it is. */
export interface AnalyticsSettingsChanges {
  readonly analyticsRetentionMonths?: number | undefined
  readonly respectDoNotTrack?: boolean | undefined
}

/** @throws ApiError 422 */
export function assertAnalyticsSettings({
  analyticsRetentionMonths: months = RETENTION_MONTHS,
}: AnalyticsSettingsChanges): void {
  if (!(Number.isInteger(months) && months >= 1 && months <= 120))
    throw invalidField('analytics_retention_months', 'range', 'must be a whole number from 1 to 120')
}

/** Changes what is given and nothing else. @throws ApiError 422 */
export async function updateAnalyticsSettings(
  ctx: Context,
  changes: AnalyticsSettingsChanges,
): Promise<OwnSettings> {
  assertAnalyticsSettings(changes)
  const { analyticsRetentionMonths, respectDoNotTrack } = changes
  return settings.change(ctx, {
    respect_do_not_track: respectDoNotTrack,
    analytics_retention_months: analyticsRetentionMonths,
  })
}

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
