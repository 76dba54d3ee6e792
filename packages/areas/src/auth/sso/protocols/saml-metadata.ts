import { X509Certificate } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import type { OutboundRules } from '#platform/outbound/address.ts'
import { checkOutboundUrl } from '#platform/outbound/outbound-url.ts'
import { below, parseXml, textOf } from './xml.ts'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
/** A roll-over of certificates needs no more. */
const MAX_CERTIFICATES = 10

/** What a SAML connection must know of its provider. */
export interface IdpMetadata {
  readonly entityId: string
  /** Where browsers are sent with a request (HTTP-Redirect). */
  readonly ssoUrl: string
  /** The certificates for its signatures: DER in base64. */
  readonly certificates: string[]
}

/** A fault of metadata, as a message after the name of its field. */
export class MetadataFault extends Error {
  override name = 'MetadataFault'
}

/**
 * Reads the metadata of a SAML provider.
 * @throws MetadataFault
 */
export function parseMetadata(text: string, rules: OutboundRules): IdpMetadata {
  const root = parseXml(text)?.documentElement
  if (!root) throw new MetadataFault('is not XML')
  const providers = below(root, METADATA, 'IDPSSODescriptor').filter((each) =>
    (each.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(PROTOCOL),
  )
  const [provider] = providers
  if (!provider || providers.length > 1)
    throw new MetadataFault('must describe one SAML 2.0 identity provider')
  const entity =
    below(root, METADATA, 'EntityDescriptor').find((each) => each === provider.parentNode) ?? root
  const entityId = entity.getAttribute('entityID') ?? ''
  if (entityId === '' || entityId.length > 1024) throw new MetadataFault('has no entityID')
  const service = below(provider, METADATA, 'SingleSignOnService').find(
    (each) => each.getAttribute('Binding') === REDIRECT,
  )
  const ssoUrl = service?.getAttribute('Location') ?? ''
  if (checkOutboundUrl(ssoUrl, rules)) throw new MetadataFault('has no https address for HTTP-Redirect')
  return { entityId, ssoUrl, certificates: certificatesOf(provider) }
}

/** The certificates for signing: those without another purpose. */
function certificatesOf(provider: Element): string[] {
  const found = below(provider, METADATA, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => below(key, SIGNATURES, 'X509Certificate'))
    .map((each) => (textOf(each) ?? '').replaceAll(/\s/g, ''))
  const certificates = [...new Set(found)]
  if (certificates.length === 0) throw new MetadataFault('has no certificate for signing')
  if (certificates.length > MAX_CERTIFICATES) throw new MetadataFault('has too many certificates')
  if (!certificates.every(isCertificate)) throw new MetadataFault('has an invalid certificate')
  return certificates
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(Buffer.from(text, 'base64')).publicKey.asymmetricKeyType !== undefined
  } catch {
    return false
  }
}
