const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** A moment in the operator's own time zone; the machine-readable one is with it. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={at}>
      {new Intl.DateTimeFormat(document.documentElement.lang, FORMAT).format(date)}
    </time>
  )
}
