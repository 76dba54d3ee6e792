import { CsvFault } from '#platform/csv/read-csv.ts'
import { IGNORED_COLUMNS, KNOWN_COLUMNS } from './schema.ts'

/**
 * The names of a file's columns. They are taken without regard to case and white space.
 * @throws CsvFault for a header that is none of a file of members
 */
export function columnsOf(cells: readonly string[]): string[] {
  const columns = cells.map((cell) => cell.trim().toLowerCase())
  const [only = ''] = columns
  if (columns.length === 1 && /[;\t|]/.test(only))
    throw new CsvFault('delimiter', `has a header with one column, ${quote(only)}: separate cells by commas`)
  const twice = columns.find((column, i) => columns.indexOf(column) !== i)
  if (twice !== undefined) throw new CsvFault('uniqueItems', `has the column ${quote(twice)} twice`)
  const unknown = columns.filter((column) => ![...KNOWN_COLUMNS, ...IGNORED_COLUMNS].includes(column))
  if (unknown.length > 0)
    throw new CsvFault(
      'columns',
      `has ${unknown.length === 1 ? 'an unknown column' : 'unknown columns'} in its header: ${shown(unknown)}. Known: ${KNOWN_COLUMNS.join(', ')}`,
    )
  if (!columns.includes('email')) throw new CsvFault('columns', 'has no column email in its header')
  return columns
}

const MOST_SHOWN = 10
const LONGEST_SHOWN = 40

const quote = (name: string) => `"${name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name}"`

const shown = (names: readonly string[]): string =>
  names.slice(0, MOST_SHOWN).map(quote).join(', ') +
  (names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : '')
