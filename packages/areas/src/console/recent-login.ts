import type { FastifyRequest } from 'fastify'
import { findRecentLogin } from '#areas/auth/service.ts'
import { memberOf } from '#platform/http/caller.ts'
import { recentLoginRequired } from './errors.ts'

/** Says in the document of a route what it asks for. */
export const RECENT_LOGIN_SENTENCE =
  'The operator must have logged in, or have confirmed by `POST /confirm`, within the last 10 minutes.'

/** Whether the operator who asks has logged in or confirmed within 10 minutes. New tokens of a session are no log-in. */
export async function hasRecentLogin(request: FastifyRequest): Promise<boolean> {
  const { recent } = await request.read({ recent: findRecentLogin({ id: memberOf(request).sessionId }) })
  return recent !== undefined
}

/** @throws ApiError 403 RECENT_LOGIN_REQUIRED */
export async function assertRecentLogin(request: FastifyRequest): Promise<void> {
  if (!(await hasRecentLogin(request))) throw recentLoginRequired()
}
