import {
  BYTE_ORDER_MARK,
  csvRows,
  jsonRows,
  type LeadColumn,
  type RowFormat,
} from '#platform/csv/row-writer.ts'
import { submissionId } from '../ids.ts'
import { assertTable, fieldColumns, headerLine } from './columns.ts'
import type { ExportedForm } from './queries.ts'
import type { ExportFormat } from './schema.ts'
import { csvSql, jsonSql, type Selection } from './sql.ts'

const LEADS: readonly LeadColumn[] = [
  { name: 'id', as: submissionId },
  { name: 'created_at', as: 'timestamp' },
  { name: 'member_id', as: 'member' },
]

/** The options of an export. */
export interface FileOptions {
  readonly format: ExportFormat
  readonly bom: boolean
  readonly raw: boolean
}

/** The submissions of a form as a file: its first bytes, its query and its row format. */
export interface SubmissionFile {
  readonly head: string
  readonly format: RowFormat
  sql(selection: Selection): string
}

/** @throws ApiError 400 if the versions of the form have more fields than a table can have columns */
export function submissionFile(
  { versions }: ExportedForm,
  { format, bom, raw }: FileOptions,
  baseUrl: string,
): SubmissionFile {
  const columns = fieldColumns(versions)
  if (format === 'json')
    return { head: '', format: jsonRows(LEADS), sql: (selection) => jsonSql(selection, columns, baseUrl) }
  assertTable(columns)
  return {
    head: (bom ? BYTE_ORDER_MARK : '') + headerLine(columns, raw),
    format: csvRows(LEADS),
    sql: (selection) => csvSql(selection, columns, { raw }),
  }
}

export const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/x-ndjson; charset=utf-8',
}
const EXTENSIONS: Readonly<Record<ExportFormat, string>> = { csv: 'csv', json: 'ndjson' }

/** The name of the file. It is used in a header, never as a path. */
export function fileNameOf({ name }: ExportedForm, format: ExportFormat): string {
  const day = new Date().toISOString().slice(0, 10)
  const title = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
    .trim()
  return `${title.slice(0, 200).toWellFormed()} ${day}.${EXTENSIONS[format]}`.trim()
}
