import swagger from '@fastify/swagger'
import type { Deps } from '../../deps.ts'
import { describeAccess } from '../access.ts'
import type { Api } from '../api.ts'
import { complete, type Operation, publish } from './document.ts'
import { answerHeaders, byCode, sharedAnswers } from './error-answers.ts'
import { type WebhookMessage, webhooksOf } from './webhooks.ts'

const DESCRIPTION = `The membership and community platform behind one REST API.

**Credentials.** Send \`Authorization: Bearer <key>\`. The key names the project and its environment, live or test; nothing
else does. Secret keys (\`svc_sk_…\`) belong on servers and carry permissions; \`admin\` implies all, and \`write:x\` does
not imply \`read:x\`. Public keys (\`svc_pk_…\`) may be shown to browsers and carry capabilities. A member's access token
(a JWT, verifiable with the keys at \`/.well-known/jwks.json\`) opens the member's own things.

**Answers** are JSON: \`{success: true, data}\`, with \`pagination\` on lists. These answer in a shape of their own:

| Operation | Answer |
|---|---|
| \`POST /members\` | \`{member}\`: without \`success\`, and the member with \`role\` and \`joined_date\` |
| \`GET /forms/{id}\` | \`{form}\` |
| \`POST /discussions\`, \`POST /discussions/{id}/comments\` | \`{success, discussion}\`, \`{success, comment}\` |
| \`POST /member-content\` | \`{success, content}\` |
| \`POST /feedback\` | \`{success, feedback}\` |
| \`POST /lms/progress\`, \`GET /lms/courses\`, \`GET /lms/enrollments\` | \`{data}\` |
| \`GET /shop/products\`, \`POST /shop/cart\`, \`GET /shop/orders\` | \`{success, products}\`, \`{success, item}\`, \`{success, orders}\` |
| \`GET /help/categories\` | \`{success, categories}\` |
| \`POST /analytics/track\`, \`POST /analytics/pageview\` | \`{success}\` |
| Logins of \`/auth\` | \`{success, member, session}\`, or \`{success, mfa_required, mfa_token, factors}\` |

Timestamps are ISO 8601 in UTC; ids are opaque. A page past the last one is empty. A resource of another project is
answered like one that does not exist.

**Input** is strict: unknown fields, parameters and wrong types are refused, and nothing is coerced in a body.

**Errors** are \`{success: false, error, code, request_id, reason?, limit?, details?}\`; decide on \`code\` and \`reason\`, not
on the text. 401 \`INVALID_TOKEN\` says in \`reason\` what is wrong with the credential; 429 \`RATE_LIMITED\` says in \`limit\`
which limit it is and whom it counts. A link or a code of a mail is not a credential: 422 \`INVALID_LINK\` or \`INVALID_CODE\`.

**Repeats.** Any POST can be repeated safely: send an \`Idempotency-Key\` of your own, and the same request with the same key
is done once, and answered again for 24 hours.

**Limits** count the requests of each key, or of each member, per minute; authentication endpoints count each client
address too: a backend that logs its visitors in names their address in \`X-Client-IP\`. Every answer says how many are left
of the limit that is nearest.

The deprecated prefix \`/sdk\` answers as \`/api/v1\`.`

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const

/** The API's document at /openapi.json, made from the routes themselves when it is first asked for. */
export async function registerOpenApi(api: Api, { config }: Deps): Promise<void> {
  const tags: { name: string; description: string }[] = []
  api.decorate('describeTag', (name: string, description: string) => {
    tags.push({ name, description })
  })
  const messages: WebhookMessage[] = []
  api.decorate('describeWebhooks', (described: readonly WebhookMessage[]) => {
    messages.push(...described)
  })

  await api.register(swagger, {
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Guildhall',
        version: '1.0.0',
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: config.BASE_URL }],
      tags,
      components: {
        securitySchemes: {
          secretKey: bearer('A secret key `svc_sk_…`, with the permission that the operation names'),
          publicKey: bearer('A public key `svc_pk_…`, with the capability that the operation names'),
          memberToken: bearer('The access token of a member who logged in; it opens their own things only'),
        },
        headers: answerHeaders as never,
        responses: sharedAnswers() as never,
      },
    },
    transform: ({ schema, url, route }) => {
      const { access, actingMember, errors, etag, multipart } = route.config ?? {}
      if (access === undefined || schema.hide) return { schema, url }
      const description = [schema.description, describeAccess(access)].filter(Boolean).join('\n\n')
      const notes = {
        'x-access': access,
        'x-acting-member': actingMember,
        'x-etag': etag !== undefined,
        'x-multipart': multipart,
        'x-errors': byCode(errors),
      }
      return { schema: { ...schema, description, ...notes }, url }
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('the document is OpenAPI')
      const webhooks = webhooksOf(messages)
      for (const item of Object.values(document.openapiObject.paths ?? {}))
        for (const [method, operation] of Object.entries(item ?? {}))
          complete(method, operation as unknown as Operation)
      return publish({ ...document.openapiObject, webhooks })
    },
  })

  let text: string | undefined
  api.get(
    '/openapi.json',
    { config: { access: 'open' }, schema: { hide: true } },
    async (_request, reply) => {
      text ??= JSON.stringify(api.swagger())
      return reply.type('application/json; charset=utf-8').send(text)
    },
  )
}
