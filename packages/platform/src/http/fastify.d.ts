// The one place that widens Fastify's types.
import type { TSchema } from 'typebox'
import type { Answers, Asks, Work } from '../db/tenant.ts'
import type { ErrorType } from '../define-error.ts'
import type { ApiError } from '../errors.ts'
import type { ApiKey } from '../keys/key-store.ts'
import type { MemberToken } from '../tokens/access-token.ts'
import type { OperatorToken } from '../tokens/operator-token.ts'
import type { Access } from './access.ts'
import type { ActingMemberPlace } from './acting-member-document.ts'
import type { IfMatch, ResourceTag } from './etag.ts'
import type { Claimed } from './idempotency/idempotency.ts'
import type { RateLimitState } from './limits/rate-limiter.ts'
import type { WebhookMessage } from './openapi/webhooks.ts'
import type { ConsoleProject } from './server/console-access.ts'
import type { RouteHints } from './server/route-hints.ts'
import type { WhileSuspended } from './suspended.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which credentials may call the route. A route without it stops the boot. */
    access?: Access
    /**
     * Where the route may read: `replica` for reads that may be a moment old. A `GET` whose answer has `pagination` is one
     * unless it says otherwise; every other route reads the primary unless it says otherwise. `report` is the same for what
     * reads much of a project: it has the login that plans for that, and few connections of its own.
     */
    reads?: 'primary' | 'replica' | 'report'
    /**
     * Bytes of JSON that a row of the list has at most, where its schemas bound them: so many more requests for the list are
     * answered at the same time. Without it, a page of 100 rows may have 8 MiB.
     */
    rowBytes?: number
    /** Where a secret key names the member who acts; see acting-member.ts. */
    actingMember?: ActingMemberPlace
    /**
     * The handler of this POST has one `request.write`, and no effects outside of it. That transaction takes an
     * Idempotency-Key, too: one round trip in place of three (docs/decisions/0011).
     */
    oneTransaction?: true
    /** A POST that only reads. Like a GET, it is given up when its client has gone. */
    onlyReads?: true
    /**
     * Whether a suspended member may do it; see suspended.ts. By default what writes to the community is refused, and all
     * else goes on.
     */
    whileSuspended?: WhileSuspended
    /** The resource that the route answers or changes; see etag.ts. */
    etag?: ResourceTag
    /** The schema of the body as multipart/form-data, for the API's document, where JSON is taken too. */
    multipart?: TSchema
    /** Requests are also counted against the limit of authentication endpoints. */
    countsAsAuthentication?: true
    /** With a public key, it counts as a page view or an event of its client address, and not for the key. */
    countsAsAnalytics?: true
    /** A public key may be the field `key` of a body of `text/plain`, as a browser's beacon sends it. */
    keyInText?: true
    /** The query parameter `ticket` may stand in place of a credential; the route looks it up. */
    takesTicket?: true
    /** A GET whose answer is a secret, a mail's text, an export or a factor: operators who are viewers may not call it. */
    hiddenFromViewers?: true
    /**
     * What only the member may do: an operator who is logged in as the member is refused. It is for passwords, addresses, factors,
     * cards, purchases and whatever else charges a card or keeps one, exports and deletion.
     */
    membersAlone?: true
    /** A route of the console that programs call, which send no `Origin`. */
    anyOrigin?: true
    /** Errors that this route answers besides those that all do. */
    errors?: readonly ErrorType[]
  }

  interface FastifySchema {
    /** The operation's name in client libraries, where its path does not say it: `auth.magicLink.request`. */
    sdk?: string
    /**
     * Whether a POST that is done twice does harm, such as a second mail or a link that no longer works: client libraries then
     * send a key by themselves. By default, what answers 201 does.
     */
    repeatCosts?: boolean
  }

  interface FastifyInstance {
    /** Says in the API's document what the routes with this tag are about. */
    describeTag(name: string, description: string): void
    /** Describes in the API's document what is sent to webhook endpoints. */
    describeWebhooks(messages: () => readonly WebhookMessage[]): void
    /** The document of the console's API. */
    consoleSwagger(): object
    /** All paths that exist, for hints in 404 answers; applications of pages have none. */
    routeHints?: RouteHints
  }

  interface FastifyRequest {
    /** The credential of the request, where it is an API key. */
    key: ApiKey | undefined
    /** The credential of the request, where it is a member's access token. */
    member: MemberToken | undefined
    /** The credential of the request, where it is an operator's token for /api/v1. */
    operator: OperatorToken | undefined
    /** The project in the path of a request to the console, after the operator's role in it was checked. */
    consoleProject: ConsoleProject | undefined
    /** The cell that has forwarded the request, and for which project; `forged` where a header only says so. */
    fromCell: { readonly cell: string; readonly projectId: string | undefined } | 'forged' | undefined
    /** The cell to which the request is forwarded. */
    toCell: string | undefined
    /** The trace of the request, where traces are made. */
    traceId?: string
    /** The field in which the member was named, where it is not the route's own. */
    renamed: ReadonlyMap<string, string> | undefined
    /** The member whom a secret key has named as the one who acts. */
    actsFor: string | undefined
    /** Of the limits that were counted, the one with the least left. */
    rateLimit: RateLimitState | undefined
    /** The Idempotency-Key that this request works under. */
    claimed: Claimed | undefined
    /** The answer that was sent instead of a result. */
    failure: ApiError | undefined
    /** The header `If-Match`, where one was sent; only for routes that declare `etag`. */
    readonly ifMatch: IfMatch | undefined
    /** Asks queries of the credential's project; see ProjectData in db/tenant.ts. */
    read<A extends Asks>(asks: A): Promise<Answers<A>>
    /** Does one transaction in the credential's project; see ProjectData in db/tenant.ts. */
    write<T>(work: Work<T>): Promise<T>
  }
}
