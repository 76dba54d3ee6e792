import { type RawBuilder, sql } from 'kysely'

/** What makes a spreadsheet take a cell for a formula, where it comes first. */
const TRIGGERS = '=+-@\t\r'
const TRIGGER_CODES = [...TRIGGERS].map((trigger) => trigger.charCodeAt(0))
/** Above it, in ASCII and beyond, is no trigger: letters, mostly. */
const HIGHEST = Math.max(...TRIGGER_CODES)

/** What is harmless in spite of its sign. The same expression for PostgreSQL and for us. */
const NUMBER = '^[-+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]+)?$'
const isNumber = new RegExp(NUMBER)

/** A text as a cell that no spreadsheet takes for a formula: a `'` goes before what begins like one and is no number. */
export const guardCell = (text: string): string =>
  text !== '' && TRIGGERS.includes(text.charAt(0)) && !isNumber.test(text) ? `'${text}` : text

/**
 * The same in SQL, so that it costs no copy of the row in this process. Most cells are told by their first character.
 * @param cell text or null; it is evaluated more than once, so it should be a column
 */
export const guarded = (cell: RawBuilder<string | null>): RawBuilder<string | null> =>
  sql`case when ascii(${cell}) > ${sql.lit(HIGHEST)} then ${cell}
    when ascii(${cell}) in (${sql.join(TRIGGER_CODES.map((code) => sql.lit(code)))})
      and ${cell} !~ ${sql.lit(NUMBER)} then '''' || ${cell}
    else ${cell} end`
