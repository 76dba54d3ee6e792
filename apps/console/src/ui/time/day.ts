const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone: 'UTC' }

/** A day such as `2026-11-21` in words. It is a day of the project, and the same in every time zone. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, FORMAT).format(new Date(`${day}T00:00:00Z`))
