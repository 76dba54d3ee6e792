import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { createMember, type PreparedMember, prepareMember } from '#areas/members/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { ADMINISTRATOR } from '#platform/operators/operators-project.ts'
import type { Passwords } from '#platform/secrets/passwords.ts'
import { emailKey, findCredentials, markConfirmed } from '../member-queries.ts'
import { issueToken } from '../tokens/one-time-tokens.ts'

/** Somebody who becomes an operator by a command. */
export interface NewOperator {
  readonly email: string
  readonly full_name?: string | undefined
  /** Without one, the operator logs in by a link. */
  readonly password?: string | undefined
  /** Whether the operator administers the installation. */
  readonly administrator?: boolean | undefined
}

/**
 * Does the slow work of making an operator, before the transaction.
 * @throws ApiError 422 for a common password
 */
export const prepareOperator = (
  { administrator, email, full_name, password }: NewOperator,
  passwords: Pick<Passwords, 'hash'>,
): Promise<PreparedMember> =>
  prepareMember(
    {
      email,
      role: administrator ? ADMINISTRATOR : 'operator',
      ...(full_name !== undefined && { full_name }),
      ...(password !== undefined && { password }),
    },
    passwords,
  )

/**
 * Makes an operator, whose address counts as confirmed. Call it in the project of operators.
 * @returns the stored id
 * @throws ApiError 422 EMAIL_TAKEN
 */
export async function createOperator(ctx: Context, prepared: PreparedMember): Promise<string> {
  const { id, email } = prepared.row
  await createMember(ctx, prepared)
  await markConfirmed(ctx, { id, email, lifts: null })
  return id
}

/** The operator with an address, or undefined. Call it in the project of operators. */
export const findOperator = (ctx: Context, email: string) =>
  findCredentials(ctx, { emailKey: emailKey(email) })

/**
 * A token that logs an operator in once, within 15 minutes, by `POST /console/api/magic-link/verify`.
 * @param local whether it works only at the page that `npm start` names: nobody knows the verifier of its challenge
 */
export const issueLogin = (ctx: Context, operatorId: string, { local = false } = {}): string =>
  issueToken(ctx, {
    purpose: 'exchange',
    // Links that were made for several browsers do not invalidate each other.
    subject: newUuid(),
    memberId: operatorId,
    details: { amr: ['magic_link'] },
    ...(local && { codeChallenge: randomBytes(32).toString('base64url') }),
  })

/** Operators by their stored ids. Ask it of the project of operators. */
export const listOperators = defineQuery('operators', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('members')
    .select(['id', 'email', 'full_name'])
    .where(sql<boolean>`id = any (${v.ids}::uuid[])`)
    .where('deleted_at', 'is', null),
).map(({ id, ...row }) => ({ ...row, id: toId('operator', id) }))

/** The confirmed address of an operator in lower case, or undefined. Ask it of the project of operators. */
export const findOwnAddress = defineQuery('operator_address', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select('email_key')
    .where('id', '=', v.id)
    .where('email_verified_at', 'is not', null)
    .where('deleted_at', 'is', null),
)
  .map(({ email_key }) => email_key)
  .first()
