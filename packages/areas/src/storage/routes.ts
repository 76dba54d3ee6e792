import { memberNamed } from '#platform/actor.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { mapPage } from '#platform/http/page.ts'
import { uncheckedBody, withMultipart } from '#platform/http/uploads/multipart.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { contentRoutes } from './content/routes.ts'
import { filePending, quotaExceeded, uploadIncomplete, uploadMismatch } from './errors.ts'
import { dispositionOf, objectKey, typeHeader } from './names.ts'
import { countUses, getFile, getUsage, listFiles, toFile, updateFile } from './queries.ts'
import { deleteFile } from './references.ts'
import {
  ById,
  Completion,
  FileChanges,
  FileDetail,
  GetQuery,
  ListQuery,
  SignedUrl,
  SignedUrlRequest,
  StoredFile,
  Upload,
  UploadForm,
  UploadRequest,
  Usage,
} from './schema.ts'
import { receiveForm } from './uploads/receive-form.ts'
import { announceUpload, completeUpload } from './uploads/uploads.ts'

const read = { access: { secret: 'read:storage' } } as const
const etag = updateFile.tag
const write = { access: { secret: 'write:storage' } } as const

export function storageRoutes(api: Api, deps: AreaDeps): void {
  withMultipart(api, (scope) => formRoute(scope, deps))
  contentRoutes(api, deps)
  listFilesRoute(api, deps)
  getFileRoute(api, deps)
  updateFileRoute(api, deps)
  deleteFileRoute(api)
  signFileUrlRoute(api, deps)
  announceUploadRoute(api, deps)
  completeUploadRoute(api, deps)
  getStorageUsageRoute(api)
  bulkRoutes(api)
}

function listFilesRoute(api: Api, deps: AreaDeps): void {
  const { BASE_URL } = deps.config

  api.get(
    '/storage/files',
    {
      config: read,
      schema: {
        operationId: 'listFiles',
        summary: 'List files',
        description: 'The newest file comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(StoredFile) },
      },
    },
    async (request) => {
      const { files } = await request.read({ files: listFiles(request.query) })
      return mapPage(files, (row) => toFile(row, BASE_URL))
    },
  )
}

function getFileRoute(api: Api, deps: AreaDeps): void {
  const { BASE_URL } = deps.config

  api.get(
    '/storage/files/:id',
    {
      config: { ...read, etag },
      schema: {
        operationId: 'getFile',
        summary: 'Get a file',
        description: 'The answer describes the file; its bytes are at its `url`.',
        params: ById,
        querystring: GetQuery,
        response: { 200: envelope(FileDetail) },
      },
    },
    async (request) => {
      const { id } = request.params
      if (request.query.include === undefined) {
        const { file } = await request.read({ file: getFile({ id }) })
        return toFile(file, BASE_URL)
      }
      const { file, used_by } = await request.read({ file: getFile({ id }), used_by: countUses({ id }) })
      return { ...toFile(file, BASE_URL), used_by }
    },
  )
}

function updateFileRoute(api: Api, deps: AreaDeps): void {
  const { BASE_URL } = deps.config

  api.patch(
    '/storage/files/:id',
    {
      config: { ...write, etag },
      schema: {
        operationId: 'updateFile',
        summary: 'Change a file',
        description:
          'The name and the visibility can change; the bytes cannot. If the visibility changes, the `url` changes too.',
        params: ById,
        body: FileChanges,
        response: { 200: envelope(StoredFile) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { ifMatch } = request
      const file = await request.write((ctx) => updateFile(ctx, { id, changes: request.body, ifMatch }))
      return toFile(file, BASE_URL)
    },
  )
}

function deleteFileRoute(api: Api): void {
  api.delete(
    '/storage/files/:id',
    {
      config: { ...write, etag },
      schema: {
        operationId: 'deleteFile',
        summary: 'Delete a file',
        description:
          'The bytes are removed from the storage within moments. A deleted file cannot be restored.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getFile)
        await deleteFile(ctx, id)
      })
      return deleted('file', id)
    },
  )
}

function signFileUrlRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/storage/files/:id/signed-url',
    {
      config: { ...read, errors: [filePending] },
      schema: {
        operationId: 'signFileUrl',
        sdk: 'storage.files.signUrl',
        summary: 'Create a signed URL',
        description:
          'Everybody who knows the URL can read the file until it expires. The URL leads to the object storage. It stops working earlier only if the file is deleted.',
        params: ById,
        body: SignedUrlRequest,
        response: { 200: envelope(SignedUrl) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { file } = await request.read({ file: getFile({ id }) })
      if (file.object_id === null) throw filePending()
      const seconds = request.body.expires_in ?? 3_600
      const expires = new Date(Date.now() + seconds * 1_000)
      const url = await deps.objects.signedGet(objectKey(file.project_id, id, file.object_id), {
        type: typeHeader(file.content_type),
        disposition: dispositionOf(file),
        seconds,
      })
      return { url, expires_at: expires.toISOString() }
    },
  )
}

function announceUploadRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/storage/uploads',
    {
      config: { ...write, whileSuspended: 'refused', errors: [quotaExceeded] },
      schema: {
        operationId: 'announceUpload',
        summary: 'Start an upload directly to the storage',
        description:
          'The answer has a URL that accepts exactly the announced size and type for an hour, also from browsers. Then complete the upload. An upload that is not completed is completed automatically, or removed if no bytes arrived. With `parts` the answer has a URL for each part, for a day; parts can be sent at the same time and sent again. An upload in parts that is not completed is removed.',
        body: UploadRequest,
        response: { 201: envelope(Upload) },
      },
    },
    async (request) => {
      const { actor } = callerOf(request)
      const ownerId = memberNamed(actor, request.body.owner_id, 'owner_id') ?? null
      return announceUpload(deps, request, request.body, ownerId)
    },
  )
}

function completeUploadRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/storage/uploads/:id/complete',
    {
      config: { ...write, etag, errors: [uploadIncomplete, uploadMismatch] },
      schema: {
        operationId: 'completeUpload',
        summary: 'Complete an upload',
        description:
          'All bytes that arrived are checked. The request can be repeated: an upload that is complete answers its file again. An upload in parts needs the `ETag` of each part. A file in parts that is larger than others may be is still `pending` in the answer: it is checked within minutes, and `file.created` tells when it is `ready`.',
        params: ById,
        body: Completion,
        response: { 200: envelope(StoredFile) },
      },
    },
    async (request) => {
      const { id } = request.params
      return completeUpload(deps, request, id, request.body)
    },
  )
}

function getStorageUsageRoute(api: Api): void {
  api.get(
    '/storage/usage',
    {
      config: read,
      schema: {
        operationId: 'getStorageUsage',
        summary: 'Get the used and the allowed storage',
        description: 'The numbers are exact.',
        response: { 200: envelope(Usage) },
      },
    },
    async (request) => {
      const { usage } = await request.read({ usage: getUsage() })
      return usage
    },
  )
}

function formRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/storage/files',
    {
      config: {
        access: { ...write.access, user: 'self' },
        whileSuspended: 'refused',
        etag,
        errors: [quotaExceeded],
      },
      // The body is read while it arrives.
      validatorCompiler: uncheckedBody,
      schema: {
        operationId: 'uploadFile',
        sdk: 'storage.files.upload',
        summary: 'Upload a file',
        description:
          'One file, in the part named `file`. The type of the file is detected from its bytes; the type that is sent with it is ignored. If the upload breaks off, nothing is stored. With a token, a member uploads a file for a post (25 MiB) or a picture (5 MiB); the file is private, and a member may own 200 MiB in 1,000 files.',
        consumes: ['multipart/form-data'],
        body: UploadForm,
        response: { 201: envelope(StoredFile) },
      },
    },
    async (request, reply) => {
      return receiveForm(request, reply, deps)
    },
  )
}
