import type { FastifyRequest } from 'fastify'
import { invalidField } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { providerUnavailable } from '../../errors.ts'
import { connectionId } from '../../ids.ts'
import { getSettings } from '../../member-queries.ts'
import { assertRedirect } from '../../redirect-url.ts'
import { RECENT_MINUTES } from '../../sessions/queries.ts'
import { newLinkToken } from '../../tokens/one-time-tokens.ts'
import { hashToken } from '../../tokens/refresh-token.ts'
import { findUsable, type UsableConnection } from '../connections/queries.ts'
import { beginLogin } from '../protocols/provider.ts'
import type { StartRequest } from '../schema.ts'
import type { SsoTools } from '../tools.ts'
import { insertLogin } from './queries.ts'

/**
 * Starts a login at the provider of a connection.
 * @returns where to send the browser
 * @throws ApiError 422 for a connection or a redirect URL that cannot be used, or SSO_PROVIDER_UNAVAILABLE
 */
export async function startSso(
  request: FastifyRequest,
  tools: SsoTools,
  input: StartRequest,
): Promise<string> {
  const { connection, redirectUrl } = await prepare(request, input)
  const id = newUuid()
  const maxAge = input.reauthenticate ? RECENT_MINUTES * 60 : undefined
  // The callback has no credential, so the state names the project, as the links of mails do.
  const { projectId } = callerOf(request)
  const state = newLinkToken(projectId)
  const { url, secrets } = await beginLogin(tools, connection, state, maxAge).catch((error: Error) => {
    tools.log.warn({ connection_id: connection.id, reason: error.message }, 'a login could not begin')
    throw providerUnavailable(error)
  })
  const login = insertLogin({
    id,
    connection_id: connection.id,
    state_hash: hashToken(state),
    secrets: tools.box.seal(JSON.stringify(secrets), id, projectId),
    redirect_url: redirectUrl,
    code_challenge: input.code_challenge,
  })
  await request.write(login)
  return url
}

async function prepare(
  request: FastifyRequest,
  input: StartRequest,
): Promise<{ connection: UsableConnection; redirectUrl: string }> {
  const unusable = () =>
    invalidField('connection_id', 'exists', 'is not an enabled connection of this project')
  const id = parseId(connectionId, input.connection_id)
  if (id === undefined) throw unusable()
  const { connection, settings } = await request.read({
    connection: findUsable({ id }),
    settings: getSettings(),
  })
  if (!connection || (connection.uses_old_callback && !connection.may_use_old_callback)) throw unusable()
  return { connection, redirectUrl: assertRedirect(input.redirect_url, settings.allowed_redirect_urls) }
}
