import type { Context } from '#platform/db/tenant.ts'
import type { FieldFault } from '#platform/errors.ts'
import type { Prepared } from './prepare.ts'
import type { chooseId, Resolved } from './resolve.ts'

/** A line of which something is made, with its id here. */
export interface Accepted extends Resolved {
  readonly line: Prepared
  readonly id: string | undefined
}

/** How lines of a type that are no plain rows are handled. */
export interface Special {
  faultsOf(line: Prepared): readonly FieldFault[]
  /** The id here, in place of what `chooseId` says; undefined: that. */
  idOf?(line: Prepared): ReturnType<typeof chooseId>
  make(ctx: Context, record: string, accepted: readonly Accepted[]): Promise<void>
}
