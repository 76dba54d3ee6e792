import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import type { RuleStore } from '../checks/rule-store.ts'
import { manifestTooLarge } from '../errors.ts'
import type { Manifests } from './manifest.ts'

const Manifest = Type.Object(
  {
    etag: Type.String({ examples: ['"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"'] }),
    manifest: Type.String({
      description:
        'A JWS in compact form, `typ` `content-manifest+jws`, signed with a key of /.well-known/jwks.json',
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImNvbnRlbnQtbWFuaWZlc3QrandzIn0.e30.c2lnbmF0dXJl'],
    }),
  },
  { title: 'ContentManifest' },
)

export function manifestRoutes(api: Api, rules: RuleStore, manifests: Manifests): void {
  api.get(
    '/member-content/manifest',
    {
      config: { access: { secret: 'read:content' }, errors: [manifestTooLarge] },
      schema: {
        operationId: 'getContentManifest',
        summary: 'Get all active rules as a signed document',
        description:
          'An edge server can use this document to decide by itself. Send `If-None-Match`: if nothing changed, the answer is 304. The grant of a page check names the rule that it covers. With such a grant an edge server can let a visitor pass without another request.',
        response: {
          200: envelope(Manifest),
          304: Type.Null({ description: 'The rules have not changed' }),
        },
      },
    },
    async (request, reply) => {
      const { projectId } = callerOf(request)
      const compiled = await rules.of(projectId, request)
      const { etag, jws } = await manifests.of(projectId, compiled)
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send(null)
      return { etag, manifest: jws }
    },
  )
}

const namesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
