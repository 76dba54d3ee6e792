import { type Finding, fault, ok, reasonOf } from '#platform/doctor/finding.ts'
import { checkOutboundUrl } from '#platform/outbound/outbound-url.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import type { Config } from '#platform/parse-config.ts'
import { consoleCallback } from './connections/rows.ts'
import { OidcProviders } from './protocols/oidc.ts'

const CHECK = 'single sign-on'

/** Whether operators can log in by the provider of the settings, as far as that is seen without a log-in. */
export async function examineIssuer(config: Config): Promise<Finding[]> {
  const { CONSOLE_SSO_ISSUER: issuer, CONSOLE_SSO_CLIENT_ID: clientId = '', BASE_URL } = config
  if (issuer === undefined) return [ok(CHECK, 'not set: operators log in without a provider')]
  const wrong = checkOutboundUrl(issuer, config)
  if (wrong !== undefined)
    return [
      fault(
        CHECK,
        `CONSOLE_SSO_ISSUER ${wrong.message}`,
        'Correct it, or add the network of the provider to ALLOW_PRIVATE_NETWORKS',
      ),
    ]
  const outbound = new SafeFetch(config)
  try {
    await new OidcProviders(outbound, config).discover({ issuer, clientId, clientSecret: undefined })
    return [ok(CHECK, `${issuer} answers; its redirect URI is ${consoleCallback(BASE_URL)}`)]
  } catch (error) {
    return [
      fault(
        CHECK,
        `${issuer} has no discovery document that can be used: ${reasonOf(error)}`,
        'Correct CONSOLE_SSO_ISSUER, or let this machine reach the provider; operators cannot log in by it until then',
      ),
    ]
  } finally {
    await outbound.close()
  }
}
