import { pipeline, Readable } from 'node:stream'
import { CsvError, Parser } from 'csv-parse'
import type { Slices } from '../threads/event-loop-turns.ts'
import { type BadByte, plainText } from './plain-text.ts'

/** The longest row in bytes. A longer one lacks its line ends or a closing quote. */
export const ROW_BYTES = 128 * 1024

/** Bytes that are parsed at once, which takes about a millisecond. */
const PIECE_BYTES = 8 * 1024

/** Why a text is not CSV, for people, with the row. */
export class CsvFault extends Error {
  override name = 'CsvFault'
  readonly rule: string

  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}

/** A row of cells. */
export interface CsvRow {
  /** Counted as spreadsheets count: the header is row 1. */
  readonly row: number
  readonly cells: readonly string[]
}

/**
 * The rows of a CSV (RFC 4180) in UTF-8, with the header. At most one row is in memory. A byte order mark and all kinds
 * of line ends are accepted, also mixed. Empty lines are left out, but counted.
 * @param slices turns of the event loop, in a process that answers requests
 * @throws CsvFault if the text is not CSV; rows before the fault may have been returned by then
 */
export async function* readCsv(bytes: AsyncIterable<Buffer>, slices?: Slices): AsyncGenerator<CsvRow> {
  const parser = new Parser({
    bom: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: ROW_BYTES,
  })
  let bad: BadByte | undefined
  const text = plainText(bytes, (found) => {
    bad = found
  })
  let row = 0
  try {
    // The loop throws the errors.
    pipeline(Readable.from(inPieces(text, slices)), parser, () => undefined)
    for await (const cells of parser as AsyncIterable<string[]>) {
      row++
      // The rows that are still read after the chunk of a bad byte show its place.
      if (bad === undefined && !isBlank(cells)) yield { row, cells }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Rows that were read and not yet returned count too.
    const faulty = Number(error.records) + 1
    throw bad === undefined ? malformed(error, faulty) : badText(bad, faulty)
  }
  if (bad !== undefined) throw badText(bad, row)
}

/**
 * The same bytes, in slices: the parser does not pause within a chunk, and between slices others get the event loop.
 */
async function* inPieces(chunks: AsyncIterable<Buffer>, slices: Slices | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      if (slices?.isOver) await slices.next()
      yield chunk.subarray(at, at + PIECE_BYTES)
    }
}

const isBlank = (cells: readonly string[]) => cells.length === 1 && cells[0] === ''

function badText({ kind, offset, value }: BadByte, row: number): CsvFault {
  const byte = `byte ${offset} (0x${value.toString(16).padStart(2, '0').toUpperCase()}), in row ${row}`
  return kind === 'nul'
    ? new CsvFault('characters', `must not contain NUL characters: there is one at ${byte}`)
    : new CsvFault('encoding', `must be UTF-8: ${byte}, is not. Save it as "CSV UTF-8"`)
}

function malformed(error: CsvError, row: number): CsvFault {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new CsvFault('quotes', `has a quote in row ${row} that is never closed: close it`)
    case 'CSV_MAX_RECORD_SIZE':
      return new CsvFault(
        'maxLength',
        `has more than ${ROW_BYTES / 1024} KiB in row ${row}: check for a quote that is not closed, or for missing line ends`,
      )
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return new CsvFault(
        'quotes',
        `has a quote inside a cell in row ${row}: put the whole cell in quotes and double the quotes inside it`,
      )
    default:
      return new CsvFault('csv', `is not valid CSV from row ${row} on`)
  }
}
