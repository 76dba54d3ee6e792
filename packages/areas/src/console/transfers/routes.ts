import { Type } from 'typebox'
import { exportsUnavailable, exportUnderWay } from '#areas/projects/errors.ts'
import { listExports, requestExport } from '#areas/projects/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { consoleProjectOf, operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { recentLoginRequired } from '../errors.ts'
import { assertRecentLogin, RECENT_LOGIN_SENTENCE } from '../recent-login.ts'
import { ByProject } from '../schema.ts'
import { importRoutes } from './import-routes.ts'
import { moveRoutes } from './move-routes.ts'
import { ProjectExport, ProjectExportRequest } from './schema.ts'

const tags = ['Projects']

/** Whole projects that leave the installation, and enter it. */
export function transferRoutes(api: Api, deps: AreaDeps): void {
  importRoutes(api, deps)
  moveRoutes(api, deps)
  exportConsoleProjectRoute(api, deps)
  listProjectExportsRoute(api, deps)
}

function exportConsoleProjectRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/:id/export',
    {
      config: {
        access: { operator: 'administrator' },
        errors: [recentLoginRequired, exportUnderWay, exportsUnavailable],
      },
      schema: {
        tags,
        operationId: 'exportConsoleProject',
        summary: 'Export a whole project',
        description: `A worker makes an archive of both sides: rows as NDJSON, files, and a manifest. \`guildhall project import\` reads it as it is. The project goes on meanwhile. ${RECENT_LOGIN_SENTENCE}`,
        params: ByProject,
        body: ProjectExportRequest,
        response: { 201: envelope(ProjectExport) },
      },
    },
    async (request) => {
      await assertRecentLogin(request)
      const { id, address } = operatorOf(request)
      const by = { actorId: toId('operator', id), ip: address ?? null }
      const projectId = toId('project', consoleProjectOf(request).id)
      return requestExport(deps, projectId, by, request.body.passphrase)
    },
  )
}

function listProjectExportsRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/exports',
    {
      config: { access: { operator: 'administrator' } },
      schema: {
        tags,
        operationId: 'listProjectExports',
        summary: 'List exports of a whole project',
        description: 'The newest comes first, and at most 50 are listed.',
        params: ByProject,
        response: { 200: envelope(Type.Array(ProjectExport)) },
      },
    },
    async (request) => listExports(deps, toId('project', consoleProjectOf(request).id)),
  )
}
