import { newUuid } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'
import { connectSaml } from '#testkit/servers/saml-idp.ts'

/** What the paths of authentication name. */
export const samples = {
  ses: async (side: Side) => ({ id: (await side.signIn(await side.member())).sessionId }),
  fac: beginFactor,
  inv: invite,
  sso: connectSaml,
}

/** An authenticator app of the side's member, begun and not confirmed. */
async function beginFactor(side: Side): Promise<{ id: string }> {
  const { token } = await side.signIn(await side.member())
  const { body } = await side.as(token).post<{ data: { id: string } }>('/auth/mfa/totp', {})
  return body.data
}

async function invite(side: Side): Promise<{ id: string }> {
  const email = `${newUuid()}@example.com`
  return (await side.admin.post<{ data: { id: string } }>('/invitations', { email })).body.data
}
