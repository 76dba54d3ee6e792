import type { FastifyReply, FastifyRequest } from 'fastify'
import { memberNamed } from '#platform/actor.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { type FieldFault, invalidBody, invalidField } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import { assertNotSuspended } from '#platform/http/suspended.ts'
import { assertMultipart, readParts } from '#platform/http/uploads/multipart.ts'
import { validatorCompiler } from '#platform/http/validation/validation.ts'
import { validationError } from '#platform/http/validation/validation-error.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { FormFields, type StoredFile } from '../schema.ts'
import {
  discardFile,
  type KeptAs,
  keepFile,
  type ReceivedFile,
  receiveFile,
  roomForUpload,
  type StorageDeps,
  shownLinks,
} from '../service.ts'
import { assertPurpose, roomForMember, withinMemberQuota } from './member-uploads.ts'

/** More than are known, so that one that is not can be named. */
const FIELDS = 10
const FIELD_BYTES = 2_048

const checkFields = validatorCompiler({ schema: FormFields, method: 'POST', url: '', httpPart: 'body' })

/**
 * Stores the file of a multipart form while it arrives. Fields may stand before it or behind it.
 * @throws ApiError 400, 413 and 422 for what is wrong with the form; 422 QUOTA_EXCEEDED; 503
 */
export async function receiveForm(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: StorageDeps & Pick<AreaDeps, 'transfers'>,
): Promise<StoredFile> {
  assertMultipart(request)
  deps.objects.assertSetUp()
  // A pending member writes nothing, and plan and role count as they are now.
  const { viewer } = await request.read({ viewer: viewerOf(request) })
  const { memberId } = viewer
  const room =
    memberId === null ? await roomForUpload(request, deps) : await roomForMember(request, deps, memberId)
  const { uploads } = deps.transfers
  const limits = { files: 1, fields: FIELDS, fieldBytes: FIELD_BYTES, uploads, ...room }
  const fields: Record<string, unknown> = {}
  let received: ReceivedFile | undefined
  try {
    for await (const part of readParts(request, reply, limits)) {
      if (part.kind === 'field') {
        if (part.field in fields) throw invalidField(part.field, 'maxItems', 'must not be sent twice')
        fields[part.field] = part.value
      } else {
        if (part.field !== 'file') throw withoutFile([unknownPart(part.field)])
        // Fields that are known to be wrong are refused before the file arrives.
        keptAs(request, fields)
        received = await receiveFile(deps, request, part)
      }
    }
    const file = received
    if (file === undefined) throw withoutFile(faultsOf({ ...fields }))
    const as = keptAs(request, fields)
    if (as.purpose) assertPurpose(file, as.purpose)
    return await request.write(async (ctx) => {
      const keep = () => keepFile(ctx, deps, file, as)
      if (memberId === null) {
        if (as.ownerId !== null) await assertNotSuspended(ctx, { id: as.ownerId, field: 'owner_id' })
        return keep()
      }
      // The bytes took their time: the member may be suspended by now.
      await viewerOf(ctx, request)
      const kept = await withinMemberQuota(ctx, memberId, keep)
      return { ...kept, url: shownLinks(deps.config, ctx.projectId).urlOf(kept.id) }
    })
  } catch (error) {
    const file = received
    if (file !== undefined) await request.write((ctx) => discardFile(ctx, file.id))
    throw error
  }
}

/** @throws ApiError 422 */
function keptAs(request: FastifyRequest, given: Record<string, unknown>): KeptAs {
  const fields: FormFields = { ...given }
  const faults = faultsOf(fields)
  if (faults.length > 0) throw invalidBody(faults)
  const { name, visibility = 'private', owner_id } = fields
  const { actor } = callerOf(request)
  const ownerId = memberNamed(actor, owner_id, 'owner_id') ?? null
  const byMember = actor.kind === 'member'
  if (byMember && visibility === 'public')
    throw invalidField(
      'visibility',
      'enum',
      'must be private: a post shows its files to those who may read it',
    )
  const purpose = fields.purpose ?? (byMember ? 'attachment' : undefined)
  return { visibility, ownerId, purpose, ...(name !== undefined && { name }) }
}

function faultsOf(fields: Record<string, unknown>): readonly FieldFault[] {
  if (checkFields(fields)) return []
  return validationError(checkFields.errors, 'body').details ?? []
}

/** 422 that names the part that is missing beside what is wrong with the others. */
const withoutFile = (faults: readonly FieldFault[]) =>
  invalidBody([...faults, { field: 'file', rule: 'required', message: 'is required: send the file' }])

const unknownPart = (field: string): FieldFault => ({
  field,
  rule: 'additionalProperties',
  message: `is not a known part. Known: file, ${Object.keys(FormFields.properties).join(', ')}`,
})
