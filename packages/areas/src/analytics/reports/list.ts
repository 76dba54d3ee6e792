import { type RawBuilder, sql } from 'kysely'

/** Parts of a statement with commas between them. */
export const list = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts)
