import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { strict } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { type Html, html } from '#platform/values/html.ts'
import { setSubscription } from '../threads/marks.ts'
import { findSubscribed } from './queries.ts'
import { makeUnsubscribeLinks, type Subscription, UNSUBSCRIBE_PATH } from './unsubscribe-link.ts'

const VISITS = 100
const ByToken = strict({ token: Type.String({ maxLength: 120 }) })
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

/**
 * Where mails' links to unsubscribe lead: a page with a button, because programs that check mails open every link. A
 * POST ends the mails at once, as the button of a mail program sends it (RFC 8058).
 */
export function unsubscribePages(pages: Api, deps: AreaDeps): void {
  const links = makeUnsubscribeLinks(deps.config)
  const open = { access: 'open' } as const
  const dataOf = ({ projectId }: Subscription) => deps.asSystem(projectId, 'discussions.unsubscribe')
  const find = async (wanted: Subscription) =>
    (await dataOf(wanted).read({ found: findSubscribed(wanted) })).found
  const count = async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = {
      policy: 'address',
      id: `unsubscribe:${subscriberOf(request.ip)}`,
      points: VISITS,
    } as const
    enforceLimit(request, reply, await deps.limiter.take(visit))
  }

  pages.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    { parseAs: 'string', bodyLimit: 1024 },
    async () => ({}),
  )

  pages.get(
    `${UNSUBSCRIBE_PATH}/:token`,
    { config: open, schema: { hide: true, params: ByToken } },
    async (request, reply) => {
      await count(request, reply)
      const wanted = links.read(request.params.token)
      if (!wanted) return send(reply, 404, wrong())
      return send(reply, 200, ask(nameOf((await find(wanted))?.title)))
    },
  )

  pages.post(
    `${UNSUBSCRIBE_PATH}/:token`,
    { config: open, schema: { hide: true, params: ByToken } },
    async (request, reply) => {
      await count(request, reply)
      const wanted = links.read(request.params.token)
      if (!wanted) return send(reply, 404, wrong())
      const found = await find(wanted)
      if (found !== undefined) await dataOf(wanted).write(setSubscription({ ...wanted, subscription: 'off' }))
      return send(reply, 200, done(nameOf(found?.title)))
    },
  )
}

const send = (reply: FastifyReply, status: number, page: Html) =>
  reply.code(status).headers(HEADERS).send(page.text)

const page = (heading: string, content: Html) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title></head>
<body><main><h1>${heading}</h1>${content}</main></body></html>
`

/** A discussion that can be seen no more is not named. */
const nameOf = (title: string | null | undefined): string =>
  title === null || title === undefined ? 'this discussion' : `“${title}”`

const ask = (name: string) =>
  page(
    'Unsubscribe',
    html`<p>Do you want to get no more mails about ${name}?</p><form method="post"><button type="submit">Unsubscribe</button></form>`,
  )
const done = (name: string) =>
  page('You are unsubscribed', html`<p>You will get no more mails about ${name}.</p>`)
const wrong = () =>
  page(
    'This link does not work',
    html`<p>A part of the link may be missing. Please open the link in the mail again.</p>`,
  )
