import type { FastifyBaseLogger } from 'fastify'
import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { OutboundRules } from '#platform/outbound/address.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import type { Config } from '#platform/parse-config.ts'
import { makeProjectBox, type ProjectBox } from '#platform/secrets/project-box.ts'
import { type Places, placesAt } from './connections/rows.ts'
import { OidcProviders } from './protocols/oidc.ts'
import { SamlThread } from './protocols/saml-thread.ts'

/** The dependencies of single sign-on besides the data of the project; built once. */
export interface SsoTools {
  readonly outbound: SafeFetch
  readonly rules: OutboundRules
  readonly oidc: OidcProviders
  readonly saml: SamlThread
  /** Encrypts the secrets of connections and of running logins, each for its id. */
  readonly box: ProjectBox
  readonly places: Places
  readonly sendMail: SendMail
  /** Who may become an operator by the provider of the console. */
  readonly operatorSignUp: Config['CONSOLE_SIGNUP']
  readonly log: FastifyBaseLogger
}

export function makeSsoTools({ config, log }: Pick<AreaDeps, 'config' | 'log'>): SsoTools {
  const outbound = new SafeFetch(config)
  return Object.freeze({
    outbound,
    rules: config,
    saml: new SamlThread(),
    oidc: new OidcProviders(outbound, config),
    box: makeProjectBox(config, 'single sign-on'),
    places: placesAt(config.BASE_URL),
    sendMail: makeSendMail(config),
    operatorSignUp: config.CONSOLE_SIGNUP,
    log,
  })
}
