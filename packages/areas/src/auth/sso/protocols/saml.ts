import { randomBytes } from 'node:crypto'
import type { SAML } from '@node-saml/node-saml'
import type { Element } from '@xmldom/xmldom'
import { domainOf } from '../login/policy.ts'
import type { Person } from './person.ts'
import { TWO_FACTORS } from './two-factors.ts'
import { below, childrenOf, parseXml, textOf } from './xml.ts'

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** How far a provider's clock may be from ours. */
const SKEW_MS = 60_000
/** An answer that is longer holds something else than an assertion. */
const MAX_ANSWER = 512 * 1024
/** A signed answer with a signed assertion has two. */
const MAX_REFERENCES = 4

/** What providers call an address and a name, the most specific first. */
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

/** A SAML provider and what it knows us as. */
export interface SamlParty {
  /** The provider's entity id. */
  readonly issuer: string
  readonly ssoUrl: string
  readonly certificates: readonly string[]
  /** The domains of addresses that it speaks for. */
  readonly domains: readonly string[]
  /** Where its answers go. */
  readonly acs: string
  /** Our entity id. */
  readonly entityId: string
}

/** What the answer to a login is held against. */
export interface SamlSecrets {
  readonly requestId: string
}

/** Who logged in, and the assertion that says so, to be taken once. */
export interface SamlAnswer {
  readonly person: Person
  readonly assertionId: string
  /** When it is good no longer. */
  readonly expiresAt: Date
}

/** The provider, or whoever logs in there, has said no. */
export class SamlRefusal extends Error {
  override name = 'SamlRefusal'
}

/** What is wrong with an answer; for the log. */
export class SamlFault extends Error {
  override name = 'SamlFault'
}

/** Where to send a browser that logs in, and what to hold the answer against. */
export async function beginSaml(party: SamlParty, relayState: string) {
  // An XML id does not begin with a digit.
  const secrets: SamlSecrets = { requestId: `_${randomBytes(20).toString('hex')}` }
  const saml = await makeSaml(party, secrets.requestId)
  const url = await saml.getAuthorizeUrlAsync(relayState, undefined, {})
  return { url, secrets }
}

/** What a provider has to know of us, as XML. */
export async function serviceMetadata(places: { acs: string; entityId: string }): Promise<string> {
  const party = { ...places, issuer: '', ssoUrl: '', domains: [], certificates: ['none'] }
  const saml = await makeSaml(party, '_metadata')
  return saml.generateServiceProviderMetadata(null)
}

/**
 * Reads the answer to a request of ours. Its one assertion must be signed, by SHA-256 or better; what it says counts,
 * and of the rest of the answer nothing but what would refuse it.
 * @throws SamlRefusal, SamlFault, or whatever node-saml has against it
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

/** What nobody has signed can be used against an answer, never for it. */
function assertEnvelope({ acs }: SamlParty, xml: string, requestId: string): void {
  const response = parseXml(xml)?.documentElement
  if (response?.localName !== 'Response' || response.namespaceURI !== PROTOCOL)
    throw new SamlFault('the answer is no SAML response')
  const destination = response.getAttribute('Destination')
  if (destination && destination !== acs) throw new SamlFault('the answer was meant for another place')
  if (response.getAttribute('InResponseTo') !== requestId)
    throw new SamlFault('the answer is to no request of ours')
  const status = below(response, PROTOCOL, 'StatusCode')[0]?.getAttribute('Value')
  if (status !== SUCCESS) throw new SamlRefusal(`the status is ${status}`)
  if (below(response, SIGNATURES, 'Reference').length > MAX_REFERENCES)
    throw new SamlFault('the answer is signed too often')
  const algorithms = ['SignatureMethod', 'DigestMethod'].flatMap((name) => below(response, SIGNATURES, name))
  if (algorithms.some((each) => /sha1$|md5$/i.test(each.getAttribute('Algorithm') ?? '')))
    throw new SamlFault('the answer is signed with an algorithm that is broken')
}

/** Whoever brings the assertion is who it is about: for us, now, and for this request. @returns until when */
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
    // SAML has no word for it: an operator has said which domains the provider speaks for.
    isEmailVerified: email !== undefined && domains.includes(domainOf(email)),
    name: first(NAME_ATTRIBUTES),
    hasSecondFactor: contexts.some((context) => TWO_FACTORS.includes(context ?? '')),
  }
}

/** Few processes ever serve SAML, and its libraries are large: they are loaded by the first login that needs them. */
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
    // Where the answer is signed too, that is checked as well; its assertion is what counts.
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    generateUniqueId: () => requestId,
    // How somebody logs in, and what they are called, is the provider's to decide.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
  })
}
