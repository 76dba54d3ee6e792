import { AuthorizationResponseError } from 'openid-client'
import type { UsableConnection } from '../connections/queries.ts'
import type { SsoTools } from '../tools.ts'
import type { OidcAnswer, OidcClient, OidcSecrets } from './oidc.ts'
import type { Person } from './person.ts'
import { beginSaml, type SamlAnswer, type SamlParty, SamlRefusal, type SamlSecrets } from './saml.ts'

/** The parameters with which the browser came back. */
export type Answer =
  | { readonly type: 'oidc'; readonly parameters: OidcAnswer }
  | { readonly type: 'saml'; readonly response: string }

/** The person who logged in; with SAML also the assertion, which is accepted once. */
export interface Identified {
  readonly person: Person
  readonly assertion: Pick<SamlAnswer, 'assertionId' | 'expiresAt'> | undefined
}

/**
 * Where to send a browser to log in, and what the answer is checked against.
 * @param maxAge seconds since the log-in at an OpenID provider after which it asks for another one
 */
export function beginLogin(
  tools: SsoTools,
  connection: UsableConnection,
  state: string,
  maxAge?: number,
): Promise<{ url: string; secrets: OidcSecrets | SamlSecrets }> {
  return connection.type === 'oidc'
    ? tools.oidc.begin(toClient(tools, connection), state, callbackOf(tools, connection), maxAge)
    : beginSaml(toParty(tools, connection), state)
}

/** Who logged in, by the answer in the browser. @throws if the answer is invalid */
export async function identify(
  tools: SsoTools,
  connection: UsableConnection,
  answer: Answer,
  secrets: unknown,
  projectId: string,
): Promise<Identified> {
  if (answer.type === 'oidc') {
    const client = toClient(tools, connection)
    const callback = callbackOf(tools, connection)
    const person = await tools.oidc.finish(client, answer.parameters, secrets as OidcSecrets, callback)
    return { person, assertion: undefined }
  }
  const party = toParty(tools, connection)
  const task = { party, text: answer.response, secrets: secrets as SamlSecrets }
  const { person, ...assertion } = await tools.saml.read(task, projectId)
  return { person, assertion }
}

/** True if the provider refused, or the person canceled. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AuthorizationResponseError || error instanceof SamlRefusal

/** The address to which the provider returns. */
const callbackOf = ({ places }: SsoTools, { id, uses_old_callback }: UsableConnection): string =>
  uses_old_callback ? places.oldCallback : places.callback(id)

const toClient = ({ box }: SsoTools, connection: UsableConnection): OidcClient => ({
  version: `${connection.id} ${connection.updated_at}`,
  issuer: connection.issuer,
  clientId: connection.client_id ?? '',
  clientSecret:
    connection.client_secret === null ? undefined : box.open(connection.client_secret, connection.id),
})

const toParty = ({ places }: SsoTools, connection: UsableConnection): SamlParty => ({
  issuer: connection.issuer,
  ssoUrl: connection.sso_url ?? '',
  certificates: connection.certificates,
  domains: connection.domains,
  acs: places.acs(connection.id),
  entityId: places.metadata(connection.id),
})
