import type { Context, RunInProject } from '#platform/db/tenant.ts'
import type { AsSystem } from '#platform/deps.ts'
import { ApiError } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import { allowedRedirect, withParameter } from '#platform/values/redirect-url.ts'
import { getSettings } from '../../member-queries.ts'
import { newLinkToken, projectOfToken } from '../../tokens/one-time-tokens.ts'
import { hashToken } from '../../tokens/refresh-token.ts'
import { countOfIssuer, findUsable } from '../connections/queries.ts'
import type { SsoError } from '../protocols/person.ts'
import {
  type Answer,
  type Identified,
  identify,
  isRefusal,
  type UsableConnection,
} from '../protocols/provider.ts'
import type { SsoTools } from '../tools.ts'
import { provisionMember } from './provision-member.ts'
import { insertCodeRow, takeAssertion, takeLogin } from './queries.ts'

interface Came {
  readonly state: string
  readonly answer: Answer
  /** The connection that the address was of; undefined for the one that all OpenID connections had once. */
  readonly connectionId: string | undefined
}

/** A login that has come back: its state is used up, whatever becomes of it. */
interface Opened {
  readonly login: NonNullable<Awaited<ReturnType<typeof takeLogin>>>
  readonly connection: UsableConnection | undefined
  readonly redirectUrl: string
}

/** What is left of a login whose provider has answered: a code for the site, or the reason why there is none. */
type Outcome = { readonly code: string } | { readonly error: SsoError }

/**
 * Ends a login at a provider. Its state names the project, and nothing but the state's hash proves it.
 * @returns where to send the browser: to the site, with a one-time code or with an error, and never with a token;
 * undefined where the state is unknown, was used before, or is too old
 */
export async function ssoCallback(
  asSystem: AsSystem,
  tools: SsoTools,
  came: Came,
): Promise<string | undefined> {
  const projectId = projectOfToken(came.state)
  if (projectId === undefined) return undefined
  const inProject = <T>(work: (ctx: Context) => PromiseLike<T>) => asSystem(projectId, 'sso.callback', work)
  const opened = await inProject((ctx) => open(ctx, came))
  if (!opened) return undefined
  const outcome = await settle(inProject, tools, opened, came.answer)
  return 'code' in outcome
    ? withParameter(opened.redirectUrl, 'code', outcome.code)
    : withParameter(opened.redirectUrl, 'error', outcome.error)
}

async function open(ctx: Context, { state, answer, connectionId }: Came): Promise<Opened | undefined> {
  const login = await takeLogin(ctx, hashToken(state))
  if (!login || (connectionId ?? login.connection_id) !== login.connection_id) return undefined
  const [connection, settings] = await findUsable(ctx, login.connection_id).and(getSettings(ctx))
  if (connectionId === undefined && !(connection && (await mayUseOldCallback(ctx, connection))))
    return undefined
  const redirectUrl = allowedRedirect(login.redirect_url, settings.allowed_redirect_urls)
  if (redirectUrl === undefined || (connection && connection.type !== answer.type)) return undefined
  return { login, connection, redirectUrl }
}

/**
 * At an address that several connections share, an answer that was meant for one could be given to another. So it is
 * only for those from before, each the only one to its provider.
 */
export const mayUseOldCallback = async (ctx: Context, connection: UsableConnection): Promise<boolean> =>
  connection.uses_old_callback && (await countOfIssuer(ctx, connection.issuer)) === 1

async function settle(
  inProject: RunInProject,
  tools: SsoTools,
  { login, connection }: Opened,
  answer: Answer,
): Promise<Outcome> {
  if (!connection) return { error: 'connection_disabled' }
  const secrets: unknown = JSON.parse(tools.box.open(login.secrets, login.id))
  let identified: Identified
  try {
    identified = await identify(tools, connection, answer, secrets)
  } catch (error) {
    // Whatever is thrown there is about what the provider says, or does not say.
    const reason = error instanceof Error ? error.message : String(error)
    tools.log.warn({ connection_id: connection.id, reason }, 'a login by single sign-on was refused')
    return { error: isRefusal(error) ? 'access_denied' : 'provider_error' }
  }
  const finish = () =>
    inProject((ctx) => conclude(ctx, tools, { connection, codeChallenge: login.code_challenge, identified }))
  return finish().catch((error: unknown) => {
    // Somebody became a member with the address at this moment, perhaps in another tab: now they are found.
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
  { sendMail }: SsoTools,
  { connection, codeChallenge, identified }: Conclusion,
): Promise<Outcome> {
  const { person, assertion } = identified
  if (assertion) {
    const { assertionId, expiresAt } = assertion
    const taken = { id: newUuid(), connectionId: connection.id, hash: hashToken(assertionId), expiresAt }
    if (!(await takeAssertion(ctx, taken))) return { error: 'provider_error' }
  }
  const admission = await provisionMember(ctx, sendMail, connection, person)
  if ('error' in admission) return admission
  const code = newLinkToken(ctx.projectId)
  insertCodeRow(ctx, {
    id: newUuid(),
    connection_id: connection.id,
    member_id: admission.memberId,
    code_hash: hashToken(code),
    code_challenge: codeChallenge,
    amr: person.hasSecondFactor ? ['sso', 'mfa'] : ['sso'],
    identity_id: admission.unproven ?? null,
  })
  return { code }
}
