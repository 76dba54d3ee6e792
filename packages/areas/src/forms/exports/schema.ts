import { type Static, Type } from 'typebox'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { submissionFilter } from '../submissions/schema.ts'

export const EXPORT_FORMATS = ['csv', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const Format = oneOf(EXPORT_FORMATS, {
  default: 'csv',
  description: '`csv` by RFC 4180, or `json`: one submission in each line, as the API shows it',
})
const Bom = Type.Boolean({
  default: false,
  description: 'True starts the CSV with a byte order mark, which some programs need to detect UTF-8',
})
const Raw = Type.Boolean({
  default: false,
  description:
    "True leaves cells and headers that start with `=`, `+`, `-`, `@`, a tab or a carriage return as they are. By default a `'` is put before them, except before numbers, so that no spreadsheet runs them as formulas",
})

export const ExportQuery = strict({ format: Format, bom: Bom, raw: Raw, ...submissionFilter })
export type ExportQuery = Static<typeof ExportQuery>

const { status, ...filter } = submissionFilter
export const NewExport = strict(
  {
    format: Type.Optional(Format),
    bom: Type.Optional(Bom),
    raw: Type.Optional(Raw),
    status: Type.Optional(status),
    ...filter,
  },
  { title: 'NewExport', examples: [{ format: 'csv', start_date: '2026-11-01' }] },
)
export type NewExport = Static<typeof NewExport>
