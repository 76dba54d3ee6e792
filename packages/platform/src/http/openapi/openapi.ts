import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger'
import type { Deps } from '../../deps.ts'
import { VERSION } from '../../version.ts'
import { describeAccess } from '../access.ts'
import type { Api } from '../api.ts'
import { KeptBodies, sendKept } from '../compression/kept-bodies.ts'
import { CONSOLE_API } from '../server/console-access.ts'
import { refusesSuspended } from '../suspended.ts'
import { complete, type Operation } from './document.ts'
import { answerHeaders, byCode, sharedAnswers } from './error-answers.ts'
import { publish } from './publish.ts'
import { type WebhookMessage, webhooksOf } from './webhooks.ts'

const DESCRIPTION = `The membership and community platform behind one REST API.

**Credentials.** Send \`Authorization: Bearer <key>\`. The key alone decides the project and the environment, live or test.
Secret keys (\`svc_sk_…\`) are for servers and have permissions: \`admin\` includes all others, but \`write:x\` does not
include \`read:x\`. Public keys (\`svc_pk_…\`) are for browsers and have capabilities. The access token of a member gives access to
the data of that member. It is a JWT; the keys to verify it are at \`/.well-known/jwks.json\`.

**Answers** are JSON: \`{success: true, data}\`, and lists have \`pagination\`. These operations answer in another shape:

| Operation | Answer |
|---|---|
| \`POST /members\` | \`{member}\`: without \`success\`; the member has \`role\` and \`joined_date\` |
| \`GET /forms/{id}\` | \`{form}\` |
| \`POST /discussions\`, \`POST /discussions/{id}/comments\` | \`{success, discussion}\`, \`{success, comment}\` |
| \`POST /member-content\` | \`{success, content}\` |
| \`POST /feedback\` | \`{success, feedback}\` |
| \`POST /lms/progress\`, \`GET /lms/courses\`, \`GET /lms/enrollments\` | \`{data}\` |
| \`GET /shop/products\`, \`POST /shop/cart\`, \`GET /shop/orders\` | \`{success, products}\`, \`{success, item}\`, \`{success, orders}\` |
| \`GET /help/categories\` | \`{success, categories}\` |
| \`POST /analytics/track\`, \`POST /analytics/pageview\` | \`{success}\` |
| Logins of \`/auth\` | \`{success, member, session}\`, or \`{success, mfa_required, mfa_token, factors}\` |

Timestamps are ISO 8601 in UTC. Do not parse ids. A page after the last one is empty. A resource of another project gets the
same answer as one that does not exist.

**Input** is strict: unknown fields, unknown parameters and wrong types are refused. Values in a body are never converted to
another type.

**Errors** are \`{success: false, error, code, request_id, reason?, limit?, details?}\`. Programs use \`code\` and \`reason\`;
\`error\` is for people and can change. With 401 \`INVALID_TOKEN\`, \`reason\` says what is wrong with the credential. With
429 \`RATE_LIMITED\`, \`limit\` says which limit was exceeded. A wrong link or code of a mail answers 422 \`INVALID_LINK\` or
\`INVALID_CODE\`.

**Repeating requests.** Every POST can be repeated safely: send an \`Idempotency-Key\` that you choose. The same request with the
same key is done once, and a repeated request gets the first answer for 24 hours.

**Limits** count the requests of each key, or of each member, per minute. Authentication endpoints also count the requests of
each client address: a backend that logs its visitors in sends the address of each visitor in \`X-Client-IP\`. The headers of
every answer say how many requests are left of the strictest limit.

**Compression.** With \`Accept-Encoding: br\` or \`gzip\`, lists of 4 KiB and more are compressed. They have a weak \`ETag\`: with
\`If-None-Match\`, the answer is 304 without a body if nothing has changed.

The deprecated prefix \`/sdk\` works like \`/api/v1\`.`

const CONSOLE_DESCRIPTION = `The API of the console, for operators of Guildhall and for the console itself.

Log in, and send the access token as \`Authorization: Bearer\`. The refresh token is in a cookie that no script reads. A request that
changes something must have the \`Origin\` of the console and the header \`X-Guildhall-Console: 1\`. The data of a project is at
\`/api/v1\`: get a token for it with \`POST /console/api/projects/{id}/token\`.`

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const

/** The document takes 2 MB, and an eighth of it compressed. */
const KEPT_BYTES = 16 * 1024 * 1024

/** What the document says besides what routes declare. */
const documentOf = (baseUrl: string, tags: { name: string; description: string }[]) => ({
  openapi: '3.1.0',
  info: {
    title: 'Guildhall',
    version: VERSION,
    description: DESCRIPTION,
    contact: { name: 'Guildhall', url: `${baseUrl}/docs` },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: baseUrl }],
  tags,
  components: {
    securitySchemes: {
      secretKey: bearer('A secret key `svc_sk_…` with the permission that the operation names'),
      publicKey: bearer('A public key `svc_pk_…` with the capability that the operation names'),
      operatorToken: bearer('The access token of an operator who is logged in to the console'),
      memberToken: bearer(
        'The access token of a logged-in member; it gives access to the own data of the member only',
      ),
    },
    headers: answerHeaders as never,
    responses: sharedAnswers() as never,
  },
})

/** The schema of a route with what its config declares. */
const describeRoute: SwaggerTransform = ({ schema, url, route }) => {
  const { access, actingMember, errors, etag, hiddenFromViewers, membersAlone, multipart } =
    route.config ?? {}
  if (access === undefined || schema.hide) return { schema, url }
  const { sdk, repeatCosts, ...described } = schema
  const refuses = refusesSuspended(String(route.method), route.config ?? {})
  const description = [
    schema.description,
    describeAccess(access),
    refuses && 'A suspended member is refused with `MEMBER_SUSPENDED`.',
    membersAlone && 'An operator who is logged in as the member is refused with `OPERATOR_SESSION`.',
  ]
    .filter(Boolean)
    .join('\n\n')
  const notes = {
    'x-sdk': sdk,
    'x-repeat-costs': repeatCosts,
    'x-access': access,
    'x-acting-member': actingMember,
    ...(hiddenFromViewers && { 'x-hidden-from-viewers': true }),
    'x-refuses-suspended': refuses,
    ...(membersAlone && { 'x-members-alone': true }),
    'x-etag': etag !== undefined,
    'x-multipart': multipart,
    'x-errors': byCode(errors),
  }
  return { schema: { ...described, description, ...notes }, url }
}

/** Describes the routes of one document, and hides those of the other one. */
const describeRoutesOf =
  (isIn: (url: string) => boolean): SwaggerTransform =>
  (at) =>
    isIn(at.url) ? describeRoute(at) : { schema: { ...at.schema, hide: true }, url: at.url }

const isOfConsole = (url: string): boolean => url.startsWith(`${CONSOLE_API}/`)

/** Completes a document as it is served. */
function finish(document: Parameters<SwaggerTransformObject>[0], messages: readonly WebhookMessage[]) {
  if (!('openapiObject' in document)) throw new Error('the document is OpenAPI')
  for (const [path, item] of Object.entries(document.openapiObject.paths ?? {}))
    for (const [method, operation] of Object.entries(item ?? {}))
      complete(method, path, operation as unknown as Operation)
  return publish({
    ...document.openapiObject,
    webhooks: webhooksOf(messages),
  })
}

/** The document of the console's API, which is no API of customers: for the console itself. */
async function registerConsoleDocument(api: Api, { config }: Deps): Promise<void> {
  const { servers, components } = documentOf(config.BASE_URL, [])
  await api.register(swagger, {
    decorator: 'consoleSwagger',
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Guildhall console', version: VERSION, description: CONSOLE_DESCRIPTION },
      ...{ servers, components },
    },
    transform: describeRoutesOf(isOfConsole),
    transformObject: (document) => finish(document, []),
  })
  serveDocument(api, `${CONSOLE_API}/openapi.json`, () => JSON.stringify(api.consoleSwagger()))
}

function serveDocument(api: Api, path: string, write: () => string): void {
  const bodies = new KeptBodies(write, KEPT_BYTES)
  api.get(path, { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
    })
    await sendKept(request, reply, bodies, 'openapi.json')
    return reply
  })
}

/** The API's document at /openapi.json, made from the routes themselves when it is first asked for. */
export async function registerOpenApi(api: Api, deps: Deps): Promise<void> {
  const { config } = deps
  const tags: { name: string; description: string }[] = []
  api.decorate('describeTag', (name: string, description: string) => {
    tags.push({ name, description })
  })
  let messages: () => readonly WebhookMessage[] = () => []
  api.decorate('describeWebhooks', (described: () => readonly WebhookMessage[]) => {
    messages = described
  })

  await api.register(swagger, {
    stripBasePath: false,
    openapi: documentOf(config.BASE_URL, tags),
    transform: describeRoutesOf((url) => !isOfConsole(url)),
    transformObject: (document) => finish(document, messages()),
  })

  serveDocument(api, '/openapi.json', () => JSON.stringify(api.swagger()))
  await registerConsoleDocument(api, deps)
}
