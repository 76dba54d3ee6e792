import type { CustomFetch } from 'openid-client'
import { FetchFailure } from '#platform/outbound/fetch-error.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'

/** SAML metadata is read up to this size: that of large federations is larger than 64 KiB. */
const METADATA_BYTES = 512 * 1024
/**
 * Documents of OpenID providers are read up to this size. They are kept in memory as values, which take up to thirty times as much;
 * those of the largest providers have 30 KiB.
 */
const OPENID_BYTES = 64 * 1024
/** Statuses whose responses cannot have a body: `Response` refuses one. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * The `fetch` for openid-client. Every URL of a discovery document is requested through SafeFetch. It follows no
 * redirects.
 */
export const providerFetch =
  (outbound: SafeFetch): CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outbound.fetch({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      keepBytes: OPENID_BYTES,
      readBytes: OPENID_BYTES,
    })
    if (answer.error !== undefined || answer.status === undefined)
      throw new FetchFailure(answer.error ?? 'network')
    const content = WITHOUT_BODY.has(answer.status) ? null : new Uint8Array(answer.body)
    return new Response(content, { status: answer.status, headers: { ...answer.headers } })
  }

/**
 * Reads a document whose URL an operator has entered.
 * @throws FetchFailure if it cannot be read
 */
export async function readDocument(outbound: SafeFetch, url: string): Promise<string> {
  const { status, body, error } = await outbound.fetch({
    url,
    method: 'GET',
    keepBytes: METADATA_BYTES,
    readBytes: METADATA_BYTES,
  })
  if (error !== undefined) throw new FetchFailure(error)
  if (status !== 200) throw new FetchFailure('network')
  return body.toString('utf8')
}
