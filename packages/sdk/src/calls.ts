/** Options of a call besides its input. @template Query the query parameters of an operation that has a body */
export interface Options<Query = never> {
  readonly query?: Query | undefined
  /** The key of a POST that may be repeated; by default one is made where a repetition would do harm. */
  readonly idempotencyKey?: string | undefined
  /** The `ETag` of the resource as it was read: if it has changed since then, the call fails with `CHANGED_MEANWHILE`. */
  readonly ifMatch?: string | undefined
  /** The member who acts, where the credential is a secret key. */
  readonly actingMember?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for each attempt. */
  readonly timeout?: number | undefined
  /** How often a call is repeated that failed for a moment. */
  readonly retries?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called with each answer, for its headers, such as `ETag`. */
  readonly onResponse?: ((response: Response) => void) | undefined
}

/** One page of a list, with all that the API answers beside it. */
export interface Page<Item> {
  readonly data: Item[]
  /** How to get the next page; null on the last one. */
  readonly next_cursor: string | null
}

/** A list: `await` gets its first page, and `for await` goes through the items of all pages. */
export interface Pages<Item, More = unknown> extends Promise<Page<Item> & More>, AsyncIterable<Item> {
  /** Goes through the pages, from the one that was asked for. */
  pages(): AsyncIterable<Page<Item> & More>
}

/** Milliseconds for each attempt, unless a call or the client says otherwise. */
export const TIMEOUT_MS = 30_000
export const RETRIES = 2
