import { dateFormat } from '../../data/formats.ts'

const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }

/** A moment in the words of the operator's language, in the operator's own time zone. */
export const formatTime = (at: string): string => dateFormat(FORMAT).format(new Date(at))
