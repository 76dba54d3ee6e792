import { type RawBuilder, sql } from 'kysely'
import { guardCell, guarded } from './formula-guard.ts'

/**
 * Guarding cells so that whoever reads them back knows what they were: a `'` goes before what begins like a formula,
 * and also before what would read as if one had. So `=1+1` becomes `'=1+1`, `'=1+1` becomes `''=1+1`, and `'tis` stays.
 */

const beginsLikeFormula = (text: string): boolean => {
  const bare = text.replace(/^'+/, '')
  return guardCell(bare) !== bare
}

/** A text as a cell that no spreadsheet takes for a formula, and of which `unguardCell` makes the same text again. */
export const guardReversibly = (text: string): string => (beginsLikeFormula(text) ? `'${text}` : text)

/** The text that a cell was made of: a `'` goes where the guard would have put it, and nowhere else. */
export const unguardCell = (cell: string): string =>
  cell.startsWith("'") && beginsLikeFormula(cell) ? cell.slice(1) : cell

/** `guardReversibly` in SQL. @param cell a column of text */
export const reversiblyGuarded = (cell: RawBuilder<string | null>): RawBuilder<string | null> =>
  sql`case when left(${cell}, 1) = ''''
      and ${guarded(sql`ltrim(${cell}, '''')`)} like '''%' then '''' || ${cell}
    else ${guarded(cell)} end`
