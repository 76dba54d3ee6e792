import type { CsvRow } from '#platform/csv/read-csv.ts'
import { unguardCell } from '#platform/csv/reversible-guard.ts'
import { ApiError, type FieldFault } from '#platform/errors.ts'
import { parseJsonBody } from '#platform/http/validation/json-body.ts'
import { fitsAsMetadata, validatorCompiler } from '#platform/http/validation/validation.ts'
import { validationError } from '#platform/http/validation/validation-error.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { ImportedMember, KNOWN_COLUMNS } from './schema.ts'

/** A row of a file, with the faults that can be found without the database. */
export interface Candidate {
  readonly row: number
  /** The cells before they were guarded against formulas. */
  readonly cells: readonly string[]
  /** As addresses are compared; empty where it has none. */
  readonly emailKey: string
  /** Undefined where the row has faults. */
  readonly member: ImportedMember | undefined
  readonly faults: readonly FieldFault[]
}

/** The most bytes of metadata that the database keeps, also after PATCH has merged them. */
export const METADATA_BYTES = 20_480
/** What cannot be kept. */
export const METADATA_FAULT: FieldFault = {
  field: 'metadata',
  rule: 'metadata',
  message: 'must have at most 50 keys, 20 KiB and 5 levels',
}
/** No member can have joined before this time. */
const EARLIEST = Date.UTC(1900)
/** Milliseconds by which a clock may be ahead. */
const CLOCK_SLACK_MS = 5 * 60_000

const check = validatorCompiler({ schema: ImportedMember, method: 'POST', url: '', httpPart: 'body' })

/** What time it is, in milliseconds: the member's data go by the project's clock, and logins by real time. */
export interface Moments {
  readonly byClock: number
  readonly real: number
}

/** The faults of a row that can be found in the row itself. */
export function toCandidate(
  columns: readonly string[],
  { row, cells: raw }: CsvRow,
  now: Moments,
): Candidate {
  const cells = raw.map(unguardCell)
  const emailKey = emailKeyOf(columns, raw)
  const ofWidth = widthFaults(columns, cells)
  // Its cells are under the wrong columns.
  if (ofWidth.length > 0) return { row, cells, emailKey, faults: ofWidth, member: undefined }
  const given = columns.flatMap((column, i) => {
    const cell = cells[i] ?? ''
    return cell === '' || !KNOWN_COLUMNS.includes(column) ? [] : [[column, cell] as const]
  })
  const member = Object.fromEntries(given) as Record<string, string>
  const metadata = readMetadata(member['metadata'])
  const ofSchema = check(member) ? [] : faultsOf(check.errors)
  const faults = [
    ...ofSchema,
    ...TIMES.filter((field) => !ofSchema.some((fault) => fault.field === field)).flatMap((field) =>
      timeFaults(field, member[field], field === 'last_login_at' ? now.real : now.byClock),
    ),
    ...metadata.faults,
  ]
  if (faults.length > 0) return { row, cells, emailKey, faults, member: undefined }
  return { row, cells, emailKey, faults, member: { ...(member as ImportedMember), metadata: metadata.text } }
}

/** The address of a row as members' addresses are compared; empty where it has none. */
export function emailKeyOf(columns: readonly string[], cells: readonly string[]): string {
  const cell = cells[columns.indexOf('email')] ?? ''
  return cell === '' ? '' : normalizeEmail(unguardCell(cell)).toLowerCase()
}

const faultsOf = (errors: Parameters<typeof validationError>[0]) =>
  validationError(errors, 'body').details ?? []

function widthFaults(columns: readonly string[], cells: readonly string[]): FieldFault[] {
  if (cells.length === columns.length) return []
  const surplus = cells.slice(columns.length).join(', ').slice(0, 200)
  const message = `must have ${columns.length} cells like the header: it has ${cells.length}`
  return [
    {
      field: '',
      rule: 'cells',
      message: surplus === '' ? message : `${message}; the last cells are too many: ${surplus}`,
    },
  ]
}

const TIMES = ['created_at', 'email_verified_at', 'last_login_at'] as const

function timeFaults(field: string, text: string | undefined, now: number): FieldFault[] {
  if (text === undefined) return []
  const time = Date.parse(text)
  // A text that JavaScript reads as no time, such as a leap second, is refused too.
  if (time >= EARLIEST && time <= now + CLOCK_SLACK_MS) return []
  return [{ field, rule: 'range', message: 'must be between the year 1900 and now' }]
}

/** Metadata as it is stored, or what is wrong with it. */
function readMetadata(given = '{}'): { text: string; faults: readonly FieldFault[] } {
  const wrong = (rule: string, message: string) => ({
    text: '',
    faults: [{ field: 'metadata', rule, message }],
  })
  let value: unknown
  try {
    value = parseJsonBody(Buffer.from(given))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [fault] = error.details ?? []
    return fault === undefined ? wrong('json', 'must be a JSON object') : wrong(fault.rule, fault.message)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong('type', 'must be a JSON object')
  if (!fitsAsMetadata(value, METADATA_BYTES)) return wrong(METADATA_FAULT.rule, METADATA_FAULT.message)
  return { text: JSON.stringify(value), faults: [] }
}
