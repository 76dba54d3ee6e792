import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorType } from '../../define-error.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { Api } from '../api.ts'
import { KeptBodies, sendKept } from '../compression/kept-bodies.ts'
import type { Asset } from './assets.ts'
import type { OpenApiDocument } from './reference/openapi-types.ts'
import type { Site } from './site.ts'

/** Bytes that pages may take in memory, in the forms in which they were asked for. All pages as Brotli have about 5 MiB. */
const KEPT_BYTES = 24 * 1024 * 1024

/** What everybody may keep, but asks about by its ETag. */
const REVALIDATED = 'public, max-age=60'
/** An asset whose address names its content. */
const FOREVER = 'public, max-age=31536000, immutable'

interface Loaded {
  readonly site: Site
  readonly assets: ReadonlyMap<string, Asset>
  readonly bodies: KeptBodies
}

/**
 * The documentation at /docs, with its twins in Markdown and /llms.txt. Pages are made from the API's own document and from
 * docs/, each when it is first asked for; nothing is read at the start.
 * @param errors all that areas declare
 */
export function registerDocs(api: Api, { config }: Deps, errors: readonly ErrorType[]): void {
  let loading: Promise<Loaded> | undefined
  const load = async (): Promise<Loaded> => {
    // The start of a process loads none of it.
    const [{ Site }, { readAssets, urlsOf }, { readTexts }] = await Promise.all([
      import('./site.ts'),
      import('./assets.ts'),
      import('./texts.ts'),
    ])
    const [assets, texts] = await Promise.all([readAssets(), readTexts()])
    const document = api.swagger() as unknown as OpenApiDocument
    // The document takes long by itself: requests are answered before the pages are made of it.
    await nextTurn()
    const site = new Site({ document, errors, texts, baseUrl: config.BASE_URL, assets: urlsOf(assets) })
    return { site, assets, bodies: new KeptBodies((path) => bodyOf(path, { site, assets }), KEPT_BYTES) }
  }
  const policy = policyOf(config.BASE_URL)
  for (const url of ['/docs', '/docs/*', '/llms.txt'])
    api.get(url, { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
      loading ??= load()
      const loaded = await loading.catch((error: unknown) => {
        // The next request tries again.
        loading = undefined
        throw error
      })
      return answer(request, reply, loaded, policy)
    })
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, assets, bodies }: Loaded,
  policy: string,
): Promise<FastifyReply> {
  const path = pathOf(request.url)
  // Behind a proxy, the page may have another path than here: the redirect is relative.
  if (path.endsWith('/')) return reply.redirect(`../${path.split('/').at(-2)}`, 308)
  const asset = assets.get(path)
  const version = new URL(request.url, 'http://local').searchParams.get('v')
  reply.headers({
    'content-type': asset?.type ?? typeOf(path),
    'cache-control': asset !== undefined && asset.version === version ? FOREVER : REVALIDATED,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
  if (await sendKept(request, reply, bodies, path)) return reply
  if (!request.headers.accept?.includes('text/html')) throw notFound('Page')
  return reply.code(404).header('cache-control', 'no-store').send(site.missing(path))
}

const pathOf = (url: string): string => {
  const [path = ''] = url.split('?')
  return URL.canParse(path, 'http://local') ? decodeURI(path) : path
}

const TYPES: readonly (readonly [ending: string, type: string])[] = [
  ['.md', 'text/markdown; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
]

const typeOf = (path: string): string =>
  TYPES.find(([ending]) => path.endsWith(ending))?.[1] ?? 'text/html; charset=utf-8'

/** The content of a path; undefined where there is none. */
function bodyOf(path: string, { site, assets }: Pick<Loaded, 'site' | 'assets'>) {
  if (path === '/llms.txt') return site.index()
  if (path === '/docs/search.json') return site.searchIndex()
  return assets.get(path)?.text ?? (path.endsWith('.md') ? site.markdown(path) : site.html(path))
}

/** Scripts and styles are files; nothing else is run. Calls from a page go to the API's own address only. */
const policyOf = (baseUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
