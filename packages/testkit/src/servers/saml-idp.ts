import { randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { Constants, IdentityProvider, SamlLib, ServiceProvider, setSchemaValidator } from 'samlify'
import { generate } from 'selfsigned'
import type { Side } from '../factories.ts'

/** What an answer says: of each place in it, what stands there. */
export type Statement = Record<
  | 'ID'
  | 'AssertionID'
  | 'Destination'
  | 'Audience'
  | 'SubjectRecipient'
  | 'Issuer'
  | 'IssueInstant'
  | 'StatusCode'
  | 'ConditionsNotBefore'
  | 'ConditionsNotOnOrAfter'
  | 'SubjectConfirmationDataNotOnOrAfter'
  | 'NameIDFormat'
  | 'NameID'
  | 'InResponseTo'
  | 'AuthnStatement'
  | 'AttributeStatement',
  string
>

/** What a browser brings back: the fields of a form. */
export interface SamlForm {
  readonly SAMLResponse: string
  readonly RelayState: string
}

/** A real SAML provider's signatures and messages. */
export interface SamlIdp {
  readonly entityId: string
  /** Its metadata, to be registered with. */
  readonly metadata: string
  /**
   * Answers a login.
   * @param url where the browser was sent
   * @param service the metadata of whom it was sent by
   * @param changes what is asserted in place of the truth
   */
  answer(url: string, service: string, changes?: Partial<Statement>): Promise<SamlForm>
}

export const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const FIVE_MINUTES_MS = 300_000

// The library insists on one; what is wrong with our requests is for the tests to see.
setSchemaValidator({ validate: async () => 'not looked at' })

/** @param algorithm what it signs with */
export async function makeSamlIdp(
  entityId = 'https://idp.acme.example/metadata',
  algorithm: string = Constants.algorithms.signature.RSA_SHA256,
): Promise<SamlIdp> {
  const { private: privateKey, cert: signingCert } = await generate(
    [{ name: 'commonName', value: 'idp.acme.example' }],
    { algorithm: 'sha256' },
  )
  const provider = IdentityProvider({
    entityID: entityId,
    privateKey,
    signingCert,
    isAssertionEncrypted: false,
    requestSignatureAlgorithm: algorithm,
    nameIDFormat: [PERSISTENT],
    singleSignOnService: [
      { Binding: Constants.namespace.binding.redirect, Location: 'https://idp.acme.example/login' },
    ],
  })
  return {
    entityId,
    metadata: provider.getMetadata(),
    answer: async (url, service, changes = {}) => {
      const asked = new URL(url).searchParams
      const request = inflateRawSync(Buffer.from(asked.get('SAMLRequest') ?? '', 'base64')).toString()
      const sp = ServiceProvider({ metadata: service })
      const acs = String(sp.entityMeta.getAssertionConsumerService('post'))
      const statement: Statement = {
        ID: `_${randomUUID()}`,
        AssertionID: `_${randomUUID()}`,
        Destination: acs,
        Audience: sp.entityMeta.getEntityID(),
        SubjectRecipient: acs,
        Issuer: entityId,
        IssueInstant: soon(0),
        StatusCode: Constants.StatusCode.Success,
        ConditionsNotBefore: soon(0),
        ConditionsNotOnOrAfter: soon(FIVE_MINUTES_MS),
        SubjectConfirmationDataNotOnOrAfter: soon(FIVE_MINUTES_MS),
        NameIDFormat: PERSISTENT,
        NameID: 'nobody',
        InResponseTo: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
        AuthnStatement: '',
        AttributeStatement: '',
        ...changes,
      }
      const { context } = await provider.createLoginResponse(sp, { extract: {} }, 'post', {}, (template) => ({
        id: statement.ID,
        context: fill(template, statement),
      }))
      return { SAMLResponse: context, RelayState: asked.get('RelayState') ?? '' }
    },
  }
}

/** Attributes of somebody, as they stand in an answer. */
export const attributes = (values: Readonly<Record<string, string>>): string =>
  SamlLib.attributeStatementBuilder(
    Object.keys(values).map((name) => ({
      name,
      nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
      valueTag: name,
      valueXsiType: 'xs:string',
    })),
  ).replaceAll(/\{attr([^}]+)\}/g, (_place, tag: string) => {
    const name = Object.keys(values).find((each) => each.toLowerCase() === tag.toLowerCase())
    return values[name ?? ''] ?? ''
  })

/** Connects a project to a provider of its own. */
export async function connectSaml(side: Side): Promise<{ id: string }> {
  const { metadata } = await makeSamlIdp()
  const body = { type: 'saml', name: 'Acme', metadata }
  return (await side.admin.post<{ data: { id: string } }>('/sso-connections', body)).body.data
}

const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

const fill = (template: string, statement: Statement): string =>
  Object.entries(statement).reduce((xml, [place, value]) => xml.replaceAll(`{${place}}`, value), template)
