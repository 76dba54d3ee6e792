import { findReadyFile } from '#areas/storage/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidField, tooManyAtOnce } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import {
  findDiscussionUrl,
  getImport,
  insertImport,
  listFirstFaults,
  listMoved,
  MOST_UNFINISHED,
} from './queries.ts'
import { runImport } from './run-import.job.ts'
import { ById, CommunityImport, MapQuery, NewImport } from './schema.ts'
import { toImport } from './shown.ts'

export function importRoutes(api: Api, deps: AreaDeps): void {
  importCommunityRoute(api, deps)
  getCommunityImportRoute(api)
}

function importCommunityRoute(api: Api, { objects }: AreaDeps): void {
  api.post(
    '/community/imports',
    {
      config: { oneTransaction: true, access: { secret: 'write:community' } },
      schema: {
        operationId: 'importCommunity',
        summary: 'Import a community',
        description:
          'Upload the file of `GET /community/export`, or one like it, with `POST /storage/uploads`, and send its id. The lines are handled in the background, in their order. A line creates something with the id, the author and the dates of the file, or it is listed with its faults; what names a faulty line is faulty too. Ids that are taken get new ones, which the `map` of the import has; mentions and references follow. Members are found by their id, and else by their address: import the members first. Categories are found by their slug. HTML is made again from each text. Nobody is notified, and no events are sent but `community.imported`. Lines of the file name what comes before them. The uploaded file is kept until you delete it.',
        body: NewImport,
        response: { 201: envelope(CommunityImport) },
      },
    },
    async (request) => {
      const { upload_id, dry_run = false } = request.body
      const file_id = parseId('file', upload_id)
      const row = await request.write(async (ctx) => {
        if (file_id === undefined || (await findReadyFile(ctx, { id: file_id })) === undefined)
          throw noUpload()
        objects.assertSetUp()
        const made = await insertImport(ctx, { id: newUuid(), file_id, dry_run })
        if (made === undefined) throw tooManyImports()
        enqueue(ctx, runImport, { import_id: made.id })
        return made
      })
      return toImport(row, { faults: [], moved: [], discussionUrl: null })
    },
  )
}

function getCommunityImportRoute(api: Api): void {
  api.get(
    '/community/imports/:id',
    {
      config: { access: { secret: 'read:community' } },
      schema: {
        operationId: 'getCommunityImport',
        summary: 'Get an import of a community',
        description:
          'The answer says how many lines are done, shows the faults of the first faulty lines, and has the map of ids and addresses that changed. An import is kept for a week.',
        params: ById,
        querystring: MapQuery,
        response: { 200: envelope(CommunityImport) },
      },
    },
    async (request) => {
      const { id } = request.params
      const [record = null, old_id = null] = request.query.map_after?.split('.') ?? []
      const { row, ...shown } = await request.read({
        row: getImport({ id }),
        faults: listFirstFaults({ id }),
        moved: listMoved({ id, record, old_id }),
        discussionUrl: findDiscussionUrl(),
      })
      return toImport(row, shown)
    },
  )
}

const noUpload = () =>
  invalidField('upload_id', 'exists', 'is not an uploaded file of this project that is complete')

const tooManyImports = () =>
  tooManyAtOnce(
    `This project has ${MOST_UNFINISHED} imports that are not finished: wait until one of them has finished`,
    { requests: MOST_UNFINISHED, scope: 'project' },
  )
