/** By language and zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day of a moment as people read it: `March 1, 2027` in English.
 * @param language a BCP 47 tag
 * @param timeZone the IANA zone whose day it is
 */
export function formatDate(
  at: string,
  { language, timeZone }: { language: string; timeZone: string },
): string {
  const key = `${language} ${timeZone}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone })
    formats.set(key, format)
  }
  return format.format(new Date(at))
}
