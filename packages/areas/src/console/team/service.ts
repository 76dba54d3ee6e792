import { invitationId } from '#areas/auth/ids.ts'
import { publicIdOf } from '#platform/actor.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { OperatorRole } from '#platform/operators/operators-project.ts'
import { lastOwner, recentLoginRequired } from '../errors.ts'
import {
  deleteTeamInvitation,
  deleteTeamMember,
  insertTeamMember,
  listTeam,
  lockOwners,
  lockTeamMember,
  putTeamInvitation,
  setTeamRole,
  takeTeamInvitation,
} from './queries.ts'
import type { TeamInvitation } from './schema.ts'

// What changes a team, with its entry in the audit log in the same transaction. A project keeps an owner: the owners are locked
// before one of them goes.

/** @throws ApiError 422 IN_TEAM, LIMIT_REACHED */
export async function addToTeam(
  ctx: Context,
  operatorId: string,
  role: OperatorRole,
  addedBy: string | null = publicIdOf(ctx.actor),
): Promise<void> {
  await insertTeamMember(ctx, { id: operatorId, role, added_by: addedBy })
  audit(ctx, { action: 'team.add', target: toId('operator', operatorId), after: { role } })
}

/**
 * Gives a team member another role; tokens of the former one end.
 * @param mayEndOwner whether who acts may take the role of an owner: somebody who has logged in a moment ago, or a command
 * @throws ApiError 404; 422 LAST_OWNER; 403 RECENT_LOGIN_REQUIRED
 */
export async function changeRole(
  ctx: Context,
  operatorId: string,
  role: OperatorRole,
  mayEndOwner = true,
): Promise<void> {
  const owners = await lockOwners(ctx)
  const before = await lockTeamMember(ctx, { id: operatorId })
  if (before.role === role) return
  if (role !== 'owner') assertOtherOwner(owners, operatorId)
  if (before.role === 'owner' && !mayEndOwner) throw recentLoginRequired()
  await setTeamRole(ctx, { id: operatorId, role, added_by: publicIdOf(ctx.actor) })
  const target = toId('operator', operatorId)
  audit(ctx, { action: 'team.role', target, before: { role: before.role }, after: { role } })
}

/** Ends a role at once. @param mayEndOwner as of `changeRole` @throws ApiError 404; 422 LAST_OWNER; 403 RECENT_LOGIN_REQUIRED */
export async function removeFromTeam(ctx: Context, operatorId: string, mayEndOwner: boolean): Promise<void> {
  const owners = await lockOwners(ctx)
  const { role } = await lockTeamMember(ctx, { id: operatorId })
  assertOtherOwner(owners, operatorId)
  if (role === 'owner' && !mayEndOwner) throw recentLoginRequired()
  await deleteTeamMember(ctx, { id: operatorId })
  audit(ctx, { action: 'team.remove', target: toId('operator', operatorId), before: { role } })
}

/** Makes a team member the owner in place of another one, who becomes an admin. @throws ApiError 404 */
export async function transferProject(ctx: Context, from: string, to: string): Promise<void> {
  await changeRole(ctx, to, 'owner')
  if (from !== to) await changeRole(ctx, from, 'admin')
}

/** @throws ApiError 422 LIMIT_REACHED */
export async function inviteToTeam(
  ctx: Context,
  address: string,
  addressKey: string,
  role: OperatorRole,
): Promise<TeamInvitation> {
  const invitation = await putTeamInvitation(ctx, {
    ...{ id: newUuid(), invitee: address, invitee_key: addressKey, role },
    invited_by: publicIdOf(ctx.actor),
  })
  audit(ctx, { action: 'team.invite', target: invitation.id, after: { role } })
  return invitation
}

/** @throws ApiError 404 */
export async function withdrawInvitation(ctx: Context, id: string): Promise<void> {
  const { role } = await deleteTeamInvitation(ctx, { id })
  audit(ctx, { action: 'team.withdraw_invitation', target: toId(invitationId, id), before: { role } })
}

/** Joins a team by an invitation to the address of the operator. @throws ApiError 404; 422 IN_TEAM, LIMIT_REACHED */
export async function joinTeam(
  ctx: Context,
  operatorId: string,
  invitation: { readonly id: string; readonly addressKey: string },
): Promise<OperatorRole> {
  const { role, invited_by } = await takeTeamInvitation(ctx, {
    id: invitation.id,
    invitee_key: invitation.addressKey,
  })
  await addToTeam(ctx, operatorId, role, invited_by)
  return role
}

const assertOtherOwner = (owners: readonly string[], operatorId: string): void => {
  if (owners.length === 1 && owners[0] === operatorId) throw lastOwner()
}

/** Whether an operator has a role in the project. */
export const isInTeam = async (ctx: Context, operatorId: string): Promise<boolean> =>
  (await listTeam(ctx)).some(({ id }) => id === operatorId)

/** The stored id of an operator that a body names, or undefined. */
export const operatorIdIn = (id: string): string | undefined => parseId('operator', id)
