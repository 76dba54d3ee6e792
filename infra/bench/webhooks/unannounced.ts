/** The insert of a member as `createMember` makes it, save the event. */
import { newMember } from '#areas/members/queries.ts'
import { toCreatedMember } from '#areas/members/rows.ts'
import type { PreparedMember } from '#areas/members/service.ts'
import { statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const insert = statement('insert_unannounced', newMember, {}, 'insert')

export const createUnannounced = (ctx: Context, { row }: PreparedMember) =>
  ctx.tx.single(insert, row).map(toCreatedMember)
