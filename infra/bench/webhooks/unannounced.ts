/** The insert of a member as `createMember` makes it, save the event. */
import { newMember } from '#areas/members/queries.ts'
import { toCreatedMember } from '#areas/members/rows.ts'
import type { PreparedMember } from '#areas/members/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'

const insert = defineQuery('insert_unannounced', newMember, {}, { group: 'insert' })
  .map(toCreatedMember)
  .single()

export const createUnannounced = (ctx: Context, { row }: PreparedMember) => insert(ctx, row)
