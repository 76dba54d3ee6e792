import { createMember, readMember } from '#areas/members/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { memberSignedUp } from './events.ts'

interface NewActiveMember {
  readonly email: string
  readonly full_name?: string
  readonly role?: string
  /** The stored id of a plan. Null: the default plan. */
  readonly plan_id?: string | null
}

/**
 * Makes a member who has no password, and who is active because a mail or a provider has shown whose address it is.
 * @returns the stored id
 * @throws ApiError 422 EMAIL_TAKEN
 */
export async function makeActiveMember(
  ctx: Context,
  { email, full_name = '', role = 'member', plan_id = null }: NewActiveMember,
): Promise<string> {
  const shown = { id: newUuid(), email, full_name, avatar_url: null, role, plan_id }
  const row = { ...shown, status: 'active', metadata: '{}' } as const
  await createMember(ctx, { row, passwordHash: undefined })
  emit(ctx, memberSignedUp, await readMember(ctx, { id: row.id }))
  return row.id
}
