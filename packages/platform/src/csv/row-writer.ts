import { LEAD_BYTES, type Lead, leadWriter } from './lead-columns.ts'

/** A leading column: its name, and how it is written. */
export interface LeadColumn {
  readonly name: string
  readonly as: Lead
}

/** How PostgreSQL sends rows, and how they are written. */
export interface RowFormat {
  /** The options of COPY. */
  readonly copyOptions: string
  /** Separates the leading columns. */
  readonly separator: number
  /** The largest number of bytes that a row gets in addition to its own. */
  readonly overhead: number
  /**
   * Writes one row.
   * @param row as COPY sends it, with its line end
   * @returns the position of the next byte
   */
  write(out: Buffer, at: number, row: Buffer): number
}

/** Lines end as RFC 4180 says; PostgreSQL ends them with a line feed only. */
const CRLF = Buffer.from('\r\n')
const COMMA = 0x2c
const NULL = Buffer.from('null')
const QUOTE = 0x22

/** CSV: the leading columns, then the other columns unchanged. */
export function csvRows(leads: readonly LeadColumn[]): RowFormat {
  const writers = leads.map(({ as }) => leadWriter(as))
  return {
    copyOptions: 'format csv',
    separator: COMMA,
    overhead: leads.length * LEAD_BYTES + CRLF.length,
    write: (out, start, row) => {
      let at = start
      let from = 0
      for (const writer of writers) {
        const to = row.indexOf(COMMA, from)
        at = writer.write(out, at, row, from, to)
        out[at++] = COMMA
        from = to + 1
      }
      at += row.copy(out, at, from, row.length - 1)
      return at + CRLF.copy(out, at)
    },
  }
}

/** These characters do not occur in JSON, so PostgreSQL quotes and escapes nothing. */
const UNIT = 0x02
const JSON_COPY = "format csv, delimiter E'\\x02', quote E'\\x01'"

/**
 * One JSON object in each line: the leading columns are its first members, and the last column is an object with the
 * rest.
 */
export function jsonRows(leads: readonly LeadColumn[]): RowFormat {
  const writers = leads.map(({ as }) => leadWriter(as))
  const names = leads.map(({ name }, i) => Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`))
  const nameBytes = names.reduce((sum, name) => sum + name.length, 0)
  return {
    copyOptions: JSON_COPY,
    separator: UNIT,
    overhead: nameBytes + leads.length * (LEAD_BYTES + NULL.length),
    write: (out, start, row) => {
      let at = start
      let from = 0
      for (let i = 0; i < writers.length; i++) {
        const to = row.indexOf(UNIT, from)
        at += (names[i] as Buffer).copy(out, at)
        if (to === from) at += NULL.copy(out, at)
        else {
          out[at++] = QUOTE
          at = (writers[i] as (typeof writers)[number]).write(out, at, row, from, to)
          out[at++] = QUOTE
        }
        from = to + 1
      }
      // The object continues at the place of its brace.
      if (writers.length > 0) out[at++] = COMMA
      return at + row.copy(out, at, writers.length > 0 ? from + 1 : from)
    },
  }
}

/** A line of CSV by RFC 4180, with its line end. The lines that PostgreSQL writes after it look the same. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Quotes a cell if it must be quoted, and if a reader might trim it or take it for the end of the data. */
const csvCell = (text: string): string =>
  /[",\r\n]|^\s|\s$|^\\\.$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Tells programs that the text is UTF-8, if they would otherwise assume another encoding. */
export const BYTE_ORDER_MARK = '\ufeff'
