const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }

interface Props {
  readonly at: string
  /** For what happens often, such as requests. */
  readonly hasSeconds?: boolean
}

/** A moment in the operator's own time zone; the machine-readable one is with it. */
export function Time({ at, hasSeconds = false }: Props) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    ...FORMAT,
    timeStyle: hasSeconds ? 'medium' : 'short',
  })
  return (
    <time dateTime={at} title={at}>
      {format.format(new Date(at))}
    </time>
  )
}
