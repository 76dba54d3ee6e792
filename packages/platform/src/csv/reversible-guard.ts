import { type RawBuilder, sql } from 'kysely'
import { guardCell, guarded } from './formula-guard.ts'

/**
 * Guards cells so that the original text can be restored: a `'` is put before a text that starts like a formula, and
 * also before a text that looks as if it were guarded. `=1+1` becomes `'=1+1`, `'=1+1` becomes `''=1+1`, and `'tis`
 * stays.
 */

const beginsLikeFormula = (text: string): boolean => {
  const bare = text.replace(/^'+/, '')
  return guardCell(bare) !== bare
}

/** A text as a cell that no spreadsheet takes for a formula; `unguardCell` restores the text. */
export const guardReversibly = (text: string): string => (beginsLikeFormula(text) ? `'${text}` : text)

/** The original text of a cell: it removes a `'` only where the guard would have put it. */
export const unguardCell = (cell: string): string =>
  cell.startsWith("'") && beginsLikeFormula(cell) ? cell.slice(1) : cell

/** `guardReversibly` in SQL. @param cell a column of text */
export const reversiblyGuarded = (cell: RawBuilder<string | null>): RawBuilder<string | null> =>
  sql`case when left(${cell}, 1) = ''''
      and ${guarded(sql`ltrim(${cell}, '''')`)} like '''%' then '''' || ${cell}
    else ${guarded(cell)} end`
