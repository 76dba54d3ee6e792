const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }

interface Props {
  readonly at: string
  /** For what happens often, such as requests. */
  readonly hasSeconds?: boolean
}

/** A moment in the operator's own time zone; its zone and the machine-readable one are said where the pointer rests. */
export function Time({ at, hasSeconds = false }: Props) {
  const language = document.documentElement.lang
  const format = new Intl.DateTimeFormat(language, {
    ...FORMAT,
    timeStyle: hasSeconds ? 'medium' : 'short',
  })
  const inFull = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'full' })
  const moment = new Date(at)
  return (
    <time dateTime={at} title={`${inFull.format(moment)} · ${at}`}>
      {format.format(moment)}
    </time>
  )
}
