import { randomBytes } from 'node:crypto'
import type { SAML } from '@node-saml/node-saml'
import type { Element } from '@xmldom/xmldom'
import { domainOf } from '../login/policy.ts'
import { type Person, TWO_FACTORS } from './person.ts'
import { below, childrenOf, parseXml, textOf } from './xml.ts'

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** The largest difference between the clock of a provider and ours. */
const SKEW_MS = 60_000
/** The longest answer: an assertion is shorter. */
const MAX_ANSWER = 512 * 1024
/** A signed answer with a signed assertion has two signatures. */
const MAX_REFERENCES = 4

/** The attributes for an address and a name, the most specific first. */
const EMAIL_ATTRIBUTES = [
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'email',
  'mail',
]
const NAME_ATTRIBUTES = [
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'displayName',
  'name',
]

/** A SAML provider, and how it knows us. */
export interface SamlParty {
  /** The entity id of the provider. */
  readonly issuer: string
  readonly ssoUrl: string
  readonly certificates: readonly string[]
  /** The domains of addresses that belong to the connection. */
  readonly domains: readonly string[]
  /** The address to which the provider sends its answers. */
  readonly acs: string
  /** Our entity id. */
  readonly entityId: string
}

/** What the answer to a login is checked against. */
export interface SamlSecrets {
  readonly requestId: string
}

/** The person who logged in, and the assertion, which is accepted once. */
export interface SamlAnswer {
  readonly person: Person
  readonly assertionId: string
  /** When the assertion expires. */
  readonly expiresAt: Date
}

/** The provider refused, or the person canceled. */
export class SamlRefusal extends Error {
  override name = 'SamlRefusal'
}

/** What is wrong with an answer; for the log. */
export class SamlFault extends Error {
  override name = 'SamlFault'
}

/** Where to send a browser to log in, and what the answer is checked against. */
export async function beginSaml(party: SamlParty, relayState: string) {
  // An XML id must not start with a digit.
  const secrets: SamlSecrets = { requestId: `_${randomBytes(20).toString('hex')}` }
  const saml = await makeSaml(party, secrets.requestId)
  const url = await saml.getAuthorizeUrlAsync(relayState, undefined, {})
  return { url, secrets }
}

/** Our metadata for a provider, as XML. */
export async function serviceMetadata(places: { acs: string; entityId: string }): Promise<string> {
  const party = { ...places, issuer: '', ssoUrl: '', domains: [], certificates: ['none'] }
  const saml = await makeSaml(party, '_metadata')
  return saml.generateServiceProviderMetadata(null)
}

/**
 * Reads the answer to one of our requests. It must have one assertion, signed with SHA-256 or better. Only the signed
 * assertion is trusted; the rest of the answer can only cause a refusal.
 * @throws SamlRefusal, SamlFault, or the errors of node-saml
 */
export async function readSamlAnswer(
  party: SamlParty,
  text: string,
  { requestId }: SamlSecrets,
): Promise<SamlAnswer> {
  if (text.length > MAX_ANSWER) throw new SamlFault('the answer is too long')
  assertEnvelope(party, Buffer.from(text, 'base64').toString('utf8'), requestId)
  const saml = await makeSaml(party, requestId)
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: text })
  const assertion = parseXml(profile?.getAssertionXml?.() ?? '')?.documentElement
  if (!assertion) throw new SamlFault('there is no assertion')
  if (textOf(childrenOf(assertion, ASSERTION, 'Issuer')[0]) !== party.issuer)
    throw new SamlFault('the assertion is of another provider')
  const expiresAt = confirm(party, assertion, requestId)
  const assertionId = assertion.getAttribute('ID')
  if (!assertionId) throw new SamlFault('the assertion has no id')
  return { person: toPerson(party, assertion), assertionId, expiresAt }
}

/** The unsigned part of an answer can only lead to a refusal. */
function assertEnvelope({ acs }: SamlParty, xml: string, requestId: string): void {
  const response = parseXml(xml)?.documentElement
  if (response?.localName !== 'Response' || response.namespaceURI !== PROTOCOL)
    throw new SamlFault('the answer is no SAML response')
  const destination = response.getAttribute('Destination')
  if (destination && destination !== acs) throw new SamlFault('the answer was meant for another place')
  if (response.getAttribute('InResponseTo') !== requestId)
    throw new SamlFault('the answer belongs to no request that we made')
  const status = below(response, PROTOCOL, 'StatusCode')[0]?.getAttribute('Value')
  if (status !== SUCCESS) throw new SamlRefusal(`the status is ${status}`)
  if (below(response, SIGNATURES, 'Reference').length > MAX_REFERENCES)
    throw new SamlFault('the answer is signed too often')
  const algorithms = ['SignatureMethod', 'DigestMethod'].flatMap((name) => below(response, SIGNATURES, name))
  if (algorithms.some((each) => /sha1$|md5$/i.test(each.getAttribute('Algorithm') ?? '')))
    throw new SamlFault('the answer is signed with an algorithm that is broken')
}

/** Checks that the bearer of the assertion is its subject: for us, now, and for this request. @returns until when */
function confirm({ acs }: SamlParty, assertion: Element, requestId: string): Date {
  const confirmed = below(assertion, ASSERTION, 'SubjectConfirmation')
    .filter((each) => each.getAttribute('Method') === BEARER)
    .flatMap((each) => childrenOf(each, ASSERTION, 'SubjectConfirmationData'))
    .filter(
      (data) => data.getAttribute('Recipient') === acs && data.getAttribute('InResponseTo') === requestId,
    )
    .map((data) => Date.parse(data.getAttribute('NotOnOrAfter') ?? '') + SKEW_MS)
    .find((until) => until > Date.now())
  if (confirmed === undefined) throw new SamlFault('the assertion is not confirmed for this request')
  return new Date(confirmed)
}

function toPerson({ domains }: SamlParty, assertion: Element): Person {
  const [nameId] = below(assertion, ASSERTION, 'NameID')
  const format = nameId?.getAttribute('Format')
  const subject = textOf(nameId)
  if (subject === undefined || format === TRANSIENT) throw new SamlFault('the subject has no lasting name')
  const attributes = new Map(
    below(assertion, ASSERTION, 'Attribute').map((each) => [
      each.getAttribute('Name') ?? '',
      textOf(childrenOf(each, ASSERTION, 'AttributeValue')[0]),
    ]),
  )
  const first = (names: readonly string[]) => names.map((name) => attributes.get(name)).find(Boolean)
  const email = first(EMAIL_ATTRIBUTES) ?? (format === EMAIL_ADDRESS ? subject : undefined)
  const contexts = below(assertion, ASSERTION, 'AuthnContextClassRef').map(textOf)
  return {
    subject,
    email,
    // SAML has no field for a verified address: the operator has set the domains that belong to the provider.
    isEmailVerified: email !== undefined && domains.includes(domainOf(email)),
    name: first(NAME_ATTRIBUTES),
    hasSecondFactor: contexts.some((context) => TWO_FACTORS.includes(context ?? '')),
  }
}

/** SAML libraries are large and few processes need them, so the first SAML login loads them. */
async function makeSaml(party: SamlParty, requestId: string): Promise<SAML> {
  const { SAML } = await import('@node-saml/node-saml')
  return new SAML({
    idpCert: [...party.certificates],
    idpIssuer: party.issuer,
    entryPoint: party.ssoUrl,
    issuer: party.entityId,
    audience: party.entityId,
    callbackUrl: party.acs,
    wantAssertionsSigned: true,
    // If the answer is signed too, that signature is checked as well; the assertion decides.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    generateUniqueId: () => requestId,
    // The provider decides how a person logs in and what the person is called.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
  })
}
