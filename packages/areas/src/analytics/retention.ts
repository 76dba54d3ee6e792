import { type Day, dayAt, monthsBefore } from './calendar.ts'
import type { AnalyticsSettings } from './settings.ts'

/** The first day whose events a project keeps. */
export const firstKeptDay = ({ timezone, analytics_retention_months }: AnalyticsSettings, now: number): Day =>
  monthsBefore(dayAt(timezone, now), analytics_retention_months)
