/** The demo site: pages on an origin of their own that use the elements as a customer's site does. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const DEMO = fileURLToPath(new URL('../../packages/elements/demo', import.meta.url))
const BUILD = fileURLToPath(new URL('../../packages/elements/build.mjs', import.meta.url))
const PAGES = ['index', 'account', 'form', 'feedback', 'comments'] as const
type PageName = (typeof PAGES)[number]
const LANGUAGES: Readonly<Record<string, 'ltr' | 'rtl'>> = { en: 'ltr', de: 'ltr', es: 'ltr', ar: 'rtl' }
const THEMES = ['auto', 'light', 'dark']
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** What the pages have to know. */
export interface SiteSettings {
  readonly api: string
  /** A public key that works from the site's origin. */
  readonly key: string
  readonly form: string
  readonly thread: string
}

export interface SiteOptions {
  /** Where the built elements go. */
  readonly folder: string
  /** Origins that pages may call and show pictures of: the API and its file storage. */
  readonly origins: readonly string[]
  /** Finds what the pages have to know; called at the first visit, and again after a failure. */
  readonly findSettings: () => Promise<SiteSettings>
}

/** A server of the demo site. It builds the elements at the first visit, and its pages say so until that is done. */
export function makeDemoSite(options: SiteOptions): Server {
  let ready: SiteSettings | undefined
  let failure: string | undefined
  let preparing: Promise<void> | undefined
  const prepare = () => {
    failure = undefined
    preparing ??= Promise.all([options.findSettings(), build(options.folder)])
      .then(([found]) => {
        ready = found
      })
      .catch((error: Error) => {
        failure = error.message
        preparing = undefined
      })
  }
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site')
    const answer = async () => {
      const file = /^\/(elements|assets)\/([\w./-]+)$/.exec(url.pathname)
      if (file) return sendFile(response, file[1] === 'assets' ? DEMO : options.folder, file[2] ?? '')
      const name = pageOf(url.pathname)
      if (name === undefined) return sendText(response, 404, 'text/plain', 'There is no such page.')
      if (ready !== undefined) return sendPage(response, options, url, name, ready)
      const words = failure ?? 'The elements are being built. This page loads again by itself.'
      const status = failure === undefined ? 503 : 500
      if (preparing === undefined && failure === undefined) prepare()
      else if (failure !== undefined) failure = undefined
      response.setHeader('refresh', '1')
      sendText(response, status, 'text/plain', words)
    }
    answer().catch((error: Error) => sendText(response, 500, 'text/plain', error.message))
  })
}

/** In a process of its own, because it takes all of a processor for a while. @throws Error in words */
async function build(folder: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [BUILD, folder])
  } catch (error) {
    throw new Error(`The elements could not be built: ${(error as Error).message}`, { cause: error })
  }
}

function pageOf(path: string): PageName | undefined {
  const name = path === '/' ? 'index' : path.slice(1)
  return PAGES.find((page) => page === name)
}

async function sendPage(
  response: ServerResponse,
  { origins }: SiteOptions,
  url: URL,
  name: PageName,
  settings: SiteSettings,
): Promise<void> {
  const lang = url.searchParams.get('lang') ?? 'en'
  const theme = url.searchParams.get('theme') ?? 'auto'
  const values: Record<string, string> = {
    ...settings,
    lang: lang in LANGUAGES ? lang : 'en',
    dir: LANGUAGES[lang] ?? 'ltr',
    theme: THEMES.includes(theme) ? theme : 'auto',
    mailbox: `${settings.api}/dev/mailbox`,
  }
  const [layout, main] = await Promise.all([readDemo('layout.html'), readDemo(`${name}.html`)])
  const query = `?lang=${values['lang']}&theme=${values['theme']}`
  const page = layout
    .replace(
      /<html [^>]+>/,
      `<html lang="${values['lang']}" dir="${values['dir']}" data-theme="${values['theme']}">`,
    )
    .replace('{{main}}', () => main)
    .replaceAll(`href="/${name === 'index' ? '' : name}{{query}}"`, (link) => `${link} aria-current="page"`)
    .replaceAll('{{query}}', query.replace('&', '&amp;'))
    .replace(/\{\{(\w+)\}\}/g, (_, word: string) => escaped(values[word] ?? ''))
  const calls = origins.join(' ')
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' ${calls}; connect-src 'self' ${calls}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  sendText(response, 200, 'text/html', page)
}

const readDemo = (name: string) => readFile(join(DEMO, name), 'utf8')

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

async function sendFile(response: ServerResponse, folder: string, path: string): Promise<void> {
  const type = TYPES[extname(path)]
  const isOutside = normalize(path).startsWith('..')
  const content =
    type === undefined || isOutside ? undefined : await readFile(join(folder, path)).catch(() => undefined)
  if (content === undefined || type === undefined)
    return sendText(response, 404, 'text/plain', 'There is no such file.')
  sendText(response, 200, type, content)
}

function sendText(response: ServerResponse, status: number, type: string, content: string | Buffer): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-cache',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
  })
  response.end(content)
}
