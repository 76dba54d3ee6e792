import { createHash } from 'node:crypto'
import { Html, html } from '../values/html.ts'
import type { Language } from '../values/languages.ts'

// The pages that links in mails lead to: in one look, without scripts and without anything from other servers.

/** The project whose page it is. */
export interface Site {
  readonly name: string
  /** The origin of the project's own pages, if they have one only. */
  readonly home: string | undefined
}

/** A page for somebody who has followed a link. */
interface PublicPage {
  /** Undefined where nobody knows of which project the page is. */
  readonly site: Site | undefined
  readonly heading: string
  readonly text: string
  /** @default 'en' */
  readonly language?: Language
  /** Omitted where the page asks for nothing. */
  readonly form?: Html
}

const STYLE = `body{margin:0;background:#f3f4f6;color:#111827;font:16px/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:12vh auto 0;padding:2rem;background:#fff;border-radius:8px}
h1{margin:0 0 1rem;font-size:1.4rem}
p{margin:0 0 1rem}
.project{font-weight:600;color:#1f3a5f}
a{color:#1f3a5f}
.fault{color:#b91c1c}
label{display:block;margin:0 0 1rem}
input{display:block;width:100%;box-sizing:border-box;margin-top:.25rem;padding:.6rem;font:inherit;border:1px solid #6b7280;border-radius:6px}
button{padding:.7rem 1.4rem;font:inherit;font-weight:600;color:#fff;background:#1f3a5f;border:0;border-radius:6px;cursor:pointer}
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/**
 * The Content-Security-Policy of a page: it may show itself and post its form to us.
 * @param leadsTo the origin that the answer to the form redirects to, because browsers apply the policy to redirects
 *   too
 */
export const pageHeaders = (leadsTo?: string): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self'${leadsTo === undefined ? '' : ` ${leadsTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
})

/** The page as HTML. */
export const renderPublicPage = ({ site, heading, text, language = 'en', form }: PublicPage): string =>
  html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title><style>${new Html(STYLE)}</style></head>
<body><main>
${site === undefined ? [] : [html`<p class="project">${site.name}</p>`]}
<h1>${heading}</h1>
<p>${text}</p>
${form ?? toHome(site)}
</main></body></html>
`.text

/** The way back of a page that asks for nothing. */
const toHome = (site: Site | undefined): Html =>
  site?.home === undefined ? html`` : html`<p><a href="${site.home}">Back to ${site.name}</a></p>`
