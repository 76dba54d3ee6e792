import swagger from '@fastify/swagger'
import reference from '@scalar/fastify-api-reference'
import type { Deps } from '../deps.ts'
import { describeAccess } from './access.ts'
import type { Api } from './api.ts'
import { ErrorBody } from './envelope.ts'
import { exampleOf } from './example.ts'

type Json = Record<string, unknown>
interface Operation {
  parameters?: { in: string }[]
  requestBody?: { content: Record<string, Json> }
  responses: Record<string, { content?: Record<string, Json> }>
}

const ERRORS: Record<string, [name: string, description: string, code: string, text: string]> = {
  400: [
    'BadRequest',
    'The request is malformed',
    'INVALID_PARAMETERS',
    'The request is invalid: page must be >= 1',
  ],
  401: [
    'Unauthorized',
    'The credential is missing or invalid',
    'INVALID_TOKEN',
    'The token is invalid or has expired',
  ],
  403: [
    'Forbidden',
    'The credential may not do this',
    'INSUFFICIENT_PERMISSIONS',
    'This key lacks the permission',
  ],
  404: ['NotFound', 'There is no such resource', 'NOT_FOUND', 'Member not found'],
  413: ['TooLarge', 'The body is too large', 'PAYLOAD_TOO_LARGE', 'The request body is larger than 1 MiB'],
  422: [
    'Unprocessable',
    'The body does not fit',
    'VALIDATION_ERROR',
    'The request body is invalid: email is required',
  ],
  429: ['RateLimited', 'Too many requests', 'RATE_LIMITED', 'Too many requests: 60 per minute are allowed'],
  500: ['ServerError', 'A fault on our side', 'INTERNAL_ERROR', 'Something went wrong on our side'],
  503: [
    'Unavailable',
    'Not available right now',
    'UNAVAILABLE',
    'The database cannot be reached right now; try again',
  ],
}

/** The API's document at /openapi.json, made from the routes themselves. */
export async function registerOpenApi(api: Api, { config }: Deps): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Guildhall',
        version: '1.0.0',
        description: 'The membership and community platform behind one REST API.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: config.BASE_URL }],
      security: [{ key: [] }],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description: 'A secret key `svc_sk_…` or a public key `svc_pk_…`',
          },
        },
        responses: errorResponses() as never,
      },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access
      if (access === undefined || schema.hide) return { schema, url }
      const description = [schema.description, describeAccess(access)].filter(Boolean).join('\n\n')
      return { schema: { ...schema, description, 'x-access': access }, url }
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('the document is OpenAPI')
      const { openapiObject } = document
      for (const item of Object.values(openapiObject.paths ?? {}))
        for (const operation of Object.values(item ?? {})) complete(operation as unknown as Operation)
      return openapiObject
    },
  })

  api.get('/openapi.json', { config: { access: 'open' }, schema: { hide: true } }, async () => api.swagger())
}

/**
 * The readable form of the document at /docs. It must be registered before the API's hooks: it is a page of its own,
 * not an endpoint, and takes neither credentials nor the headers of JSON answers.
 */
export async function registerDocs(api: Api): Promise<void> {
  await api.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      reply.headers({ 'content-security-policy': PAGE_POLICY, 'x-content-type-options': 'nosniff' })
    })
    const configuration = { url: '/openapi.json', withDefaultFonts: false }
    await docs.register(reference, { routePrefix: '/docs', configuration })
  })
}

/** The reference page runs its own script and styles, and talks to this API only. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'"

/** Adds to an operation what holds for all: its error answers, and examples made of its schemas' own. */
function complete(operation: Operation): void {
  const statuses = ['400', '401', '403', '429', '500', '503']
  if (operation.parameters?.some((parameter) => parameter.in === 'path')) statuses.push('404')
  if (operation.requestBody) statuses.push('413', '422')
  for (const status of statuses.sort()) {
    operation.responses[status] ??= { $ref: `#/components/responses/${ERRORS[status]?.[0]}` } as never
  }
  for (const { content } of [operation.requestBody, ...Object.values(operation.responses)].filter(
    (part) => part !== undefined,
  )) {
    const json = content?.['application/json']
    if (json?.schema !== undefined) json.example ??= exampleOf(json.schema as Json)
  }
}

function errorResponses(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, [name, description, code, error]]) => {
      const details =
        status === '422' ? { details: [{ field: 'email', rule: 'required', message: 'is required' }] } : {}
      const example = { success: false, error, code, request_id: 'req_0hG1', ...details }
      return [name, { description, content: { 'application/json': { schema: ErrorBody, example } } }]
    }),
  )
}
