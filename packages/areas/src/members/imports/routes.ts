import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { mapPage } from '#platform/http/page.ts'
import { uncheckedBody, withMultipart } from '#platform/http/uploads/multipart.ts'
import { getImport, listFirstFaults, listImports } from './queries.ts'
import { receiveImport } from './receive.ts'
import { toImport, toProgress } from './rows.ts'
import { ById, ImportForm, ImportProgress, ListQuery, MemberImport, MOST_ROWS } from './schema.ts'

export function importRoutes(api: Api, deps: AreaDeps): void {
  importMembersRoute(api, deps)
  listMemberImportsRoute(api)
  getMemberImportRoute(api, deps)
}

function importMembersRoute(api: Api, deps: AreaDeps): void {
  const { BASE_URL } = deps.config

  withMultipart(api, (scope) =>
    scope.post(
      '/members/imports',
      {
        config: { access: { secret: 'write:members' } },
        // The body is read while it arrives.
        validatorCompiler: uncheckedBody,
        schema: {
          operationId: 'importMembers',
          summary: 'Import members',
          description: `Send a CSV file in the part named \`file\`: in UTF-8, with commas, a header and at most ${MOST_ROWS} rows. The column \`email\` is required. Other columns are \`full_name\`, \`avatar_url\`, \`role\`, \`status\`, \`plan\` (the slug of an active plan) or \`plan_id\`, \`metadata\` (a JSON object), \`created_at\`, \`email_verified_at\`, \`last_login_at\`. The columns \`id\`, \`updated_at\` and \`reason\` are ignored. Empty cells are ignored. Exports put a \`'\` before cells that start like a formula; the import removes it. A file with another structure is refused at once. The rows are handled in the background. Each row creates a member and sends \`member.created\`, or it is listed with its faults.`,
          consumes: ['multipart/form-data'],
          body: ImportForm,
          response: { 201: envelope(MemberImport) },
        },
      },
      async (request, reply) => {
        const row = await receiveImport(request, reply, deps)
        return toImport(row, [], BASE_URL)
      },
    ),
  )
}

function listMemberImportsRoute(api: Api): void {
  api.get(
    '/members/imports',
    {
      config: { access: { secret: 'read:members' } },
      schema: {
        operationId: 'listMemberImports',
        summary: 'List imports',
        description:
          'Imports of the last week, newest first. `GET /members/imports/{id}` has the faults of one import.',
        querystring: ListQuery,
        response: { 200: listEnvelope(ImportProgress) },
      },
    },
    async (request) => {
      const { imports } = await request.read({ imports: listImports(request.query) })
      return mapPage(imports, toProgress)
    },
  )
}

function getMemberImportRoute(api: Api, deps: AreaDeps): void {
  const { BASE_URL } = deps.config

  api.get(
    '/members/imports/:id',
    {
      config: { access: { secret: 'read:members' } },
      schema: {
        operationId: 'getMemberImport',
        summary: 'Get an import',
        description:
          'The answer says how many rows are done and shows the faults of the first faulty rows. An import is kept for a week.',
        params: ById,
        response: { 200: envelope(MemberImport) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { row, faults } = await request.read({ row: getImport({ id }), faults: listFirstFaults({ id }) })
      return toImport(row, faults, BASE_URL)
    },
  )
}
