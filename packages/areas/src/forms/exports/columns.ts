import { guardCell } from '#platform/csv/formula-guard.ts'
import { csvLine } from '#platform/csv/row-writer.ts'
import { invalidParameters } from '#platform/errors.ts'
import type { Field, FieldType } from '../builder/field-schema.ts'

/** The fields of one version. */
export interface VersionFields {
  readonly version: number
  readonly fields: readonly Field[]
}

/** How the values of a field are stored. */
export type Kind = 'value' | 'list' | 'file'

/** One field over all versions of a form. */
export interface FieldColumn {
  readonly id: string
  readonly label: string
  /** The kind of its values in each version; nearly always the same. */
  readonly kinds: ReadonlyMap<Kind, readonly number[]>
}

/** Fields that have no value in a submission. */
const WITHOUT_VALUE: ReadonlySet<FieldType> = new Set(['section', 'password'])
const KINDS: { readonly [T in FieldType]?: Kind } = { multi_select: 'list', file: 'file' }

const BEFORE = ['id', 'created_at', 'member_id']
const BEHIND = ['ip', 'user_agent', 'referrer']
/** Columns of fields; a row of PostgreSQL has at most 1,664 columns. */
const MOST_COLUMNS = 1_600

/**
 * A column for every field that can have a value: first the fields of the latest version in their order, then fields
 * that only older versions have, newer versions first. A field has its latest label.
 * @param versions the latest first
 */
export function fieldColumns(versions: readonly VersionFields[]): FieldColumn[] {
  const found = new Map<string, { label: string; kinds: Map<Kind, number[]> }>()
  for (const { version, fields } of versions) {
    for (const { id, type, label } of fields) {
      if (WITHOUT_VALUE.has(type)) continue
      const kind = KINDS[type] ?? 'value'
      const column = found.get(id) ?? { label, kinds: new Map<Kind, number[]>() }
      column.kinds.set(kind, [...(column.kinds.get(kind) ?? []), version])
      found.set(id, column)
    }
  }
  return [...found].map(([id, column]) => ({ id, ...column }))
}

/** @throws ApiError 400 if a table cannot have so many columns */
export function assertTable(columns: readonly FieldColumn[]): void {
  if (columns.length <= MOST_COLUMNS) return
  throw invalidParameters([
    {
      field: 'format',
      rule: 'columns',
      message:
        'must be json: all versions of the form together have more fields than a CSV table can have columns',
    },
  ])
}

/** The first line of a CSV export. @param raw true does not guard against formulas of spreadsheets */
export function headerLine(columns: readonly FieldColumn[], raw: boolean): string {
  const names = [...BEFORE, ...headersOf(columns), ...BEHIND]
  return csvLine(raw ? names : names.map(guardCell))
}

/** The labels; if several columns have the same label, the id follows. */
function headersOf(columns: readonly FieldColumn[]): string[] {
  let headers = columns.map(({ label }) => label)
  for (;;) {
    const counts = new Map<string, number>()
    for (const header of [...BEFORE, ...headers, ...BEHIND]) counts.set(header, (counts.get(header) ?? 0) + 1)
    if (headers.every((header) => counts.get(header) === 1)) return headers
    headers = headers.map((header, i) =>
      counts.get(header) === 1 ? header : `${header} (${columns[i]?.id})`,
    )
  }
}
