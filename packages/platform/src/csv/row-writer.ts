import { LEAD_BYTES, type Lead, leadWriter } from './lead-columns.ts'

/** A leading column: its name, and how it is shown. */
export interface LeadColumn {
  readonly name: string
  readonly as: Lead
}

/** How rows come from PostgreSQL, and how they leave. */
export interface RowFormat {
  /** Options of COPY. */
  readonly copyOptions: string
  /** Separates the leading columns. */
  readonly separator: number
  /** What a row brings beside its own bytes, at the most. */
  readonly overhead: number
  /**
   * Writes one row.
   * @param bytes in which it lies as COPY sends it, with its end
   * @returns where the next byte goes
   */
  write(out: Buffer, at: number, bytes: Buffer, from: number, to: number): number
}

/** Lines end as RFC 4180 has it; PostgreSQL's end with a line feed alone. */
const CR = 0x0d
const LF = 0x0a
const CRLF_BYTES = 2
const COMMA = 0x2c
const NULL = Buffer.from('null')
const QUOTE = 0x22

/** CSV: leading columns, then others as they are. */
export function csvRows(leads: readonly LeadColumn[]): RowFormat {
  const writers = leads.map(({ as }) => leadWriter(as))
  return {
    copyOptions: 'format csv',
    separator: COMMA,
    overhead: leads.length * LEAD_BYTES + CRLF_BYTES,
    write: (out, start, bytes, begin, end) => {
      let at = start
      let from = begin
      for (const writer of writers) {
        const to = bytes.indexOf(COMMA, from)
        at = writer.write(out, at, bytes, from, to)
        out[at++] = COMMA
        from = to + 1
      }
      at += bytes.copy(out, at, from, end - 1)
      out[at++] = CR
      out[at++] = LF
      return at
    },
  }
}

/** Neither can stand in JSON, so that PostgreSQL quotes and escapes nothing. */
const UNIT = 0x02
const JSON_COPY = "format csv, delimiter E'\\x02', quote E'\\x01'"

/** One JSON object per line: leading columns become its first members; the last column is an object with the others. */
export function jsonRows(leads: readonly LeadColumn[]): RowFormat {
  const writers = leads.map(({ as }) => leadWriter(as))
  const names = leads.map(({ name }, i) => Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`))
  const nameBytes = names.reduce((sum, name) => sum + name.length, 0)
  return {
    copyOptions: JSON_COPY,
    separator: UNIT,
    overhead: nameBytes + leads.length * (LEAD_BYTES + NULL.length),
    write: (out, start, bytes, begin, end) => {
      let at = start
      let from = begin
      for (let i = 0; i < writers.length; i++) {
        const to = bytes.indexOf(UNIT, from)
        at += (names[i] as Buffer).copy(out, at)
        if (to === from) at += NULL.copy(out, at)
        else {
          out[at++] = QUOTE
          at = (writers[i] as (typeof writers)[number]).write(out, at, bytes, from, to)
          out[at++] = QUOTE
        }
        from = to + 1
      }
      // The object goes on where its brace was.
      if (writers.length > 0) out[at++] = COMMA
      return at + bytes.copy(out, at, writers.length > 0 ? from + 1 : from, end)
    },
  }
}
