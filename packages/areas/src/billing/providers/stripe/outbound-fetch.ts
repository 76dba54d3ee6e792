import { FetchFailure } from '#platform/outbound/fetch-error.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'

const ANSWER_BYTES = 1024 * 1024

/** Stripe's package talks through the one way to the outside. */
export const outboundFetch =
  (outbound: SafeFetch): typeof fetch =>
  async (input, init) => {
    const answer = await outbound.fetch({
      url: String(input),
      method: init?.method === 'GET' ? 'GET' : 'POST',
      headers: Object.fromEntries(new Headers(init?.headers).entries()),
      ...(typeof init?.body === 'string' && { body: init.body }),
      keepBytes: ANSWER_BYTES,
      readBytes: ANSWER_BYTES,
    })
    if (answer.error !== undefined || answer.status === undefined)
      throw new FetchFailure(answer.error ?? 'network')
    return new Response(new Uint8Array(answer.body), {
      status: answer.status,
      headers: { ...answer.headers },
    })
  }
