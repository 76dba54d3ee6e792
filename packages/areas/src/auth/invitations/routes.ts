import { emailTaken } from '#areas/members/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { invitationPending, ssoRequired } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { SignInAnswer } from '../schema.ts'
import { resend } from '../service.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { presentSignIn } from '../sessions/sign-in.ts'
import { countProof, PROOF_ERRORS, proofOf } from '../tokens/proof.ts'
import { comeInByInvitation, invite, revoke } from './invitations.ts'
import { listInvitations } from './queries.ts'
import { AcceptInvitation, ByInvitation, Invitation, InvitationQuery, NewInvitation } from './schema.ts'

const tags = ['Invitations']
const read = { access: { secret: 'read:members' } } as const
const write = { access: { secret: 'write:members' } } as const
export function invitationRoutes(api: Api, identity: Identity): void {
  listInvitationsRoute(api)
  createInvitationRoute(api)
  revokeInvitationRoute(api)
  resendInvitationRoute(api, identity)
  acceptInvitationRoute(api, identity)
}

function listInvitationsRoute(api: Api): void {
  api.get(
    '/invitations',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listInvitations',
        summary: 'List invitations',
        description: 'The newest invitation comes first.',
        querystring: InvitationQuery,
        response: { 200: listEnvelope(Invitation) },
      },
    },
    async (request) => {
      const { invitations } = await request.read({ invitations: listInvitations(request.query) })
      return invitations
    },
  )
}

function createInvitationRoute(api: Api): void {
  api.post(
    '/invitations',
    {
      config: {
        oneTransaction: true,
        ...write,
        errors: [emailTaken, invitationPending],
      },
      schema: {
        tags,
        operationId: 'createInvitation',
        summary: 'Invite somebody',
        description:
          'The person gets a mail. A person who accepts becomes an active member with a confirmed address.',
        body: NewInvitation,
        response: { 201: envelope(Invitation) },
      },
    },
    async (request) => request.write((ctx) => invite(ctx, request.body)),
  )
}

function revokeInvitationRoute(api: Api): void {
  api.post(
    '/invitations/:id/revoke',
    {
      config: { ...write, oneTransaction: true },
      schema: {
        tags,
        operationId: 'revokeInvitation',
        summary: 'Revoke an invitation',
        description: 'The link and the code of the invitation stop working.',
        params: ByInvitation,
        response: { 200: envelope(Invitation) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => revoke(ctx, id))
    },
  )
}

function resendInvitationRoute(api: Api, identity: Identity): void {
  api.post(
    '/invitations/:id/resend',
    {
      config: write,
      schema: {
        tags,
        operationId: 'resendInvitation',
        repeatCosts: true,
        summary: 'Send an invitation again',
        description:
          'The mail has a new link and a new code; earlier ones stop working. The invitation is valid for the full time again. An invitation can be sent five times in 15 minutes.',
        params: ByInvitation,
        response: { 200: envelope(Invitation) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const limit = { policy: 'account', id: `invitation:${id}`, points: 5, windowSeconds: 15 * 60 } as const
      enforceLimit(request, reply, await identity.limiter.take(limit))
      return request.write((ctx) => resend(ctx, id))
    },
  )
}

function acceptInvitationRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/invitations/accept',
    {
      config: {
        access: { secret: 'any', public: 'auth' },
        countsAsAuthentication: true,
        errors: [emailTaken, ssoRequired, ...PROOF_ERRORS],
      },
      schema: {
        tags,
        operationId: 'acceptInvitation',
        repeatCosts: true,
        summary: 'Accept an invitation by its link or its code',
        description:
          'After five wrong codes the code stops working; the link still works. A member without a password logs in by mail. If the member existed before the invitation, accepting it ends all sessions of the member, and the member gets a mail about it. Such an invitation ends when the member logs in for the first time, sets a password or gets another address.',
        body: AcceptInvitation,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const { password, full_name: fullName, ...fields } = request.body
      const proof = proofOf(fields)
      const passwordHash =
        password === undefined
          ? undefined
          : await identity.passwords.of(callerOf(request).projectId).hash(password)
      const device = deviceOf(request)
      const signedIn = await countProof({ request, reply }, identity, proof, (ctx) =>
        comeInByInvitation(ctx, identity, proof, { passwordHash, fullName }, device),
      )
      return presentSignIn(identity, signedIn)
    },
  )
}
