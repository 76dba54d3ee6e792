import { numberFormat } from '../../data/formats.ts'
import { t } from '../../data/words.ts'

const FORMAT: Intl.NumberFormatOptions = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

/** A duration with two places, so that those of a column stand below each other. */
export const inMilliseconds = (ms: number): string => t('{ms} ms', { ms: numberFormat(FORMAT).format(ms) })
