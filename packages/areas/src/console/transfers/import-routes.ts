import { Type } from 'typebox'
import { archiveMissing, importsUnavailable } from '#areas/projects/errors.ts'
import { completeImport, listImports, requestImport } from '#areas/projects/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { recentLoginRequired } from '../errors.ts'
import { assertRecentLogin, RECENT_LOGIN_SENTENCE } from '../recent-login.ts'
import { ByImport, NewProjectImport, ProjectImport, ProjectImportRequest } from './import-schema.ts'

const tags = ['Projects']

/** Whole projects that enter the installation. */
export function importRoutes(api: Api, deps: AreaDeps): void {
  importConsoleProjectRoute(api, deps)
  completeProjectImportRoute(api, deps)
  listProjectImportsRoute(api, deps)
}

function importConsoleProjectRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/imports',
    {
      config: {
        access: { operator: 'administrator' },
        errors: [recentLoginRequired, importsUnavailable],
      },
      schema: {
        tags,
        operationId: 'importConsoleProject',
        summary: 'Begin the import of a whole project',
        description: `The archive of an export is sent to \`upload.url\` by one PUT within 24 hours, and the import is completed then. The project comes with its ids, and suspended; the operator becomes its owner. An archive of more than 5 GiB is imported by \`guildhall project import\`, which takes a folder or a ZIP. ${RECENT_LOGIN_SENTENCE}`,
        body: ProjectImportRequest,
        response: { 201: envelope(NewProjectImport) },
      },
    },
    async (request) => {
      await assertRecentLogin(request)
      const { id, address } = operatorOf(request)
      return requestImport(deps, request.body, { actorId: toId('operator', id), ip: address ?? null })
    },
  )
}

function completeProjectImportRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/projects/imports/:import_id/complete',
    {
      config: { access: { operator: 'administrator' }, errors: [archiveMissing] },
      schema: {
        tags,
        operationId: 'completeProjectImport',
        summary: 'Complete the import of a whole project',
        description:
          'The archive was uploaded: a worker reads it, all of it or nothing. The list of imports says how far it is.',
        params: ByImport,
        response: { 200: envelope(ProjectImport) },
      },
    },
    async (request) => completeImport(deps, request.params.import_id),
  )
}

function listProjectImportsRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/imports',
    {
      config: { access: { operator: 'administrator' } },
      schema: {
        tags,
        operationId: 'listProjectImports',
        summary: 'List imports of whole projects',
        description: 'The newest comes first, and at most 50 are listed.',
        response: { 200: envelope(Type.Array(ProjectImport)) },
      },
    },
    async () => listImports(deps),
  )
}
