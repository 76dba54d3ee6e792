import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AnswerOf } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { strict } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { pageHeaders, renderPublicPage, type Site } from '#platform/http/public-page.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { html } from '#platform/values/html.ts'
import { setSubscription } from '../threads/marks.ts'
import { findSubscribed } from './queries.ts'
import { makeUnsubscribeLinks, type Subscription, UNSUBSCRIBE_PATH } from './unsubscribe-link.ts'

const VISITS = 100
const ByToken = strict({ token: Type.String({ maxLength: 120 }) })

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
      return send(reply, 200, ask(await find(wanted)))
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
      return send(reply, 200, done(found))
    },
  )
}

const send = (reply: FastifyReply, status: number, page: string) =>
  reply.code(status).headers(pageHeaders()).send(page)

/** What a link is about; undefined where there is nothing any more. */
type Found = AnswerOf<typeof findSubscribed>

const siteOf = (found: Found): Site | undefined =>
  found === undefined ? undefined : { name: found.project, home: undefined }
/** A discussion that can be seen no more is not named. */
const nameOf = (found: Found): string =>
  found === undefined || found.title === null ? 'this discussion' : `“${found.title}”`

const ask = (found: Found) =>
  renderPublicPage({
    site: siteOf(found),
    heading: 'Unsubscribe',
    text: `Do you want to get no more mails about ${nameOf(found)}?`,
    form: html`<form method="post"><button type="submit">Unsubscribe</button></form>`,
  })
const done = (found: Found) =>
  renderPublicPage({
    site: siteOf(found),
    heading: 'You are unsubscribed',
    text: `You will get no more mails about ${nameOf(found)}.`,
  })
const wrong = () =>
  renderPublicPage({
    site: undefined,
    heading: 'This link does not work',
    text: 'A part of the link may be missing. Please open the link in the mail again.',
  })
