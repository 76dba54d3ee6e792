import { ApiError, type FieldFault, type ApiError as Refusal } from '#platform/errors.ts'
import { parseJsonBody } from '#platform/http/validation/json-body.ts'
import { fitsAsMetadata, validatorCompiler } from '#platform/http/validation/validation.ts'
import { validationError } from '#platform/http/validation/validation-error.ts'
import { LINE_SCHEMAS, rowTypeOf } from '../line-types.ts'

/** A line of a file, with the faults that can be found without the database. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** Its type as it says itself; empty where it says none. */
  readonly record: string
  readonly value: Readonly<Record<string, unknown>>
  readonly faults: readonly FieldFault[]
}

/** Bytes of the longest line: the largest part of a file, and all around it. */
const LONGEST = 1_200_000
/** Metadata as large as changes can make it. */
const METADATA_BYTES = 20_480
/** The byte order mark in UTF-8. */
const MARK = Buffer.from('\ufeff')
/** Nothing was written before this time. */
const EARLIEST = Date.UTC(1900)
/** Milliseconds by which a clock may be ahead. */
const CLOCK_SLACK_MS = 5 * 60_000

const checks = new Map(
  Object.entries(LINE_SCHEMAS).map(([record, schema]) => [
    record,
    validatorCompiler({ schema, method: 'POST', url: '', httpPart: 'body' }),
  ]),
)

/**
 * The lines of a file. Of a line that is too long only the beginning is kept. One line after the current one can be looked at.
 */
export class LineReader {
  readonly #bytes: AsyncIterator<Buffer>
  readonly #now: number
  #buffered = Buffer.alloc(0)
  #isDone = false
  #number = 0
  #ahead: Line | undefined

  /** @param now by the project's clock, in milliseconds: nothing can have been written later */
  constructor(bytes: AsyncIterable<Buffer>, now: number) {
    this.#bytes = bytes[Symbol.asyncIterator]()
    this.#now = now
  }

  /** The next line, which is not taken; undefined at the end. */
  async peek(): Promise<Line | undefined> {
    this.#ahead ??= await this.#read()
    return this.#ahead
  }

  async next(): Promise<Line | undefined> {
    const line = await this.peek()
    this.#ahead = undefined
    return line
  }

  async #read(): Promise<Line | undefined> {
    let isTooLong = false
    for (;;) {
      const end = this.#buffered.indexOf(0x0a)
      if (end >= 0 || (this.#isDone && this.#buffered.length > 0)) {
        const length = end >= 0 ? end : this.#buffered.length
        const bytes = withoutMark(this.#buffered.subarray(0, length), this.#number)
        this.#buffered = this.#buffered.subarray(end >= 0 ? end + 1 : length)
        this.#number++
        return isTooLong || length > LONGEST
          ? faulty(this.#number, '', {
              field: '',
              rule: 'maxLength',
              message: `must have at most ${LONGEST} bytes`,
            })
          : toLine(this.#number, bytes, this.#now)
      }
      if (this.#isDone) return undefined
      if (this.#buffered.length > LONGEST) {
        isTooLong = true
        this.#buffered = Buffer.alloc(0)
      }
      const { value, done } = await this.#bytes.next()
      if (done) this.#isDone = true
      else this.#buffered = Buffer.concat([this.#buffered, value])
    }
  }
}

/** Editors write a byte order mark before the first line. @param before the number of lines before this one */
const withoutMark = (bytes: Buffer, before: number): Buffer =>
  before === 0 && bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes

const faulty = (number: number, record: string, ...faults: FieldFault[]): Line => ({
  ...{ number, record, value: {}, faults },
})

function toLine(number: number, bytes: Buffer, now: number): Line {
  let value: unknown
  try {
    value = parseJsonBody(bytes)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return faulty(number, '', ...faultsIn(error))
  }
  const record = recordOf(value)
  const check = checks.get(record)
  if (check === undefined)
    return faulty(number, '', { field: 'record', rule: 'enum', message: 'is not a known type of line' })
  if (!check(value)) return faulty(number, record, ...faultsIn(validationError(check.errors, 'body')))
  const fields = withNewFields(record, value as Record<string, unknown>)
  return {
    number,
    record,
    value: fields,
    faults: [...timeFaults(record, fields, now), ...otherFaults(fields)],
  }
}

/** A line of a file that was made before there were some of the fields. */
function withNewFields(record: string, value: Record<string, unknown>): Record<string, unknown> {
  const made = { ...value }
  for (const [name, { before }] of Object.entries(rowTypeOf(record)?.fields ?? {}))
    if (before !== undefined) made[name] ??= before
  return made
}

const faultsIn = ({ details, message }: Refusal): readonly FieldFault[] =>
  details ?? [{ field: '', rule: 'json', message: message.replace('The request body ', '') }]

const recordOf = (value: unknown): string => {
  const record =
    typeof value === 'object' && value !== null ? (value as { record?: unknown }).record : undefined
  return typeof record === 'string' ? record : ''
}

function timeFaults(record: string, value: Record<string, unknown>, now: number): FieldFault[] {
  const fields = rowTypeOf(record)?.fields ?? {}
  return Object.entries(fields).flatMap(([field, { sql }]) => {
    const text = value[field]
    if (sql !== 'timestamptz' || typeof text !== 'string') return []
    const time = Date.parse(text)
    // A text that JavaScript reads as no time, such as a leap second, is refused too.
    if (time >= EARLIEST && time <= now + CLOCK_SLACK_MS) return []
    return [{ field, rule: 'range', message: 'must be between the year 1900 and now' }]
  })
}

/** What the tables ask for beside the types of columns. */
function otherFaults({ record, ...value }: Record<string, unknown>): FieldFault[] {
  const faults: FieldFault[] = []
  if (record === 'feedback' && !fitsAsMetadata(value['metadata'] as object, METADATA_BYTES))
    faults.push({
      field: 'metadata',
      rule: 'metadata',
      message: 'must have at most 50 keys, 20 KiB and 5 levels',
    })
  if (record === 'feedback_comment' && value['author_id'] === null && value['is_official'] !== true)
    faults.push({
      field: 'author_id',
      rule: 'required',
      message: 'is required, unless the comment is official',
    })
  if (record === 'case' && (value['discussion_id'] === null) === (value['feedback_id'] === null))
    faults.push({
      field: 'discussion_id',
      rule: 'required',
      message: 'or feedback_id is required, and not both',
    })
  if (value['visibility'] === 'removed' && value['shown_as'] === null)
    faults.push({ field: 'shown_as', rule: 'required', message: 'is required with the visibility removed' })
  if (record === 'case' && (value['decision'] === null) !== (value['decided_at'] === null))
    faults.push({
      field: 'decided_at',
      rule: 'required',
      message: 'is required with a decision, and only then',
    })
  if (record === 'category' && value['slug'] !== String(value['slug']).normalize('NFKC').toLowerCase())
    faults.push({ field: 'slug', rule: 'pattern', message: 'must be in lower case' })
  if (record === 'file_content' && !/^[A-Za-z0-9+/]*={0,2}$/.test(String(value['data'])))
    faults.push({ field: 'data', rule: 'format', message: 'must be Base64' })
  return faults
}
