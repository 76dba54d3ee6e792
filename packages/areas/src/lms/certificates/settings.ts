import type { Context } from '#platform/db/tenant.ts'
import { invalidBody } from '#platform/errors.ts'
import { defineSettings, urlFaults } from '#platform/settings.ts'

/** How certificates of one environment work. */
export interface CertificateSettings {
  /** Where the project shows a certificate; `{code}` stands for its code. Null: a page of ours does. */
  readonly certificate_url: string | null
}

const settings = defineSettings<CertificateSettings>('certificate_settings', { certificate_url: null })

/** How certificates of the project work. */
export const findCertificateSettings = settings.find

/** What is left out stays as it is; an empty address unsets it. */
export interface CertificateSettingsChanges {
  readonly certificateUrl?: string | undefined
}

/** @throws ApiError 422 */
export function assertCertificateSettings({ certificateUrl }: CertificateSettingsChanges): void {
  const faults = urlFaults('certificate_url', certificateUrl, '{code}')
  if (faults.length > 0) throw invalidBody(faults)
}

/** Changes what is given and nothing else. @throws ApiError 422 */
export async function updateCertificateSettings(
  ctx: Context,
  changes: CertificateSettingsChanges,
): Promise<CertificateSettings> {
  assertCertificateSettings(changes)
  const { certificateUrl } = changes
  return settings.change(ctx, { certificate_url: certificateUrl === '' ? null : certificateUrl })
}
