import { removalBegun } from '#areas/projects/errors.ts'
import {
  deleteProject,
  limitsOf,
  restoreProject,
  resumeProject,
  setLimits,
  suspendProject,
  usageOf,
} from '#areas/projects/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { consoleProjectOf, operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { recentLoginRequired } from '../errors.ts'
import { assertRecentLogin, RECENT_LOGIN_SENTENCE } from '../recent-login.ts'
import { ByProject } from '../schema.ts'
import {
  Deletion,
  DeletionRequest,
  LimitChanges,
  Limits,
  Restored,
  Suspension,
  SuspensionRequest,
  Usage,
} from './schema.ts'

const tags = ['Projects']

/** What happens to whole projects: suspended, deleted, limited and counted. */
export function lifecycleRoutes(api: Api, deps: AreaDeps): void {
  deleteConsoleProjectRoute(api, deps)
  restoreConsoleProjectRoute(api, deps)
  suspendConsoleProjectRoute(api, deps)
  resumeConsoleProjectRoute(api, deps)
  getProjectLimitsRoute(api, deps)
  updateProjectLimitsRoute(api, deps)
  getProjectUsageRoute(api, deps)
}

type Asked = Parameters<typeof operatorOf>[0]

/** Who acts, as acts on projects are noted. */
const by = (request: Asked) => {
  const { id, address } = operatorOf(request)
  return { actorId: toId('operator', id), ip: address ?? null }
}
const projectIdOf = (request: Asked) => toId('project', consoleProjectOf(request).id)

function deleteConsoleProjectRoute(api: Api, { operators }: AreaDeps): void {
  api.post(
    '/projects/:id/delete',
    {
      config: { access: { operator: 'owner' }, errors: [recentLoginRequired] },
      schema: {
        tags,
        operationId: 'deleteConsoleProject',
        summary: 'Delete a project',
        description: `Keys and tokens of both sides end at once. For 7 days the project can be restored; then all of its rows and files are removed. ${RECENT_LOGIN_SENTENCE}`,
        params: ByProject,
        body: DeletionRequest,
        response: { 200: envelope(Deletion) },
      },
    },
    async (request) => {
      await assertRecentLogin(request)
      return deleteProject(operators, projectIdOf(request), by(request), request.body)
    },
  )
}

function restoreConsoleProjectRoute(api: Api, { operators }: AreaDeps): void {
  api.post(
    '/projects/:id/restore',
    {
      config: { access: { operator: 'owner' }, errors: [removalBegun] },
      schema: {
        tags,
        operationId: 'restoreConsoleProject',
        summary: 'Take the deletion of a project back',
        description: 'The project is as it was, with its keys. It works until the removal has begun.',
        params: ByProject,
        response: { 200: envelope(Restored) },
      },
    },
    async (request) => restoreProject(operators, projectIdOf(request), by(request)),
  )
}

function suspendConsoleProjectRoute(api: Api, { operators }: AreaDeps): void {
  api.post(
    '/projects/:id/suspend',
    {
      config: { access: { operator: 'administrator' }, errors: [recentLoginRequired] },
      schema: {
        tags,
        operationId: 'suspendConsoleProject',
        summary: 'Suspend a project',
        description: `All keys, tokens and pages of both sides answer 403 \`PROJECT_SUSPENDED\`, open streams end, and webhooks, mails and jobs wait. Nothing is lost. ${RECENT_LOGIN_SENTENCE}`,
        params: ByProject,
        body: SuspensionRequest,
        response: { 200: envelope(Suspension) },
      },
    },
    async (request) => {
      await assertRecentLogin(request)
      return suspendProject(operators, projectIdOf(request), by(request), request.body)
    },
  )
}

function resumeConsoleProjectRoute(api: Api, { operators }: AreaDeps): void {
  api.post(
    '/projects/:id/resume',
    {
      config: { access: { operator: 'administrator' } },
      schema: {
        tags,
        operationId: 'resumeConsoleProject',
        summary: 'Resume a suspended project',
        description: 'Webhooks, mails and jobs go on in their order.',
        params: ByProject,
        response: { 200: envelope(Suspension) },
      },
    },
    async (request) => resumeProject(operators, projectIdOf(request), by(request)),
  )
}

function getProjectLimitsRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/projects/:id/limits',
    {
      config: { access: { operator: 'administrator' } },
      schema: {
        tags,
        operationId: 'getProjectLimits',
        summary: 'Get what a project may use',
        description: 'A limit that is null is as the tier says.',
        params: ByProject,
        response: { 200: envelope(Limits) },
      },
    },
    async (request) => limitsOf(operators, projectIdOf(request)),
  )
}

function updateProjectLimitsRoute(api: Api, { operators }: AreaDeps): void {
  api.patch(
    '/projects/:id/limits',
    {
      config: { access: { operator: 'administrator' } },
      schema: {
        tags,
        operationId: 'updateProjectLimits',
        summary: 'Set what a project may use',
        description:
          'Only what is given changes, on both sides unless `environment` names one. Processes follow within a second.',
        params: ByProject,
        body: LimitChanges,
        response: { 200: envelope(Limits) },
      },
    },
    async (request) => {
      const { environment, tier, rate_limit, storage_quota, limits } = request.body
      const changes = {
        tier,
        rateLimit: rate_limit,
        storageQuota: storage_quota,
        limits: limits as Record<string, number | null> | undefined,
      }
      return setLimits(operators, projectIdOf(request), environment, changes, by(request))
    },
  )
}

function getProjectUsageRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/projects/:id/usage',
    {
      config: { access: { operator: 'viewer', administrators: true } },
      schema: {
        tags,
        operationId: 'getProjectUsage',
        summary: 'Get what a project has used by months',
        description: 'Requests are there within seconds, all else within an hour.',
        params: ByProject,
        response: { 200: envelope(Usage) },
      },
    },
    async (request) => usageOf(operators, projectIdOf(request)),
  )
}
