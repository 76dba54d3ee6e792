import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { makeSendMail } from '#areas/mail/service.ts'
import { FullName } from '#areas/members/schema.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError, notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { strict } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { pageHeaders } from '#platform/http/public-page.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { isCommon, PASSWORD_LENGTH } from '#platform/secrets/passwords.ts'
import { PAGE_PATH, projectOfToken } from '../tokens/one-time-tokens.ts'
import { findSiteOf, followLink, type Opened, openLink } from './follow-link.ts'
import { type Field, type Page, renderPage } from './page.ts'

const Query = strict({ token: Type.String({ maxLength: 256 }) })
const Form = strict({
  token: Type.String({ maxLength: 256 }),
  full_name: Type.Optional(FullName),
  password: Type.Optional(Type.String({ maxLength: PASSWORD_LENGTH.maxLength })),
})

/** Visits and attempts per minute, of one client address. */
const VISITS = 100
const ATTEMPTS = 20
const FORM_BYTES = 16 * 1024
const open = { access: 'open' } as const

/**
 * The page that mails' links lead to. A GET does not use the link up, because programs that scan mails follow links
 * too.
 */
export function authPages(pages: Api, deps: AreaDeps): void {
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  // Visitors of these paths get pages, not JSON.
  pages.setErrorHandler(async (error: FastifyError | ApiError, request, reply) => {
    const status = error instanceof ApiError ? error.status : (error.statusCode ?? 500)
    if (status >= 500) request.log.error({ err: error }, 'page failed')
    const { token } = { ...(request.query as object), ...(request.body as object) } as { token?: unknown }
    // Visitors who come too often, or while something is down, cause no further query.
    const site = status === 429 || status >= 500 ? undefined : await findSiteOf(deps.asSystem, token)
    return send(reply, status, { site, ...trouble(error instanceof ApiError ? error : undefined) })
  })

  openLinkRoute(pages, deps)
  followLinkRoute(pages, deps)
}

function openLinkRoute(pages: Api, deps: AreaDeps): void {
  pages.get(
    PAGE_PATH,
    { config: open, schema: { hide: true, querystring: Query } },
    async (request, reply) => {
      await count(deps, request, reply, 'address')
      const { token } = request.query
      const projectId = projectOfToken(token)
      const opened = projectId && (await openLink(dataOf(deps, projectId), token))
      if (!opened) throw unknownLink()
      return send(reply, 200, pageFor(opened, token, actionOf(deps)), opened.redirectUrl)
    },
  )
}

function followLinkRoute(pages: Api, deps: AreaDeps): void {
  const sendMail = makeSendMail(deps.config)

  pages.post(PAGE_PATH, { config: open, schema: { hide: true, body: Form } }, async (request, reply) => {
    await count(deps, request, reply, 'authentication')
    const { token } = request.body
    const projectId = projectOfToken(token)
    const opened = projectId && (await openLink(dataOf(deps, projectId), token))
    if (!projectId || !opened) throw unknownLink()
    const again = (fault: string) =>
      send(reply, 422, { ...pageFor(opened, token, actionOf(deps)), fault }, opened.redirectUrl)
    const { fault, password } = passwordOf(opened, request.body)
    if (fault !== undefined) return again(fault)
    const passwordHash =
      password === undefined ? undefined : await deps.passwords.of(projectId).hash(password)
    const fullName = request.body.full_name || undefined
    const target = await dataOf(deps, projectId).write((ctx) =>
      followLink(ctx, sendMail, opened, { token, passwordHash, fullName }),
    )
    if (target === undefined) throw unknownLink()
    return target === null ? send(reply, 200, done(opened)) : reply.redirect(target, 303)
  })
}

const dataOf = (deps: AreaDeps, projectId: string) => deps.asSystem(projectId, 'auth.page')

/** Where the form of the page is sent to. */
const actionOf = ({ config }: AreaDeps) => new URL(config.BASE_URL + PAGE_PATH).pathname

async function count(
  { limiter }: AreaDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  policy: 'address' | 'authentication',
): Promise<void> {
  const points = policy === 'address' ? VISITS : ATTEMPTS
  enforceLimit(request, reply, await limiter.take({ policy, id: `page:${subscriberOf(request.ip)}`, points }))
}

const unknownLink = () => notFound('Link')

const send = (reply: FastifyReply, status: number, page: Page, leadsTo?: string) =>
  reply
    .code(status)
    .headers(pageHeaders(leadsTo === undefined ? undefined : new URL(leadsTo).origin))
    .send(renderPage(page))

/** The password that a link asks for, or what is wrong with it. */
function passwordOf(opened: Opened, form: Static<typeof Form>): { fault?: string; password?: string } {
  const needsOne = opened.password === 'required'
  const password = form.password || undefined
  if (opened.password === 'none') return {}
  if (password === undefined) return needsOne ? { fault: 'Please choose a password.' } : {}
  if ([...password].length < PASSWORD_LENGTH.minLength)
    return { fault: `The password must have at least ${PASSWORD_LENGTH.minLength} characters.` }
  if (isCommon(password)) return { fault: 'This password is too common. Please choose another one.' }
  return { password }
}

const WHAT: Readonly<Record<Opened['purpose'], { heading: string; text: string; button: string }>> = {
  magic_link: { heading: 'Log in', text: 'Press the button to log in.', button: 'Log in' },
  email: {
    heading: 'Confirm your address',
    text: 'Press the button to confirm that this address is yours.',
    button: 'Confirm',
  },
  email_change: {
    heading: 'Confirm your new address',
    text: 'Press the button to confirm that this address is yours.',
    button: 'Confirm',
  },
  password_reset: {
    heading: 'Set a new password',
    text: 'You will be logged out on all other devices.',
    button: 'Set password',
  },
  invitation: {
    heading: 'You are invited',
    text: 'Press the button to become a member.',
    button: 'Accept',
  },
}

const WITH_PASSWORD =
  'Enter the password with which you want to log in: the one with which you signed up, or another one. This confirms that the address is yours.'
const PASSWORD_FIELDS = { required: ['password'], optional: ['optional_password'], none: [] } as const

function pageFor({ purpose, site, redirectUrl, password }: Opened, token: string, action: string): Page {
  const { heading, text, button } = WHAT[purpose]
  const fields: Field[] = [
    ...(purpose === 'invitation' ? ['full_name' as const] : []),
    ...PASSWORD_FIELDS[password],
  ]
  if (purpose === 'magic_link' && redirectUrl === undefined)
    return {
      site,
      heading,
      text: 'Go back to the page on which you wanted to log in, and enter the code from the mail.',
    }
  return {
    site,
    heading,
    text: password === 'required' && purpose === 'email' ? WITH_PASSWORD : text,
    form: { token, button, fields, action },
  }
}

const done = ({ site }: Opened): Page => ({
  site,
  heading: 'Done',
  text: 'You can close this page and go back to the page where you started.',
})

/** The fault, as far as the visitor may know it. */
function trouble(error?: ApiError): Omit<Page, 'site'> {
  const page = (heading: string, text: string) => ({ heading, text })
  switch (error?.status) {
    case 422:
      return page('This is not possible', `${error.message}.`)
    case 429:
      return page('One moment, please', 'There were too many attempts. Please try again in a minute.')
    case 503:
      return page('One moment, please', 'This is not possible right now. Please try again in a minute.')
    default:
      return page(
        'This link does not work',
        'It was used before, it has expired, or a newer link was sent. Please go back to the page where you started, and ask for a new one.',
      )
  }
}
