import { dateFormat } from '../../data/formats.ts'
import styles from './time.module.css'

const TO_THE_MINUTE: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }
const TO_THE_SECOND: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }
const IN_FULL: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeStyle: 'full' }

interface Props {
  readonly at: string
  /** For what happens often, such as requests. */
  readonly hasSeconds?: boolean
}

/** A moment in the operator's own time zone; its zone and the machine-readable one are said where the pointer rests. */
export function Time({ at, hasSeconds = false }: Props) {
  const moment = new Date(at)
  return (
    <time dateTime={at} className={styles.time} title={`${dateFormat(IN_FULL).format(moment)} · ${at}`}>
      {dateFormat(hasSeconds ? TO_THE_SECOND : TO_THE_MINUTE).format(moment)}
    </time>
  )
}
