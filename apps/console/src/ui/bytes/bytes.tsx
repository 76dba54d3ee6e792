import { numberFormat } from '../../data/formats.ts'
import { spokenLanguage } from '../../data/words.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1_024

/** A number of bytes in words, such as "4.2 MB". */
export function bytesInWords(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(STEP)), UNITS.length - 1)
  const format = numberFormat({
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    // "244 byte" is what the short form says of bytes.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / STEP ** power)
}

export function Bytes({ bytes }: { readonly bytes: number }) {
  return <span title={bytes.toLocaleString(spokenLanguage())}>{bytesInWords(bytes)}</span>
}
