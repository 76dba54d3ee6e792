import type { Operations } from './api.generated.ts'
import type { Options, Page, Pages } from './calls.ts'
import { GuildhallError } from './errors.ts'
import { nextOf, pagesOf } from './pages.ts'
import { notOfThisApi, type Sender, send } from './send.ts'
import { readTable, type Spec } from './table.ts'

export interface ClientOptions {
  /** Where the API is, such as `https://api.example.com`; a slash at its end, or `/api/v1`, changes nothing. */
  readonly baseUrl: string
  /** A secret key, on servers only; or a public key. */
  readonly key?: string
  /** In place of a key: the access token of a member. */
  readonly token?: string | ((refused?: string) => string | undefined | Promise<string | undefined>)
  /** Milliseconds for each attempt. Default: 30 000. */
  readonly timeout?: number
  /** How often a call is repeated that failed for a moment, where that is safe. Default: 2. */
  readonly retries?: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the runtime's own `fetch`. */
  readonly fetch?: typeof fetch
}

/** All operations, and a way to those that this version does not know yet. */
export interface Guildhall extends Operations {
  /** Calls an operation by its method and path. @returns the whole body */
  request<T = unknown>(
    method: string,
    path: string,
    input?: { readonly query?: object; readonly body?: unknown },
    options?: Options<unknown>,
  ): Promise<T>
}

/**
 * A client of the API.
 * @throws TypeError for an address that is none, and for a secret key in a browser
 */
export function createClient(options: ClientOptions): Guildhall {
  const sender = senderOf(options)
  const client: Record<string, unknown> = {
    request: async (
      method: string,
      path: string,
      input: { query?: object; body?: unknown } = {},
      more = {},
    ) => {
      const address = path.startsWith('/api/') ? path : `/api/v1/${path.replace(/^\//, '')}`
      const operation = `${method} ${path}`
      const response = await send(sender, { operation, method, path: address, ...input, options: more })
      return bodyOf(operation, response)
    },
  }
  readTable((groups, method, spec) => {
    let group = client
    for (const word of groups) {
      group[word] ??= {}
      group = group[word] as Record<string, unknown>
    }
    group[method] = (...given: unknown[]) => call(sender, spec, given)
  })
  return client as unknown as Guildhall
}

function senderOf(options: ClientOptions): Sender {
  const { key, token, timeout, retries, headers = {} } = options
  assertNotSecret(key)
  if (typeof token === 'string') assertNotSecret(token)
  return {
    origin: originOf(options.baseUrl),
    // A browser's own `fetch` must be called as a function of the window.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    ...{ timeout, retries, headers },
    credential:
      typeof token === 'function'
        ? async (refused) => assertNotSecret(await token(refused))
        : () => token ?? key,
  }
}

/** @throws TypeError for a secret key in a browser */
function assertNotSecret(credential: string | undefined): string | undefined {
  if (credential?.startsWith('svc_sk_') && isBrowser())
    throw new TypeError(
      'A secret key must not be in a browser, because everybody who opens the page can read it. Use a public key, or log members in',
    )
  return credential
}

/** A page, or a worker of one. */
function isBrowser(): boolean {
  const scope = globalThis as { document?: unknown; importScripts?: unknown }
  return scope.document !== undefined || typeof scope.importScripts === 'function'
}

function originOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl))
    throw new TypeError(
      `baseUrl must be the address of the API, like https://api.example.com: '${baseUrl}' is none`,
    )
  return baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

/** Calls an operation: the ids of its path first, then its input, then options. */
function call(sender: Sender, spec: Spec, given: readonly unknown[]): unknown {
  const ids = spec.path.split('*').length - 1
  const [input, others] = spec.hasBody || spec.hasQuery ? given.slice(ids) : [undefined, given[ids]]
  const options = (others ?? {}) as Options<object>
  const query = spec.hasBody ? options.query : (input as object | undefined)
  const path = () => pathOf(spec, given)
  const sending = (more?: object) =>
    send(sender, {
      operation: spec.name,
      method: spec.method,
      path: path(),
      query: more ? { ...query, ...more } : query,
      body: spec.hasBody ? input : undefined,
      sendsKey: spec.sendsKey,
      isLong: spec.answer === 'response',
      options,
    })
  if (spec.answer === 'list')
    return pagesOf(async (cursor) =>
      pageOf(spec, await sending(cursor === undefined ? undefined : { page: undefined, cursor })),
    ) satisfies Pages<unknown>
  const answered = async () => answerOf(spec, await sending())
  return answered()
}

function pathOf(spec: Spec, ids: readonly unknown[]): string {
  let i = 0
  return spec.path.replaceAll('*', () => {
    const id = ids[i++]
    if ((typeof id !== 'string' && typeof id !== 'number') || id === '')
      throw new GuildhallError(`${spec.name} needs an id in its place ${i}`, {
        code: 'CANNOT_BE_SENT',
        operation: spec.name,
      })
    return encodeURIComponent(id)
  })
}

async function answerOf(spec: Spec, response: Response): Promise<unknown> {
  if (spec.answer === 'response') return response
  const body = (await bodyOf(spec.name, response)) as Record<string, unknown>
  return spec.answer === 'whole' ? body : body[spec.field]
}

async function pageOf(spec: Spec, response: Response): Promise<Page<unknown>> {
  const { success: _, ...body } = (await bodyOf(spec.name, response)) as Record<string, unknown>
  const { [spec.field]: data, ...more } = body
  const { next_cursor: next } = (body['pagination'] ?? {}) as { next_cursor?: string | null }
  return {
    ...more,
    data: data as unknown[],
    next_cursor: next === undefined ? nextOf(response.headers.get('link')) : next,
  }
}

async function bodyOf(operation: string, response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.includes('json')) throw notOfThisApi(operation, response)
  try {
    return await response.json()
  } catch (error) {
    throw new GuildhallError(
      'The answer ended before it was whole',
      { code: 'NO_ANSWER', status: response.status, operation },
      error,
    )
  }
}
