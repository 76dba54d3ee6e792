import { dateFormat } from '../../data/formats.ts'

const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone: 'UTC' }

/** A day such as `2026-11-21` in words. It is a day of the project, and the same in every time zone. */
export const formatDay = (day: string): string => dateFormat(FORMAT).format(new Date(`${day}T00:00:00Z`))

const MONTH: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric', timeZone: 'UTC' }

/** A month such as `2026-11` in words. */
export const formatMonth = (month: string): string =>
  dateFormat(MONTH).format(new Date(`${month}-01T00:00:00Z`))
