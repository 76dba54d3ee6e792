import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { certificateIsRevoked, nameRequired } from '../errors.ts'
import { certificateIssued, certificateReplaced } from '../events.ts'
import { newCode } from './code.ts'
import { removeKeptPages } from './kept-pages.ts'
import { getCertificate, getCurrent, lockCertificates, replaceCertificate } from './queries.ts'
import type { Certificate } from './schema.ts'

/**
 * The certificate with the member's name of today: a new one, or the one that has this name already. So a repeated call
 * and one for a certificate that is replaced answer the same.
 * @throws ApiError 404; 422 for a certificate that is revoked and a member without a name
 */
export async function reissueCertificate(ctx: Context, id: string): Promise<Certificate> {
  await getCertificate(ctx, { id, ...KEY })
  await lockCertificates(ctx, { id })
  const { id: old, name, certificate } = await getCurrent(ctx, { id })
  if (certificate.revoked_at !== null) throw certificateIsRevoked()
  if (name.trim() === '') throw nameRequired()
  if (certificate.student_name === name) return certificate
  const replacement = await replaceCertificate(ctx, { id: newUuid(), old, code: newCode() })
  emit(ctx, certificateReplaced, { ...certificate, replaced_by: replacement.id })
  emit(ctx, certificateIssued, replacement)
  enqueue(ctx, removeKeptPages, { certificate_id: old })
  return replacement
}
