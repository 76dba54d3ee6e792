/** The id of the row with this number, whatever its table: so whoever names a row by any id finds one. */
export const idOf = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

/** The same as SQL, for a number that is SQL. */
idOf.sql = (n: string): string => `('00000000-0000-7000-8000-' || lpad(to_hex((${n})::int), 12, '0'))::uuid`
