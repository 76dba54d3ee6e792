import { type RawBuilder, sql } from 'kysely'

/** The first characters by which a spreadsheet takes a cell for a formula. */
const TRIGGERS = '=+-@\t\r'
const TRIGGER_CODES = [...TRIGGERS].map((trigger) => trigger.charCodeAt(0))
/** Characters above this one, in ASCII and beyond, are never such first characters. They are mostly letters. */
const HIGHEST = Math.max(...TRIGGER_CODES)

/** Cells that start like a formula but are harmless: numbers. The same expression is used in PostgreSQL and here. */
const NUMBER = '^[-+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]+)?$'
const isNumber = new RegExp(NUMBER)

/**
 * A text as a cell that no spreadsheet takes for a formula: a `'` is put before a text that starts like a formula and
 * is no number.
 */
export const guardCell = (text: string): string =>
  text !== '' && TRIGGERS.includes(text.charAt(0)) && !isNumber.test(text) ? `'${text}` : text

/**
 * The same in SQL, so that rows are not copied in this process. The first character decides for most cells.
 * @param cell text or null; it is evaluated more than once, so it should be a column
 */
export const guarded = (cell: RawBuilder<string | null>): RawBuilder<string | null> =>
  sql`case when ascii(${cell}) > ${sql.lit(HIGHEST)} then ${cell}
    when ascii(${cell}) in (${sql.join(TRIGGER_CODES.map((code) => sql.lit(code)))})
      and ${cell} !~ ${sql.lit(NUMBER)} then '''' || ${cell}
    else ${cell} end`
