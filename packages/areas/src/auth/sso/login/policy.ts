import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { ssoRequired } from '../../errors.ts'

/** The domain of an address, in lower case. The provider of a company vouches for it. */
export const domainOf = (email: string): string =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()

const required = () =>
  query
    .selectFrom('sso_connections as c')
    .select('c.id')
    .where('c.required', '=', true)
    .where('c.enabled', '=', true)

/** The connections that addresses of a domain must use; empty if they may log in in any way. */
export const listRequiredOfDomain = defineQuery('sso_required_of_domain', (v: { domain: string }) =>
  required().where(sql<boolean>`${v.domain} = any (c.domains)`),
)

/** The same for the address of a member. */
export const listRequiredOfMember = defineQuery('sso_required_of_member', (v: { memberId: string }) =>
  required()
    .innerJoin('members as m', 'm.project_id', 'c.project_id')
    .where('m.id', '=', v.memberId)
    .where(sql<boolean>`regexp_replace(m.email_key, '^.*@', '') = any (c.domains)`),
)

/**
 * Refuses addresses that must log in by single sign-on. Only the domain decides, before anything else is checked, so
 * that the answer does not show whether an account exists.
 * @throws ApiError 422 SSO_REQUIRED
 */
export async function assertNoSsoRequired(request: FastifyRequest, email: string): Promise<void> {
  const { required } = await request.read({ required: listRequiredOfDomain({ domain: domainOf(email) }) })
  if (required.length > 0) throw ssoRequired()
}
