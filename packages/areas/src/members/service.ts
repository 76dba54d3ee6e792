import { overridingSubscription, resumingSubscription } from '#areas/billing/service.ts'
import { grantToNewMembers, setOperatorPlan } from '#areas/entitlements/service.ts'
import type { MemberMails } from '#platform/catalogue/member-mails.ts'
import type { DeferredResult } from '#platform/db/deferred-result.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit, emitEach } from '#platform/events/emit.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { assertUncommon, type ProjectPasswords } from '#platform/secrets/passwords.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { type ImportedMemberRow, insertMemberRows } from './bulk/batch-queries.ts'
import { memberCreated, memberRestored } from './events.ts'
import {
  findMember,
  getMember,
  insertMemberRow,
  type MemberUpdate,
  type NewMemberRow,
  updateMemberRow,
} from './queries.ts'
import { putPassword, restoreMemberRow } from './removal/lifecycle-queries.ts'
import { toCreatedMember, toMemberData, toMemberWithPlan } from './rows.ts'
import type { CreatedMember, MemberChanges, MemberWithPlan, NewMember, UpdatedMember } from './schema.ts'

/** A member that is ready to be stored, after all slow work. */
export interface PreparedMember {
  readonly row: NewMemberRow
  readonly passwordHash: string | undefined
}

/**
 * Does the work that must not happen inside a transaction: it normalizes the input, makes the id, and hashes the
 * password.
 * @throws ApiError 422 for a plan id that is none, or a common password; 503 where too many passwords are being hashed
 */
export async function prepareMember(
  input: NewMember,
  passwords: Pick<ProjectPasswords, 'hash'>,
): Promise<PreparedMember> {
  if (input.password !== undefined) assertUncommon(input.password)
  const passwordHash = input.password === undefined ? undefined : await passwords.hash(input.password)
  const row = {
    id: newUuid(),
    email: normalizeEmail(input.email),
    full_name: input.full_name ?? '',
    avatar_url: input.avatar_url ?? null,
    role: input.role ?? 'member',
    status: input.status ?? ('active' as const),
    plan_id: input.plan_id === undefined ? null : planUuid(input.plan_id),
    metadata: JSON.stringify(input.metadata ?? {}),
  }
  return { row, passwordHash }
}

/**
 * @param setBy who has chosen the password
 * @throws ApiError 422 EMAIL_TAKEN, or VALIDATION_ERROR for a plan that cannot be used
 */
export function createMember(
  ctx: Context,
  { row, passwordHash }: PreparedMember,
  setBy: 'member' | 'operator' = 'operator',
): DeferredResult<CreatedMember> {
  const member = insertMemberRow(ctx, row)
  // Nearly all members have the default plan, which needs no grant and no query.
  if (row.plan_id !== null) grantToNewMembers(ctx, [row.id])
  if (passwordHash !== undefined) putPassword(ctx, { id: row.id, hash: passwordHash, set_by: setBy })
  return member.map(toCreatedMember)
}

/**
 * Creates a member and sends an invitation. A pending member becomes active by accepting it.
 * @throws ApiError as createMember does; 422 for a member with a password, who needs no invitation to log in
 */
export async function createAndInvite(
  ctx: Context,
  { row, passwordHash }: PreparedMember,
  mails: MemberMails,
): Promise<CreatedMember> {
  if (passwordHash !== undefined)
    throw invalidField('send_invitation', 'password', 'cannot be sent together with a password')
  const invited = row.status === 'pending' ? { ...row, pending_reason: 'invitation' as const } : row
  const member = await createMember(ctx, { row: invited, passwordHash })
  await mails.invite(ctx, member)
  return member
}

/**
 * Creates many at once. Those whose address a live member has, or whose plan can no longer be used, are left out.
 * @returns the stored ids of those that were created
 */
export async function createMembers(
  ctx: Context,
  rows: readonly ImportedMemberRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const created = await insertMemberRows(ctx, rows)
  grantToNewMembers(
    ctx,
    created.map(({ id }) => id),
  )
  emitEach(ctx, memberCreated, created.map(toMemberData))
  return new Set(created.map(({ id }) => id))
}

/** A member with its plan, or undefined. @param fields what was asked for beyond the usual */
export const findMemberWithPlan = (
  ctx: Context,
  id: string,
  fields?: ReadonlySet<string>,
): DeferredResult<MemberWithPlan | undefined> =>
  findMember(ctx, id).map((row) => row && toMemberWithPlan(row, fields))

/** A member as events and logins show it. @throws ApiError 404 */
export const readMember = (ctx: Context, id: string) => getMember(ctx, id).map(toMemberData)

/**
 * Changes the given fields and nothing else. Metadata is merged; keys that are null are removed.
 * @throws ApiError 404; 422 EMAIL_TAKEN, or VALIDATION_ERROR for a plan or metadata that does not fit
 */
export function updateMember(
  ctx: Context,
  id: string,
  { plan_id, ...changes }: MemberChanges,
): PromiseLike<UpdatedMember> {
  const update = toUpdate(changes)
  if (plan_id !== undefined)
    return changeWithPlan(ctx, id, plan_id === null ? null : planUuid(plan_id), update)
  if (Object.keys(update).length === 0) return getMember(ctx, id).map(toMemberData)
  return updateMemberRow(ctx, id, update).map(toMemberData)
}

/** Sets the operator's plan and whatever else changes. Naming the plan that a member is on changes nothing. */
async function changeWithPlan(
  ctx: Context,
  id: string,
  planId: string | null,
  update: MemberUpdate,
): Promise<UpdatedMember> {
  const moved = await overridingSubscription(ctx, id, () => setOperatorPlan(ctx, id, planId))
  if (!moved && Object.keys(update).length === 0) return toMemberData(await getMember(ctx, id))
  return toMemberData(await updateMemberRow(ctx, id, update))
}

/**
 * Changes a member for an operator. Where the project confirms addresses, a new address gets a mail that asks for a
 * confirmation.
 * @throws ApiError as updateMember does
 */
export function changeAndVerify(
  ctx: Context,
  id: string,
  changes: MemberChanges,
  mails: MemberMails,
): PromiseLike<UpdatedMember> {
  const member = updateMember(ctx, id, changes)
  return changes.email === undefined ? member : verify(ctx, id, member, mails)
}

async function verify(
  ctx: Context,
  id: string,
  changed: PromiseLike<UpdatedMember>,
  mails: MemberMails,
): Promise<UpdatedMember> {
  const member = await changed
  await mails.receiveAddress(ctx, id, member.email)
  return member
}

/** @throws ApiError 404 where there is nothing to restore; 422 EMAIL_TAKEN */
export async function restoreMember(ctx: Context, id: string): Promise<UpdatedMember> {
  const member = toMemberData(await resumingSubscription(ctx, id, () => restoreMemberRow(ctx, id)))
  emit(ctx, memberRestored, member)
  return member
}

function toUpdate({ email, metadata, ...others }: Omit<MemberChanges, 'plan_id'>): MemberUpdate {
  return {
    ...others,
    ...(email !== undefined && { email: normalizeEmail(email) }),
    ...(metadata !== undefined && { metadata: toMerge(metadata) }),
  }
}

function toMerge(metadata: Record<string, unknown>): { set: string; drop: string[] } {
  const entries = Object.entries(metadata)
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null))
  return { set: JSON.stringify(set), drop: entries.filter(([, value]) => value === null).map(([key]) => key) }
}

/** An id of another kind is answered like another project's plan. */
function planUuid(id: string): string {
  const uuid = parseId('plan', id)
  if (uuid === undefined) throw invalidField('plan_id', 'exists', 'is not an active plan of this project')
  return uuid
}
