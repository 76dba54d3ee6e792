import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { strict } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { getSite } from '#platform/http/project-site.ts'
import { pageHeaders, renderPublicPage, type Site } from '#platform/http/public-page.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { siteNamedIn, wrong } from '#platform/http/unsubscribe-pages.ts'
import { html } from '#platform/values/html.ts'
import { KINDS, type Kind } from '../kinds.ts'
import {
  getPreferences,
  makePreferences,
  rescheduleMails,
  updatePreferences,
} from '../preferences/queries.ts'
import { findReader } from './queries.ts'
import { type Mailed, makeUnsubscribeLinks, UNSUBSCRIBE_PATH } from './unsubscribe-link.ts'

const VISITS = 100
const ByToken = strict({ token: Type.String({ maxLength: 120 }) })

/**
 * Where mails' links to unsubscribe lead: a page with a button for each kind of the mail, because programs that check
 * mails open every link. The button of a mail program (RFC 8058) ends all kinds of the mail at once.
 */
export function unsubscribePages(pages: Api, deps: AreaDeps): void {
  const links = makeUnsubscribeLinks(deps.config)
  const config = { access: 'open' } as const
  const dataOf = ({ projectId }: Mailed) => deps.asSystem(projectId, 'notifications.unsubscribe')
  /** The project, and the kinds that the member still gets by mail: none where the member is gone. */
  const openOf = async (mailed: Mailed): Promise<{ site: Site; kinds: readonly Kind[] }> => {
    const { reader, site } = await dataOf(mailed).read({ reader: findReader(mailed), site: getSite() })
    if (reader === undefined) return { site, kinds: [] }
    const { preferences } = await dataOf(mailed).read({ preferences: getPreferences({ id: mailed.member }) })
    return { site, kinds: mailed.kinds.filter((kind) => preferences[kind].mail !== 'never') }
  }
  const count = async (request: FastifyRequest, reply: FastifyReply) => {
    const id = `unsubscribe:${subscriberOf(request.ip)}`
    enforceLimit(request, reply, await deps.limiter.take({ policy: 'address', id, points: VISITS }))
  }

  pages.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    { parseAs: 'string', bodyLimit: 1024 },
    async (_request: FastifyRequest, body: string | Buffer) => new URLSearchParams(String(body)),
  )

  pages.get(
    `${UNSUBSCRIBE_PATH}/:token`,
    { config, schema: { hide: true, params: ByToken } },
    async (request, reply) => {
      await count(request, reply)
      const mailed = links.read(request.params.token)
      if (!mailed) return send(reply, 404, wrong(await siteNamedIn(deps, request.params.token)))
      const { site, kinds } = await openOf(mailed)
      return send(reply, 200, kinds.length === 0 ? over(site, mailed.kinds) : ask(site, kinds))
    },
  )

  pages.post(
    `${UNSUBSCRIBE_PATH}/:token`,
    { config, schema: { hide: true, params: ByToken } },
    async (request, reply) => {
      await count(request, reply)
      const mailed = links.read(request.params.token)
      if (!mailed) return send(reply, 404, wrong(await siteNamedIn(deps, request.params.token)))
      const wanted = (request.body as unknown as URLSearchParams | undefined)?.get?.('kind')
      const asked = mailed.kinds.filter((kind) => !wanted || kind === wanted)
      const { site, kinds } = await openOf(mailed)
      if (asked.some((kind) => kinds.includes(kind))) await end(mailed, asked)
      return send(reply, 200, done(site, asked))
    },
  )

  const end = (mailed: Mailed, kinds: readonly Kind[]) =>
    dataOf(mailed).write(async (ctx) => {
      const { member: id } = mailed
      makePreferences(ctx, { ids: [id] })
      const changes = Object.fromEntries(kinds.map((kind) => [kind, { mail: 'never' as const }]))
      await updatePreferences(ctx, { id, changes, ifMatch: undefined })
      await rescheduleMails(ctx, { id })
    })
}

const send = (reply: FastifyReply, status: number, page: string) =>
  reply.code(status).headers(pageHeaders()).send(page)

const wordsOf = (kinds: readonly Kind[]): string => kinds.map((kind) => KINDS[kind].words).join(', ')

const ask = (site: Site, kinds: readonly Kind[]) =>
  renderPublicPage({
    site,
    heading: 'Unsubscribe',
    text: 'Which mails do you want to end?',
    form: html`${[
      ...kinds.map(
        (kind) =>
          html`<form method="post"><p><button type="submit" name="kind" value="${kind}">No mails about ${KINDS[kind].words}</button></p></form>`,
      ),
      ...(kinds.length > 1
        ? [html`<form method="post"><p><button type="submit">No mails about any of these</button></p></form>`]
        : []),
    ]}`,
  })
const done = (site: Site, kinds: readonly Kind[]) =>
  renderPublicPage({
    site,
    heading: 'You are unsubscribed',
    text: `You will get no more mails about ${wordsOf(kinds)}.`,
  })
const over = (site: Site, kinds: readonly Kind[]) =>
  renderPublicPage({
    site,
    heading: 'You are already unsubscribed',
    text: `You get no more mails about ${wordsOf(kinds)}. You have nothing else to do.`,
  })
