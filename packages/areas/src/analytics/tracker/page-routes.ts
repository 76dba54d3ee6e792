import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'

/** The tracker as it is served: without its comments and indentation. */
export function readTracker(): string {
  const source = readFileSync(new URL('./track.js', import.meta.url), 'utf8')
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
}

/** `/t.js`, which sites put into their pages, and `/track.js`, its older address. */
export function trackerPages(pages: Api): void {
  const script = readTracker()
  const zipped = gzipSync(script, { level: 9 })
  const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 20)}"`
  const config = { access: 'open' } as const
  const file = {
    description: 'The script',
    content: {
      'text/javascript': { schema: Type.Unsafe<string>({ type: 'string', examples: ["'use strict'"] }) },
    },
  }
  const described = {
    operationId: 'getTracker',
    sdk: 'analytics.tracker.get',
    summary: 'Get the script of a site',
    description:
      'The script that measures a site. Its address is the `src` of a `script` element with your public key in `data-key`; see the description of Analytics. The query is ignored, so that a page can send a version. Browsers keep the script for an hour and then ask with `If-None-Match`.',
    querystring: Type.Object({}),
    response: { 200: file, 304: Type.Null() },
  }
  for (const [path, schema] of [
    ['/t.js', described],
    ['/track.js', { hide: true }],
  ] as const)
    pages.get(path, { config, schema }, (request, reply) => {
      reply.headers({
        'content-type': 'text/javascript; charset=utf-8',
        // Short, so that a mended one is soon everywhere.
        'cache-control': 'public, max-age=3600',
        'cross-origin-resource-policy': 'cross-origin',
        vary: 'Accept-Encoding, Origin',
        etag,
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(script)
      return reply.header('content-encoding', 'gzip').send(zipped)
    })
}
