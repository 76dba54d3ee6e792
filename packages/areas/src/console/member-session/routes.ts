import { Type } from 'typebox'
import { makeOpenSessionAs } from '#areas/auth/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { clientAddress } from '#platform/http/server/client-address.ts'
import { operatorLoginOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { openSide } from '../service.ts'
import { ByMember } from '../timeline/schema.ts'

const SessionRequest = strict(
  {
    environment: oneOf(['live', 'test'], { description: 'The side of the project', examples: ['live'] }),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'The reason, for the audit log',
        examples: ['The member cannot find an order'],
      }),
    ),
  },
  { title: 'MemberSessionRequest' },
)

const MemberSession = Type.Object(
  {
    access_token: Type.String({
      description: 'An access token of the member, with the claim `act`',
      examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln'],
    }),
    token_type: Type.Literal('Bearer', { description: 'How the token is sent' }),
    member_id: MemberId,
    session_id: Type.String({
      description: 'The id of the session',
      examples: ['ses_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
    expires_in: Type.Integer({ description: 'Seconds until the token expires', examples: [900] }),
    expires_at: Timestamp({ description: 'When the token expires; it cannot be refreshed' }),
  },
  { title: 'MemberSession' },
)

export function memberSessionRoutes(api: Api, deps: AreaDeps): void {
  createMemberSessionRoute(api, deps)
}

function createMemberSessionRoute(api: Api, deps: AreaDeps): void {
  const openSessionAs = makeOpenSessionAs(deps.config)
  api.post(
    '/projects/:id/members/:member_id/session',
    {
      config: { access: { operator: 'admin' } },
      schema: {
        tags: ['Members'],
        operationId: 'createMemberSession',
        summary: 'Log in as a member',
        description:
          'An access token of the member for 15 minutes, without a refresh token. It ends earlier when the operator logs out, or the role ends or changes. It changes no password, address, factor, passkey or card, buys nothing, exports no data and deletes nothing of the account: those operations answer 403 `OPERATOR_SESSION`. The audit log has the log-in, and `GET /user/profile` shows the operator. The member is told by mail, unless the mail settings turn that off.',
        params: ByMember,
        body: SessionRequest,
        response: { 201: envelope(MemberSession) },
      },
    },
    async (request) => {
      const { environment, reason } = request.body
      const { member_id: memberId } = request.params
      const operator = operatorLoginOf(request)
      const side = await openSide(request, deps, environment)
      const device = { ip: clientAddress(request), userAgent: null }
      const claims = await side.write((ctx) => openSessionAs(ctx, { memberId, operator, reason, device }))
      const { token, expiresAt } = await deps.accessTokens.issue(claims)
      return {
        access_token: token,
        token_type: 'Bearer' as const,
        member_id: toId('member', memberId),
        session_id: toId('session', claims.sessionId),
        expires_in: Math.round((expiresAt - Date.now()) / 1_000),
        expires_at: new Date(expiresAt).toISOString(),
      }
    },
  )
}
