import type { CustomFetch } from 'openid-client'
import { FetchFailure } from '#platform/outbound/fetch-error.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'

/** A provider's documents are read up to this size: SAML metadata of large federations' own ones pass 64 KiB. */
const READ_BYTES = 512 * 1024
/** Statuses whose answers cannot have a body, which `Response` insists on. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * The `fetch` that openid-client is given, so that whatever a provider's discovery document leads to is reached by
 * SafeFetch alone. Follows no redirect.
 */
export const providerFetch =
  (outbound: SafeFetch): CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outbound.fetch({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      keepBytes: READ_BYTES,
      readBytes: READ_BYTES,
    })
    if (answer.error !== undefined || answer.status === undefined)
      throw new FetchFailure(answer.error ?? 'network')
    const content = WITHOUT_BODY.has(answer.status) ? null : new Uint8Array(answer.body)
    return new Response(content, { status: answer.status, headers: { ...answer.headers } })
  }

/**
 * Reads a document that an operator has named.
 * @throws FetchFailure where there is none
 */
export async function readDocument(outbound: SafeFetch, url: string): Promise<string> {
  const { status, body, error } = await outbound.fetch({
    url,
    method: 'GET',
    keepBytes: READ_BYTES,
    readBytes: READ_BYTES,
  })
  if (error !== undefined) throw new FetchFailure(error)
  if (status !== 200) throw new FetchFailure('network')
  return body.toString('utf8')
}
