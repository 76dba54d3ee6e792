import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError, forbidden } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { strict } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { pageHeaders } from '#platform/http/public-page.ts'
import { consoleOrigins } from '#platform/http/server/console-access.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { makeIdentity } from '../identity.ts'
import { type Page, renderPage } from '../pages/page.ts'
import { deviceOf, present } from '../sessions/sessions.ts'
import { signIn } from '../sessions/sign-in.ts'
import { takeToken } from '../tokens/queries.ts'
import { hashToken } from '../tokens/refresh-token.ts'
import { RefreshCookie } from './refresh-cookie.ts'

/** Where the link that `npm start` prints leads to. */
export const START_PATH = '/console/start'

const Token = strict({ token: Type.String({ maxLength: 256 }) })
const open = { config: { access: 'open' } } as const
const ATTEMPTS = 20

/**
 * The page of the link that `npm start` prints: it logs its first visitor in, once, and only from this machine. Opening it
 * uses nothing up; its button does.
 */
export function startPages(pages: Api, deps: AreaDeps): void {
  const identity = makeIdentity(deps)
  const cookie = new RefreshCookie(deps.config.BASE_URL)
  const origins = consoleOrigins(deps.config.BASE_URL)
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4_096 },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  pages.setErrorHandler(async (error: Error, request, reply) => {
    const status =
      error instanceof ApiError ? error.status : ((error as { statusCode?: number }).statusCode ?? 500)
    if (status >= 500) request.log.error({ err: error }, 'page failed')
    return send(reply, status, INVALID)
  })
  pages.get(START_PATH, { ...open, schema: { hide: true, querystring: Token } }, async (request, reply) => {
    assertLocal(request)
    const form = { token: request.query.token, button: 'Log in', fields: [], action: START_PATH }
    return send(reply, 200, {
      site: undefined,
      heading: 'Log in to the console',
      text: 'This link works once.',
      form,
    })
  })
  pages.post(START_PATH, { ...open, schema: { hide: true, body: Token } }, async (request, reply) => {
    assertLocal(request)
    if (!origins.includes(request.headers.origin ?? '')) throw refused()
    const limit = { policy: 'authentication', id: 'console start', points: ATTEMPTS } as const
    enforceLimit(request, reply, await deps.limiter.take(limit))
    const hash = hashToken(request.body.token)
    const device = deviceOf(request)
    const signedIn = await deps.asSystem(OPERATORS_PROJECT, 'console.start').write(async (ctx) => {
      const row = await takeToken(ctx, { hash, purposes: ['exchange'] })
      return row?.member_id ? signIn(ctx, row.member_id, { amr: ['magic_link'], device }) : undefined
    })
    if (signedIn?.outcome !== 'session') throw refused()
    const session = await present(identity, signedIn.session)
    cookie.set(reply, session.refresh_token)
    return reply.code(303).headers(pageHeaders()).header('location', '/console').send()
  })
}

const INVALID: Page = {
  site: undefined,
  heading: 'This link does not work',
  text: 'It works once, within 15 minutes, on the machine on which npm start runs. Start again to get another one.',
}
const refused = () => forbidden('This link does not work here')

/** @throws ApiError 403 for a client on another machine */
function assertLocal({ ip, headers }: FastifyRequest): void {
  const isLocal = isIP(ip) !== 0 && ipaddr.process(ip).range() === 'loopback'
  // What a proxy on this machine passes on comes from elsewhere.
  if (!isLocal || headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) throw refused()
}

/** Its form says where it comes from, which a browser leaves out where a page says nothing of itself. */
const HEADERS = { ...pageHeaders(), 'referrer-policy': 'same-origin' }
const send = (reply: FastifyReply, status: number, page: Page) =>
  reply.code(status).headers(HEADERS).send(renderPage(page))
