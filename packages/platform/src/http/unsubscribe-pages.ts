import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AreaDeps } from '../deps.ts'
import type { UnsubscribeLinks } from '../mail/unsubscribe-links.ts'
import { html } from '../values/html.ts'
import type { Api } from './api.ts'
import { strict } from './envelope.ts'
import { enforceLimit } from './limits/enforce-limits.ts'
import { findSite, firstIdIn } from './project-site.ts'
import { pageHeaders, renderPublicPage, type Site } from './public-page.ts'
import { subscriberOf } from './server/client-address.ts'

const VISITS = 100
const ByToken = strict({ token: Type.String({ maxLength: 120 }) })

/** What a link ends. */
export interface Ended {
  readonly site: Site
  /** As in `mails about ‹this discussion›`. */
  readonly what: string
  /** Whether the mails have ended already, or nobody is there any more who could get them. */
  readonly isOver: boolean
}

interface Unsubscribing {
  readonly path: string
  readonly links: UnsubscribeLinks
  /** What the ids of a link are about. */
  find(ids: readonly string[]): Promise<Ended>
  /** Ends the mails. */
  end(ids: readonly string[]): Promise<unknown>
}

/**
 * Where mails' links to unsubscribe lead: a page with a button, because programs that check mails open every link. A
 * POST ends the mails at once, as the button of a mail program sends it (RFC 8058).
 */
export function unsubscribePages(
  pages: Api,
  deps: AreaDeps,
  { path, links, find, end }: Unsubscribing,
): void {
  const open = { access: 'open' } as const
  const count = async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = {
      policy: 'address',
      id: `unsubscribe:${subscriberOf(request.ip)}`,
      points: VISITS,
    } as const
    enforceLimit(request, reply, await deps.limiter.take(visit))
  }

  // Each kind of page in a scope of its own, because a scope takes a type of body once.
  pages.register(async (scope) => {
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string', bodyLimit: 1024 },
      async () => ({}),
    )
    const schema = { hide: true, params: ByToken } as const
    const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token

    scope.get(`${path}/:token`, { config: open, schema }, async (request, reply) => {
      await count(request, reply)
      const ids = links.read(tokenOf(request))
      if (!ids) return send(reply, 404, wrong(await siteNamedIn(deps, tokenOf(request))))
      const found = await find(ids)
      return send(reply, 200, found.isOver ? over(found) : ask(found))
    })

    scope.post(`${path}/:token`, { config: open, schema }, async (request, reply) => {
      await count(request, reply)
      const ids = links.read(tokenOf(request))
      if (!ids) return send(reply, 404, wrong(await siteNamedIn(deps, tokenOf(request))))
      const found = await find(ids)
      if (!found.isOver) await end(ids)
      return send(reply, 200, done(found))
    })
  })
}

/** The project in a link to unsubscribe. Anybody may have made the link. */
export const siteNamedIn = ({ asSystem }: Pick<AreaDeps, 'asSystem'>, token: string) =>
  findSite(asSystem, firstIdIn(token), 'unsubscribe.wrong-link')

const send = (reply: FastifyReply, status: number, page: string) =>
  reply.code(status).headers(pageHeaders()).send(page)

const ask = ({ site, what }: Ended) =>
  renderPublicPage({
    site,
    heading: 'Unsubscribe',
    text: `Do you want to get no more mails about ${what}?`,
    form: html`<form method="post"><button type="submit">Unsubscribe</button></form>`,
  })
const done = ({ site, what }: Ended) =>
  renderPublicPage({
    site,
    heading: 'You are unsubscribed',
    text: `You will get no more mails about ${what}.`,
  })
const over = ({ site, what }: Ended) =>
  renderPublicPage({
    site,
    heading: 'You are already unsubscribed',
    text: `You get no more mails about ${what}. You have nothing else to do.`,
  })

/** The page for a link that we did not make, or that lacks a part. @param site the project that it names, if any */
export const wrong = (site: Site | undefined): string =>
  renderPublicPage({
    site,
    heading: 'This link does not work',
    text: 'A part of the link may be missing. Please open the link in the mail again.',
  })
