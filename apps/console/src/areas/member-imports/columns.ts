/** What a column of a file can be, as the API names it. */
export const FIELDS = [
  ...['email', 'full_name', 'avatar_url', 'role', 'status', 'plan', 'plan_id', 'metadata'],
  ...['created_at', 'email_verified_at', 'last_login_at'],
] as const

/** The choice for a column that is not sent. */
export const LEFT_OUT = ''

/** Names that other programs give to the same columns. */
const KNOWN: Readonly<Record<string, string>> = {
  'e-mail': 'email',
  'e-mail address': 'email',
  'email address': 'email',
  mail: 'email',
  name: 'full_name',
  'full name': 'full_name',
  avatar: 'avatar_url',
  picture: 'avatar_url',
  group: 'role',
  state: 'status',
  'created at': 'created_at',
  'sign-up date': 'created_at',
  registered: 'created_at',
}

/** The field that a title of a column probably means. */
export function fieldOf(title: string): string {
  const name = title.trim().toLowerCase()
  if ((FIELDS as readonly string[]).includes(name)) return name
  return KNOWN[name] ?? LEFT_OUT
}

/** The cells of a CSV file, row by row. Cells in quotes can have commas, line ends and doubled quotes. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  let row: string[] = []
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    // What follows a quote without a comma is a fault, which the server names.
    if (found === null) throw new SyntaxError(`row ${rows.length + 1}`)
    const [, quoted, plain = '', end] = found
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',' && cell.lastIndex < text.length) continue
    if (end === ',') row.push('')
    rows.push(row)
    row = []
  }
  return rows
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A file of the chosen columns alone, with the names of their fields as titles. */
export function withFields([, ...rows]: readonly string[][], fields: readonly string[]): Blob {
  const kept = fields.flatMap((field, i) => (field === LEFT_OUT ? [] : [i]))
  const lines = rows.map((row) => kept.map((i) => quoted(row[i] ?? '')).join(','))
  return new Blob([[kept.map((i) => fields[i]).join(','), ...lines, ''].join('\n')], { type: 'text/csv' })
}

/** Why a choice of fields cannot be sent; undefined where it can. */
export function faultOf(fields: readonly string[]): 'no email' | 'twice' | undefined {
  const chosen = fields.filter((field) => field !== LEFT_OUT)
  if (!chosen.includes('email')) return 'no email'
  return new Set(chosen).size < chosen.length ? 'twice' : undefined
}
