import type { AnswerOf } from '#platform/db/query.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import type { AsSystem } from '#platform/deps.ts'
import { ApiError } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import { allowedRedirect, withParameter } from '#platform/values/redirect-url.ts'
import { getSettings } from '../../member-queries.ts'
import { newLinkToken, projectOfToken } from '../../tokens/one-time-tokens.ts'
import { hashToken } from '../../tokens/refresh-token.ts'
import { findUsable, type UsableConnection } from '../connections/queries.ts'
import type { SsoError } from '../protocols/person.ts'
import { type Answer, type Identified, identify, isRefusal } from '../protocols/provider.ts'
import type { SsoTools } from '../tools.ts'
import { provisionMember } from './provision-member.ts'
import { insertCode, takeAssertion, takeLogin } from './queries.ts'

interface Came {
  readonly state: string
  readonly answer: Answer
  /** The connection of the address; undefined for the address that all OpenID connections shared once. */
  readonly connectionId: string | undefined
}

/** A login whose browser has come back. Its state is used up, whatever happens next. */
interface Opened {
  readonly login: NonNullable<AnswerOf<typeof takeLogin>>
  readonly connection: UsableConnection | undefined
  readonly redirectUrl: string
}

/** The result of a login: a code for the site, or the reason why there is none. */
type Outcome = { readonly code: string } | { readonly error: SsoError }

/**
 * Ends a login at a provider. The state names the project; only the hash of the state proves it.
 * @returns where to send the browser: to the site, with a one-time code or an error, never with a token; undefined if
 * the state is unknown, was used before, or is too old
 */
export async function ssoCallback(
  asSystem: AsSystem,
  tools: SsoTools,
  came: Came,
): Promise<string | undefined> {
  const projectId = projectOfToken(came.state)
  if (projectId === undefined) return undefined
  const data = asSystem(projectId, 'sso.callback')
  const opened = await data.write((ctx) => open(ctx, came))
  if (!opened) return undefined
  const outcome = await resolveLogin(data, projectId, tools, opened, came.answer)
  return 'code' in outcome
    ? withParameter(opened.redirectUrl, 'code', outcome.code)
    : withParameter(opened.redirectUrl, 'error', outcome.error)
}

async function open(ctx: Context, { state, answer, connectionId }: Came): Promise<Opened | undefined> {
  const login = await takeLogin(ctx, { stateHash: hashToken(state) })
  if (!login || (connectionId ?? login.connection_id) !== login.connection_id) return undefined
  const settings = getSettings(ctx)
  const connection = await findUsable(ctx, { id: login.connection_id })
  // At an address that several connections share, an answer for one connection could be given to another. So only old
  // connections may use it, and only if each is the only one of its provider.
  if (connectionId === undefined && !connection?.may_use_old_callback) return undefined
  const redirectUrl = allowedRedirect(login.redirect_url, (await settings).allowed_redirect_urls)
  if (redirectUrl === undefined || (connection && connection.type !== answer.type)) return undefined
  return { login, connection, redirectUrl }
}

async function resolveLogin(
  data: ProjectData,
  projectId: string,
  tools: SsoTools,
  { login, connection }: Opened,
  answer: Answer,
): Promise<Outcome> {
  if (!connection) return { error: 'connection_disabled' }
  const secrets: unknown = JSON.parse(tools.box.open(login.secrets, login.id))
  let identified: Identified
  try {
    identified = await identify(tools, connection, answer, secrets, projectId)
  } catch (error) {
    // Everything that is thrown here is about the answer of the provider.
    const reason = error instanceof Error ? error.message : String(error)
    tools.log.warn({ connection_id: connection.id, reason }, 'a login by single sign-on was refused')
    return { error: isRefusal(error) ? 'access_denied' : 'provider_error' }
  }
  const finish = () =>
    data.write((ctx) => conclude(ctx, tools, { connection, codeChallenge: login.code_challenge, identified }))
  return finish().catch((error: unknown) => {
    // A member with the address was created at the same moment, perhaps by another tab. A second try finds it.
    if (error instanceof ApiError && error.code === 'EMAIL_TAKEN') return finish()
    throw error
  })
}

interface Conclusion {
  readonly connection: UsableConnection
  readonly codeChallenge: string
  readonly identified: Identified
}

async function conclude(
  ctx: Context,
  tools: SsoTools,
  { connection, codeChallenge, identified }: Conclusion,
): Promise<Outcome> {
  const { person, assertion } = identified
  if (assertion) {
    const { assertionId, expiresAt } = assertion
    const taken = {
      id: newUuid(),
      connection_id: connection.id,
      assertion_hash: hashToken(assertionId),
      expires_at: expiresAt,
    }
    if (!(await takeAssertion(ctx, taken))) return { error: 'provider_error' }
  }
  const admission = await provisionMember(ctx, tools, connection, person)
  if ('error' in admission) return admission
  const code = newLinkToken(ctx.projectId)
  insertCode(ctx, {
    id: newUuid(),
    connection_id: connection.id,
    member_id: admission.memberId,
    code_hash: hashToken(code),
    code_challenge: codeChallenge,
    amr: person.hasSecondFactor ? ['sso', 'mfa'] : ['sso'],
    identity_id: admission.unproven ?? null,
    authenticated_at: person.authenticatedAt ?? null,
  })
  return { code }
}
