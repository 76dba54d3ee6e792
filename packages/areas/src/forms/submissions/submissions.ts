import { releaseFiles } from '#areas/storage/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import type { CompiledForm } from '../evaluation/compiled-form.ts'
import { submissionCreated, submissionDeleted, submissionUpdated } from '../events.ts'
import { formId, submissionId } from '../ids.ts'
import { fileTarget, type SubmissionRow, toSubmission } from '../rows.ts'
import { insertSubmission, type NewSubmissionRow, removeSubmission, setSubmissionStatus } from './queries.ts'
import type { Submission, SubmissionStatus } from './schema.ts'

/** Stored ids. */
export interface SubmissionIds {
  readonly formId: string
  readonly id: string
}

/**
 * Keeps a submission, and announces it unless it is spam.
 * @param form the version that was filled in
 * @param baseUrl the API's address
 * @throws ApiError 422 for a member that does not exist
 */
export async function keepSubmission(
  ctx: Context,
  form: CompiledForm,
  row: NewSubmissionRow,
  baseUrl: string,
): Promise<SubmissionRow> {
  const kept = await insertSubmission(ctx, row)
  if (kept.status === 'received') emit(ctx, submissionCreated, toSubmission(kept, form.fileFields, baseUrl))
  return kept
}

/**
 * Says that a submission is spam, or is not.
 * @param show what clients see of it
 * @throws ApiError 404
 */
export async function updateSubmission(
  ctx: Context,
  ids: SubmissionIds,
  status: SubmissionStatus,
  show: (row: SubmissionRow) => Submission,
): Promise<Submission> {
  const { old_status, ...row } = await setSubmissionStatus(ctx, { ...ids, status })
  const submission = show(row)
  if (old_status !== status) emit(ctx, submissionUpdated, submission)
  return submission
}

/** Deletes a submission and the files that belong to nothing else. @throws ApiError 404 */
export async function deleteSubmission(ctx: Context, ids: SubmissionIds): Promise<void> {
  await removeSubmission(ctx, ids)
  await releaseFiles(ctx, fileTarget(ids.id))
  const [target, form_id] = [toId(submissionId, ids.id), toId(formId, ids.formId)]
  audit(ctx, { action: 'submission.delete', target, before: { form_id } })
  emit(ctx, submissionDeleted, { id: target, form_id })
}
