import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { fits } from '#platform/values/fits.ts'
import { makeActiveMember } from '../../active-member.ts'
import { connectionId } from '../../ids.ts'
import { confirmAddress } from '../../mail-links/confirm-address.ts'
import { emailKey, findCredentials } from '../../member-queries.ts'
import { listConfirmedFactors } from '../../second-factors/queries.ts'
import { memberSsoLinked } from '../events.ts'
import type { Person, SsoError } from '../protocols/person.ts'
import type { SsoTools } from '../tools.ts'
import { admitOperator } from './admit-operator.ts'
import { domainOf, listRequiredOfDomain } from './policy.ts'
import { findIdentity, linkIdentity, noteIdentity, proveIdentity } from './queries.ts'

/** The member who logs in, or the reason why nobody does. */
export type Admission =
  | {
      readonly memberId: string
      /** True if the second factor of the member is asked for before there is a session. */
      readonly unproven: string | undefined
    }
  | { readonly error: SsoError }

interface Connection {
  readonly id: string
  readonly domains: readonly string[]
}

const NAME_LENGTH = 200
const Address = Type.String({ format: 'email', maxLength: 254 })

/**
 * Finds the member of a user of the provider: first by the subject of an earlier login; then by the address, if the
 * provider vouches for it, which also confirms the address; otherwise it creates a member. If the provider does not
 * vouch for the address, the answer is the same whether an account exists.
 * @throws ApiError 422 EMAIL_TAKEN if a member with the address was created at the same time; a second try finds it
 */
export async function provisionMember(
  ctx: Context,
  { sendMail, operatorSignUp }: Pick<SsoTools, 'sendMail' | 'operatorSignUp'>,
  connection: Connection,
  person: Person,
): Promise<Admission> {
  const known = await findIdentity(ctx, { connectionId: connection.id, subject: person.subject })
  if (known && known.deleted_at === null) {
    if (known.status !== 'active') return { error: 'account_inactive' }
    // The member can have been removed since then.
    const isStill = await noteIdentity(ctx, { id: known.id })
    if (!isStill) return { error: 'account_inactive' }
    const unproven = known.needs_factor && !person.hasSecondFactor ? known.id : undefined
    if (known.needs_factor && unproven === undefined) proveIdentity(ctx, { id: known.id })
    return { memberId: known.member_id, unproven }
  }
  if (person.email === undefined) return { error: 'email_missing' }
  const email = normalizeEmail(person.email)
  if (connection.domains.length > 0 && !connection.domains.includes(domainOf(email)))
    return { error: 'domain_not_allowed' }
  if (!person.isEmailVerified || !fits(Address, email)) return { error: 'email_not_verified' }
  const asked = listRequiredOfDomain(ctx, { domain: domainOf(email) })
  const found = await findCredentials(ctx, { emailKey: emailKey(email) })
  const required = await asked
  if (required.length > 0 && !required.some(({ id }) => id === connection.id))
    return { error: 'domain_not_allowed' }
  if (found && found.email_verified_at === null && found.verified_before)
    return { error: 'account_not_verified' }
  if (found && found.status !== 'active' && found.pending_reason !== 'sign_up')
    return { error: 'account_inactive' }
  const newcomer = { sendMail, email, fullName: shownNameOf(person) }
  const memberId =
    found?.id ??
    (ctx.projectId === OPERATORS_PROJECT
      ? await admitOperator(ctx, operatorSignUp, newcomer)
      : await makeActiveMember(ctx, { email, full_name: newcomer.fullName }))
  if (memberId === undefined) return { error: 'sign_up_closed' }
  // Everything that a stranger may have prepared for this address ends here.
  if (!found?.email_verified_at) await confirmAddress(ctx, sendMail, { memberId, email })
  // Access to the mailbox or to the provider does not prove the second factor of the member.
  const needsFactor =
    found !== undefined &&
    !person.hasSecondFactor &&
    (await listConfirmedFactors(ctx, { memberId })).length > 0
  const identityId = await linkIdentity(ctx, {
    id: newUuid(),
    connection_id: connection.id,
    subject: person.subject,
    member_id: memberId,
    needs_factor: needsFactor,
  })
  emit(ctx, memberSsoLinked, {
    id: toId('member', memberId),
    connection_id: toId(connectionId, connection.id),
  })
  return { memberId, unproven: needsFactor ? identityId : undefined }
}

/** The name that the provider gives, as a member can have it. */
const shownNameOf = ({ name = '' }: Person): string =>
  name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, NAME_LENGTH)
