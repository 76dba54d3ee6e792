/** A moment in the words of the operator's language, in the operator's own time zone. */
export const formatTime = (at: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(at),
  )
