import {
  createProject,
  getProject,
  type Project,
  pageOfProjects,
  renameProject,
  rolesOf,
  setIdleMinutes,
  tenantOf,
} from '#areas/projects/service.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden, invalidId } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { consoleProjectOf, operatorLoginOf, operatorOf } from '#platform/http/server/console-request.ts'
import { parseId, toId } from '#platform/ids.ts'
import type { OperatorRole } from '#platform/operators/operators-project.ts'
import { OPERATOR_TOKEN_SECONDS } from '#platform/tokens/operator-token.ts'
import { isAdministrator } from '../administrators.ts'
import { ByProject } from '../schema.ts'
import {
  ConsoleProject,
  ConsoleProjectChanges,
  NewConsoleProject,
  OperatorTokenShown,
  ProjectsQuery,
  SecurityChanges,
  TokenRequest,
} from './schema.ts'

const tags = ['Projects']

export function projectRoutes(api: Api, deps: AreaDeps): void {
  listConsoleProjectsRoute(api, deps)
  createConsoleProjectRoute(api, deps)
  getConsoleProjectRoute(api, deps)
  updateConsoleProjectRoute(api, deps)
  updateProjectSecurityRoute(api, deps)
  createOperatorTokenRoute(api, deps)
}

const shown = (project: Project, role: OperatorRole | null): ConsoleProject => ({ ...project, role })

function listConsoleProjectsRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/projects',
    {
      config: { access: { operator: 'self' } },
      schema: {
        tags,
        operationId: 'listConsoleProjects',
        summary: 'List the projects of the operator',
        description:
          'The newest comes first. Administrators of the installation see all projects; where they have no role, `role` is null.',
        querystring: ProjectsQuery,
        response: { 200: listEnvelope(ConsoleProject) },
      },
    },
    async (request) => {
      const { memberId } = memberOf(request)
      const { search, cursor, limit = 50 } = request.query
      const after = cursor === undefined ? undefined : parseId('project', cursor)
      if (cursor !== undefined && after === undefined) throw invalidId('cursor')
      const [roles, seesAll] = await Promise.all([rolesOf(operators, memberId), isAdministrator(request)])
      const projects = await pageOfProjects(operators, {
        ...(!seesAll && { ids: [...roles.keys()] }),
        ...(search !== undefined && { search }),
        ...(after !== undefined && { after }),
        limit: limit + 1,
      })
      const rows = projects
        .slice(0, limit)
        .map((each) => shown(each, roles.get(parseId('project', each.id) ?? '') ?? null))
      const next_cursor = projects.length > limit ? (rows.at(-1)?.id ?? null) : null
      return { rows, pagination: { limit, next_cursor } }
    },
  )
}

function createConsoleProjectRoute(api: Api, { operators, config }: AreaDeps): void {
  api.post(
    '/projects',
    {
      config: { access: { operator: 'self' }, errors: [limitReached] },
      schema: {
        tags,
        operationId: 'createConsoleProject',
        summary: 'Create a project',
        description:
          'A project has a live and a test side, which share no data. The operator becomes its owner. Its tier is `free`; administrators of the installation change it. An operator can make projects until they own `CONSOLE_PROJECTS` of them (20 by default); those that were deleted count until they are removed. Administrators have no limit.',
        body: NewConsoleProject,
        response: { 201: envelope(ConsoleProject) },
      },
    },
    async (request) => {
      const { id, address } = operatorOf(request)
      const mostProjects = (await isAdministrator(request)) ? undefined : config.CONSOLE_PROJECTS
      const owner = { id, mostProjects, ...(address !== undefined && { address }) }
      const project = await createProject(operators, { name: request.body.name, tier: 'free' }, owner)
      return shown(project, 'owner')
    },
  )
}

function getConsoleProjectRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/projects/:id',
    {
      config: { access: { operator: 'viewer', administrators: true } },
      schema: {
        tags,
        operationId: 'getConsoleProject',
        summary: 'Get a project',
        params: ByProject,
        response: { 200: envelope(ConsoleProject) },
      },
    },
    async (request) => {
      const { id, role } = consoleProjectOf(request)
      return shown(await getProject(operators, toId('project', id)), role)
    },
  )
}

function updateConsoleProjectRoute(api: Api, { operators }: AreaDeps): void {
  api.patch(
    '/projects/:id',
    {
      config: { access: { operator: 'admin' } },
      schema: {
        tags,
        operationId: 'updateConsoleProject',
        summary: 'Rename a project',
        params: ByProject,
        body: ConsoleProjectChanges,
        response: { 200: envelope(ConsoleProject) },
      },
    },
    async (request) => {
      const { id, role } = consoleProjectOf(request)
      const { name } = request.body
      const projectId = toId('project', id)
      const project =
        name === undefined
          ? await getProject(operators, projectId)
          : await renameProject(operators, projectId, name, operatorOf(request))
      return shown(project, role)
    },
  )
}

function updateProjectSecurityRoute(api: Api, { operators }: AreaDeps): void {
  api.patch(
    '/projects/:id/security',
    {
      config: { access: { operator: 'owner' } },
      schema: {
        tags,
        operationId: 'updateProjectSecurity',
        summary: 'Set when idle operators are logged out',
        description:
          'A session of an operator ends after the least number of minutes that one of the projects of the operator, or the installation, wants. Sessions that are open follow within a minute of work.',
        params: ByProject,
        body: SecurityChanges,
        response: { 200: envelope(ConsoleProject) },
      },
    },
    async (request) => {
      const { id, role } = consoleProjectOf(request)
      const { idle_minutes } = request.body
      return shown(
        await setIdleMinutes(operators, toId('project', id), idle_minutes, operatorOf(request)),
        role,
      )
    },
  )
}

function createOperatorTokenRoute(api: Api, { operators, operatorTokens }: AreaDeps): void {
  api.post(
    '/projects/:id/token',
    {
      config: { access: { operator: 'viewer' } },
      schema: {
        tags,
        operationId: 'createOperatorToken',
        summary: 'Get a token for the data of a project',
        description:
          'The token works for 10 minutes at `/api/v1`, by the role of the operator. It ends at once when the role ends or changes, and when the operator logs out.',
        params: ByProject,
        body: TokenRequest,
        response: { 200: envelope(OperatorTokenShown) },
      },
    },
    async (request) => {
      const { role } = consoleProjectOf(request)
      const { environment } = request.body
      const login = operatorLoginOf(request)
      if (role === null) throw forbidden('This operator has no role in the project')
      const projectId = await tenantOf(operators, toId('project', login.liveId), environment)
      const claims = { ...login, projectId, environment, role }
      const { token } = await operatorTokens.issue(claims)
      return {
        access_token: token,
        token_type: 'Bearer' as const,
        environment,
        role,
        expires_in: OPERATOR_TOKEN_SECONDS,
      }
    },
  )
}
