import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type ApiError, invalidParameters } from '../../errors.ts'
import type { Api } from '../api.ts'
import { handleError, handleNotFound } from '../server/error-handler.ts'

/** The page's script is large and changes only when a dependency changes. */
const SCRIPT_CACHE = 'public, max-age=3600'

/** The icon is part of the page, so that no browser requests one from the API. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%231f3a5f'/><path d='M6 14 16 7l10 7v2H6zm2 4h3v6H8zm6.5 0h3v6h-3zm6.5 0h3v6h-3zM6 25h20v2H6z' fill='white'/></svg>"

/**
 * The document as a page at /docs. It is an application of its own inside the API's, with the headers of pages in place
 * of those of JSON. It is loaded at the first request, because its script of 4 MB would slow down the start of an API
 * process.
 */
export function registerReferencePage(api: Api, { config }: Deps): void {
  let loading: Promise<FastifyInstance> | undefined
  for (const url of ['/docs', '/docs/*']) {
    api.get(url, { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
      loading ??= makePage(config.BASE_URL)
      const page = await loading
      reply.hijack()
      page.routing(request.raw, reply.raw)
    })
  }
}

async function makePage(baseUrl: string): Promise<FastifyInstance> {
  const [{ default: helmet }, { default: reference }] = await Promise.all([
    import('@fastify/helmet'),
    import('@scalar/fastify-api-reference'),
  ])
  const page = Fastify({ exposeHeadRoutes: true })
  await page.register(helmet, {
    frameguard: { action: 'deny' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        scriptSrc: ["'self'", "'unsafe-inline'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        // Requests from the page go to the API's own address, even if the page was opened under another host name.
        connectSrc: ["'self'", baseUrl],
      },
    },
  })
  page.addHook('onRequest', async (request) => {
    // The page makes an address of it, and would stumble.
    if (!URL.canParse(`http://${request.host}`))
      throw invalidParameters([{ field: 'host', rule: 'format', message: 'is not the name of a host' }])
  })
  page.setErrorHandler<FastifyError | ApiError>(handleError)
  page.setNotFoundHandler(handleNotFound)
  page.addHook('onSend', async (request, reply) => {
    if (request.url.endsWith('.js')) reply.header('cache-control', SCRIPT_CACHE)
  })
  await page.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '../openapi.json',
      pageTitle: 'Guildhall API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
      favicon: ICON,
      authentication: { preferredSecurityScheme: 'secretKey' },
    },
  })
  await page.ready()
  return page
}
