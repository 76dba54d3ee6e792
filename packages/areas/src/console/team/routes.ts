import { Type } from 'typebox'
import { invitationId } from '#areas/auth/ids.ts'
import { findOwnAddress, listOperators, mailInvitee } from '#areas/auth/service.ts'
import { invitationsTo } from '#areas/projects/service.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden, invalidField, notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { consoleProjectOf, operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { OPERATORS_PROJECT, type OperatorRole } from '#platform/operators/operators-project.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { inTeam, lastOwner, recentLoginRequired } from '../errors.ts'
import { assertRecentLogin, hasRecentLogin, RECENT_LOGIN_SENTENCE } from '../recent-login.ts'
import { ByProject } from '../schema.ts'
import { listTeam, listTeamInvitations } from './queries.ts'
import {
  ByOwnInvitation,
  ByTeamInvitation,
  ByTeamMember,
  Joined,
  NewTeamInvitation,
  NewTeamMember,
  OwnInvitation,
  RoleChange,
  TeamInvitation,
  TeamMember,
  Transfer,
} from './schema.ts'
import {
  addToTeam,
  changeRole,
  inviteToTeam,
  joinTeam,
  operatorIdIn,
  removeFromTeam,
  transferProject,
  withdrawInvitation,
} from './service.ts'

const tags = ['Team']
/** An owner can remove all other owners, so a stolen token makes none. */
const OWNER_SENTENCE =
  'To give the role of an owner, the operator must have logged in, or have confirmed by `POST /confirm`, within the last 10 minutes.'

/** Who works on a project, and with which role. */
export function teamRoutes(api: Api, deps: AreaDeps): void {
  listTeamRoute(api, deps)
  addTeamMemberRoute(api, deps)
  changeRoleRoute(api, deps)
  removeTeamMemberRoute(api, deps)
  transferProjectRoute(api, deps)
  listTeamInvitationsRoute(api, deps)
  inviteToTeamRoute(api, deps)
  withdrawTeamInvitationRoute(api, deps)
  listOwnInvitationsRoute(api, deps)
  joinTeamRoute(api, deps)
}

const teamOf = async ({ asSystem }: AreaDeps, data: ProjectData): Promise<TeamMember[]> => {
  const { team } = await data.read({ team: listTeam() })
  const ids = team.map(({ id }) => id)
  const { operators } = await asSystem(OPERATORS_PROJECT, 'console.team').read({
    operators: listOperators({ ids }),
  })
  const known = new Map(operators.map((each) => [each.id, each]))
  return team.flatMap(({ id, role, ...row }) => {
    const operator = known.get(toId('operator', id))
    return operator === undefined ? [] : [{ ...operator, ...row, role: role as OperatorRole }]
  })
}

/** The team member that an answer shows. @throws ApiError 404 */
const shownMember = async (deps: AreaDeps, data: ProjectData, operatorId: string): Promise<TeamMember> => {
  const id = toId('operator', operatorId)
  const found = (await teamOf(deps, data)).find((each) => each.id === id)
  if (found === undefined) throw notFound('Operator')
  return found
}

function listTeamRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/team',
    {
      config: { access: { operator: 'viewer', administrators: true } },
      schema: {
        tags,
        operationId: 'listTeam',
        summary: 'List the team of a project',
        params: ByProject,
        response: { 200: envelope(Type.Array(TeamMember)) },
      },
    },
    async (request) => teamOf(deps, deps.asOperator(consoleProjectOf(request).id, operatorOf(request))),
  )
}

function addTeamMemberRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/:id/team',
    {
      config: { access: { operator: 'owner' }, errors: [inTeam, limitReached, recentLoginRequired] },
      schema: {
        tags,
        operationId: 'addTeamMember',
        summary: 'Add an operator to the team',
        description: `For somebody whose id you know. Others are invited by their address. ${OWNER_SENTENCE}`,
        params: ByProject,
        body: NewTeamMember,
        response: { 201: envelope(TeamMember) },
      },
    },
    async (request) => {
      const { operator_id, role } = request.body
      if (role === 'owner') await assertRecentLogin(request)
      const operatorId = operatorIdIn(operator_id)
      const ids = operatorId === undefined ? [] : [operatorId]
      const { operators } = await deps
        .asSystem(OPERATORS_PROJECT, 'console.team')
        .read({ operators: listOperators({ ids }) })
      if (operatorId === undefined || operators.length === 0)
        throw invalidField('operator_id', 'exists', 'is not an operator')
      const data = deps.asOperator(consoleProjectOf(request).id, operatorOf(request))
      await data.write((ctx) => addToTeam(ctx, operatorId, role))
      return shownMember(deps, data, operatorId)
    },
  )
}

function changeRoleRoute(api: Api, deps: AreaDeps): void {
  api.patch(
    '/projects/:id/team/:op',
    {
      config: { access: { operator: 'owner' }, errors: [lastOwner, recentLoginRequired] },
      schema: {
        tags,
        operationId: 'changeRole',
        summary: 'Change the role of a team member',
        description:
          'Tokens of the former role end at once. The last owner stays an owner. To give or take the role of an owner, the operator must have logged in within the last 10 minutes.',
        params: ByTeamMember,
        body: RoleChange,
        response: { 200: envelope(TeamMember) },
      },
    },
    async (request) => {
      const { op } = request.params
      const data = deps.asOperator(consoleProjectOf(request).id, operatorOf(request))
      const mayEndOwner = await hasRecentLogin(request)
      if (request.body.role === 'owner' && !mayEndOwner) throw recentLoginRequired()
      await data.write((ctx) => changeRole(ctx, op, request.body.role, mayEndOwner))
      return shownMember(deps, data, op)
    },
  )
}

function removeTeamMemberRoute(api: Api, deps: AreaDeps): void {
  api.delete(
    '/projects/:id/team/:op',
    {
      config: { access: { operator: 'viewer' }, errors: [lastOwner, recentLoginRequired] },
      schema: {
        tags,
        operationId: 'removeTeamMember',
        summary: 'Remove an operator from the team',
        description:
          'An owner removes everybody, and everybody can leave. The last owner cannot go. To remove an owner, the operator must have logged in within the last 10 minutes.',
        params: ByTeamMember,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { op } = request.params
      const { id, role } = consoleProjectOf(request)
      if (role !== 'owner' && op !== memberOf(request).memberId)
        throw forbidden('Only an owner removes others from the team')
      const mayEndOwner = await hasRecentLogin(request)
      await deps.asOperator(id, operatorOf(request)).write((ctx) => removeFromTeam(ctx, op, mayEndOwner))
      return deleted('operator', op)
    },
  )
}

function transferProjectRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/:id/transfer',
    {
      config: { access: { operator: 'owner' }, errors: [recentLoginRequired] },
      schema: {
        tags,
        operationId: 'transferProject',
        summary: 'Make another team member the owner in your place',
        description: `You become an admin. ${RECENT_LOGIN_SENTENCE}`,
        params: ByProject,
        body: Transfer,
        response: { 200: envelope(TeamMember) },
      },
    },
    async (request) => {
      await assertRecentLogin(request)
      const to = operatorIdIn(request.body.operator_id)
      const data = deps.asOperator(consoleProjectOf(request).id, operatorOf(request))
      const { team } = await data.read({ team: listTeam() })
      if (to === undefined || !team.some(({ id }) => id === to))
        throw invalidField('operator_id', 'exists', 'is not in the team of this project')
      await data.write((ctx) => transferProject(ctx, memberOf(request).memberId, to))
      return shownMember(deps, data, to)
    },
  )
}

function listTeamInvitationsRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/invitations',
    {
      config: { access: { operator: 'owner' } },
      schema: {
        tags,
        operationId: 'listTeamInvitations',
        summary: 'List invitations to the team that can still be accepted',
        params: ByProject,
        response: { 200: envelope(Type.Array(TeamInvitation)) },
      },
    },
    async (request) => {
      const data = deps.asOperator(consoleProjectOf(request).id, operatorOf(request))
      return (await data.read({ invitations: listTeamInvitations() })).invitations
    },
  )
}

function inviteToTeamRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/:id/invitations',
    {
      config: { access: { operator: 'owner' }, errors: [limitReached, recentLoginRequired] },
      schema: {
        tags,
        operationId: 'inviteToTeam',
        summary: 'Invite somebody to the team',
        description:
          'The answer is the same for every address. An operator gets a mail to log in. Somebody else gets a mail to become an operator, unless `CONSOLE_SIGNUP` is `closed`. The invitation is good for 7 days; a second one to the same address replaces it. ' +
          OWNER_SENTENCE,
        params: ByProject,
        body: NewTeamInvitation,
        response: { 201: envelope(TeamInvitation) },
      },
    },
    async (request) => {
      const { role } = request.body
      if (role === 'owner') await assertRecentLogin(request)
      const email = normalizeEmail(request.body.email)
      const data = deps.asOperator(consoleProjectOf(request).id, operatorOf(request))
      const invitation = await data.write((ctx) => inviteToTeam(ctx, email, email.toLowerCase(), role))
      await mailInvitee(deps.asSystem(OPERATORS_PROJECT, 'console.invite'), deps, email)
      return invitation
    },
  )
}

function withdrawTeamInvitationRoute(api: Api, deps: AreaDeps): void {
  api.delete(
    '/projects/:id/invitations/:invitation',
    {
      config: { access: { operator: 'owner' } },
      schema: {
        tags,
        operationId: 'withdrawTeamInvitation',
        summary: 'Withdraw an invitation to the team',
        params: ByTeamInvitation,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { invitation } = request.params
      const data = deps.asOperator(consoleProjectOf(request).id, operatorOf(request))
      await data.write((ctx) => withdrawInvitation(ctx, invitation))
      return deleted(invitationId, invitation)
    },
  )
}

function listOwnInvitationsRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/me/invitations',
    {
      config: { access: { operator: 'self' } },
      schema: {
        tags,
        operationId: 'listOwnInvitations',
        summary: 'List invitations to teams that were sent to the address of the operator',
        response: { 200: envelope(Type.Array(OwnInvitation)) },
      },
    },
    async (request) => {
      const { address } = await request.read({ address: findOwnAddress({ id: memberOf(request).memberId }) })
      const found = address === undefined ? [] : await invitationsTo(operators, address)
      return found.map(({ id, project_id, name, role, expires_at }) => ({
        id: toId(invitationId, id),
        project: { id: toId('project', project_id), name },
        role,
        expires_at,
      }))
    },
  )
}

function joinTeamRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/me/invitations/:id/accept',
    {
      config: { access: { operator: 'self' }, errors: [inTeam, limitReached] },
      schema: {
        tags,
        operationId: 'joinTeam',
        summary: 'Accept an invitation to a team',
        description: 'The invitation must have been sent to the confirmed address of the operator.',
        params: ByOwnInvitation,
        response: { 200: envelope(Joined) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { memberId } = memberOf(request)
      const { address } = await request.read({ address: findOwnAddress({ id: memberId }) })
      const found = address === undefined ? [] : await invitationsTo(deps.operators, address)
      const invitation = found.find((each) => each.id === id)
      if (invitation === undefined || address === undefined) throw notFound('Invitation')
      const { project_id } = invitation
      const role = await deps
        .asOperator(project_id, operatorOf(request))
        .write((ctx) => joinTeam(ctx, memberId, { id, addressKey: address }))
      return { project_id: toId('project', project_id), role }
    },
  )
}
