import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { STAFF } from '../access.ts'
import { certificateRevoked } from '../events.ts'
import { getCertificate, revokeCertificateRow } from './queries.ts'
import { toCertificate } from './rows.ts'
import type { Certificate } from './schema.ts'

/** Revokes a certificate. One that is revoked already stays as it is. @throws ApiError 404 */
export async function revokeCertificate(
  ctx: Context,
  id: string,
  reason: string | null,
): Promise<Certificate> {
  const before = await getCertificate(ctx, STAFF, id)
  if (before.revoked_at !== null) return toCertificate(before)
  await revokeCertificateRow(ctx, id, reason)
  const revoked = toCertificate(await getCertificate(ctx, STAFF, id))
  emit(ctx, certificateRevoked, revoked)
  return revoked
}
