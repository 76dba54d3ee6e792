import { overridingSubscription, resumingSubscription } from '#areas/billing/service.ts'
import { grantToNewMembers, setOperatorPlan } from '#areas/entitlements/service.ts'
import { audit } from '#platform/audit.ts'
import type { MemberMails } from '#platform/catalogue/catalogue.ts'
import type { Context, Work } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit, emitEach } from '#platform/events/emit.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { assertUncommon } from '#platform/secrets/passwords.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import * as dataExports from './data-export/request-data.ts'
import { memberCreated, memberRestored } from './events.ts'
import * as queries from './queries.ts'
import {
  type ImportedMemberRow,
  insertMember,
  insertMembers,
  lockRole,
  type MemberUpdate,
  type NewMemberRow,
  setMember,
} from './queries.ts'
import * as erasure from './removal/erase.ts'
import { restoreMemberRow, setPassword } from './removal/queries.ts'
import { toMemberData } from './rows.ts'
import type { CreatedMember, MemberChanges, NewMember, UpdatedMember } from './schema.ts'

/** Deletes a member who asks for it. */
export const deleteOwnAccount = erasure.deleteOwnAccount
/** Requests an archive of a member's data for the member. */
export const { requestOwnData, MOST_ARCHIVES } = dataExports

/** A member with its plan, or undefined. */
export const findMember = queries.findMember
/** One page of members. */
export const findMembers = queries.listMembers
/** A member as events and logins show it. @throws ApiError 404 */
export const readMember = queries.readMember

/** The role of a member who has no other one. */
const PLAIN = 'member'

/** Notes in the audit log who got a role: it may moderate. */
const auditRole = (ctx: Context, { id, ...change }: { id: string; before?: object; after: object }): void =>
  audit(ctx, { action: 'member.role', target: toId('member', id), ...change })

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
  passwords: { hash(password: string): Promise<string> },
): Promise<PreparedMember> {
  if (input.password !== undefined) assertUncommon(input.password)
  const passwordHash = input.password === undefined ? undefined : await passwords.hash(input.password)
  const row = {
    id: newUuid(),
    email: normalizeEmail(input.email),
    full_name: input.full_name ?? '',
    avatar_url: input.avatar_url ?? null,
    role: input.role ?? PLAIN,
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
): PromiseLike<CreatedMember> {
  const member = insertMember(ctx, row)
  // Nearly all members have the default plan, which needs no grant and no query.
  if (row.plan_id !== null) grantToNewMembers(ctx, [row.id])
  if (passwordHash !== undefined) setPassword(ctx, { id: row.id, hash: passwordHash, set_by: setBy })
  if (row.role !== PLAIN) auditRole(ctx, { id: row.id, after: { role: row.role } })
  return member
}

/** `createMember` as a whole transaction: of one statement, where there is no more to do. */
export const creationOf = (prepared: PreparedMember): Work<CreatedMember> =>
  prepared.row.plan_id === null && prepared.passwordHash === undefined && prepared.row.role === PLAIN
    ? insertMember(prepared.row)
    : (ctx) => createMember(ctx, prepared)

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
  const created = await insertMembers(ctx, { rows })
  grantToNewMembers(
    ctx,
    created.map(({ id }) => id),
  )
  emitEach(ctx, memberCreated, created.map(toMemberData))
  for (const { id, role } of created) if (role !== PLAIN) auditRole(ctx, { id, after: { role } })
  return new Set(created.map(({ id }) => id))
}

/**
 * Changes the given fields and nothing else. Metadata is merged; keys that are null are removed. Naming the plan that a
 * member is on changes nothing.
 * @throws ApiError 404; 422 EMAIL_TAKEN, or VALIDATION_ERROR for a plan or metadata that does not fit
 */
export async function updateMember(
  ctx: Context,
  id: string,
  { plan_id, ...given }: MemberChanges,
): Promise<UpdatedMember> {
  const changes = normalized(given)
  const planId = typeof plan_id === 'string' ? planUuid(plan_id) : plan_id
  const moved =
    planId !== undefined && (await overridingSubscription(ctx, id, () => setOperatorPlan(ctx, id, planId)))
  return moved || Object.keys(changes).length > 0 ? setMember(ctx, { id, changes }) : readMember(ctx, { id })
}

/**
 * Changes a member for an operator. Where the project confirms addresses, a new address gets a mail that asks for a
 * confirmation.
 * @throws ApiError as updateMember does
 */
export async function changeAndVerify(
  ctx: Context,
  id: string,
  changes: MemberChanges,
  mails: MemberMails,
): Promise<UpdatedMember> {
  const before = changes.role === undefined ? undefined : await lockRole(ctx, { id })
  const member = await updateMember(ctx, id, changes)
  if (changes.email !== undefined) await mails.receiveAddress(ctx, id, member.email)
  if (before !== undefined && before !== changes.role)
    auditRole(ctx, { id, before: { role: before }, after: { role: changes.role } })
  return member
}

/** `changeAndVerify` as a whole transaction: of one statement, where there is no more to do. */
export function changeOf(id: string, changes: MemberChanges, mails: MemberMails): Work<UpdatedMember> {
  const { email, plan_id, role, ...others } = changes
  const isPlain =
    email === undefined && plan_id === undefined && role === undefined && Object.keys(others).length > 0
  return isPlain
    ? setMember({ id, changes: others })
    : (ctx: Context) => changeAndVerify(ctx, id, changes, mails)
}

/** @throws ApiError 404 where there is nothing to restore; 422 EMAIL_TAKEN */
export async function restoreMember(ctx: Context, id: string): Promise<UpdatedMember> {
  const member = await resumingSubscription(ctx, id, () => restoreMemberRow(ctx, { id }))
  emit(ctx, memberRestored, member)
  return member
}

const normalized = (changes: MemberUpdate): MemberUpdate =>
  changes.email === undefined ? changes : { ...changes, email: normalizeEmail(changes.email) }

/** An id of another kind is answered like another project's plan. */
function planUuid(id: string): string {
  const uuid = parseId('plan', id)
  if (uuid === undefined) throw invalidField('plan_id', 'exists', 'is not an active plan of this project')
  return uuid
}
