import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, notFound } from '../errors.ts'
import type { Api } from '../http/api.ts'
import { type Html, html } from '../values/html.ts'

/** The largest number of shown mails, newest first. */
const SHOWN = 50

/** A mail that was caught and not sent, as /dev/mailbox shows it. */
interface CaughtMail {
  readonly id: string
  readonly date: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** In the order of the text. */
  readonly links: readonly string[]
}

/**
 * /dev/mailbox: the mails that the launcher caught, with their links and codes, as JSON or as a page. It exists only if
 * MAILBOX_DIR is set, which production refuses. It needs no credential, so it answers only pages of this machine.
 */
export function registerMailbox(
  api: Api,
  { config }: { config: { MAILBOX_DIR?: string; BASE_URL: string } },
): void {
  const { MAILBOX_DIR: folder, BASE_URL } = config
  if (folder === undefined) return
  const hidden = { config: { access: 'open' }, schema: { hide: true } } as const
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', new URL(BASE_URL).hostname])

  api.get<{ Querystring: { to?: string } }>('/dev/mailbox', hidden, async (request, reply) => {
    assertOwn(request, hosts)
    const { to } = request.query
    const ids = (await idsIn(folder)).slice(0, to === undefined ? SHOWN : undefined)
    const all = (await Promise.all(ids.map((id) => readMail(folder, id)))).filter(
      (mail) => mail !== undefined,
    )
    const mails = all.filter((mail) => to === undefined || mail.to.includes(to.toLowerCase())).slice(0, SHOWN)
    return wantsPage(request) ? sendPage(reply, listPage(mails)) : { success: true, data: mails }
  })

  api.get<{ Params: { id: string } }>('/dev/mailbox/:id', hidden, async (request, reply) => {
    assertOwn(request, hosts)
    const mail = /^[\w-]+$/.test(request.params.id) ? await readMail(folder, request.params.id) : undefined
    if (mail === undefined) throw notFound('Mail')
    return wantsPage(request) ? sendPage(reply, mailPage(mail)) : { success: true, data: mail }
  })
}

/**
 * Pages of others must not read this one: neither from their own origin, nor by a host name of theirs that leads to
 * this machine.
 * @throws ApiError 403
 */
function assertOwn({ headers, hostname, host }: FastifyRequest, hosts: ReadonlySet<string>): void {
  const { origin } = headers
  if (!hosts.has(hostname) || (origin !== undefined && URL.parse(origin)?.host !== host))
    throw forbidden('The mailbox is shown to this machine only')
}

const wantsPage = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false

/** The newest first: file names start with the time. */
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith('.eml'))
    .map((name) => name.slice(0, -'.eml'.length))
    .sort()
    .reverse()
}

/** Undefined if the mail was deleted to make room for newer ones. */
async function readMail(folder: string, id: string): Promise<CaughtMail | undefined> {
  const raw = await readFile(join(folder, `${id}.eml`)).catch(() => undefined)
  if (raw === undefined) return undefined
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw)
  const text = mail.text ?? ''
  return {
    id,
    date: mail.date ?? '',
    from: mail.from?.address ?? '',
    to: (mail.to ?? []).flatMap(({ address }) => (address === undefined ? [] : [address.toLowerCase()])),
    subject: mail.subject ?? '',
    text,
    html: mail.html ?? '',
    links: text.match(/https?:\/\/\S+/g) ?? [],
  }
}

/** No scripts, nothing from other servers, and the HTML of the mail in a frame that can only open links. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'none'"

const sendPage = (reply: FastifyReply, page: Html): FastifyReply =>
  reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page.text)

const page = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{padding:.25rem 1rem .25rem 0;text-align:left}pre{white-space:pre-wrap;background:#f3f4f6;padding:1rem}iframe{width:100%;height:40rem;border:1px solid #d1d5db}</style>
</head><body><h1>${title}</h1>${body}</body></html>
`

function listPage(mails: readonly CaughtMail[]): Html {
  if (mails.length === 0) return page('Mailbox', html`<p>No mail yet.</p>`)
  const rows = mails.map(
    ({ id, date, to, subject }) =>
      html`<tr><td>${date}</td><td>${to.join(', ')}</td><td><a href="/dev/mailbox/${id}">${subject || '(no subject)'}</a></td></tr>`,
  )
  return page(
    'Mailbox',
    html`<table><thead><tr><th>Sent</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}

const mailPage = (mail: CaughtMail): Html =>
  page(
    mail.subject || '(no subject)',
    html`<p><a href="/dev/mailbox">Mailbox</a></p><p>From ${mail.from} to ${mail.to.join(', ')}, ${mail.date}</p>
<pre>${mail.text}</pre>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="HTML" srcdoc="${`<base target="_blank">${mail.html}`}"></iframe>`,
  )
