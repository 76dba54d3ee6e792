import type { InjectOptions } from 'fastify'
import pg, { type Pool } from 'pg'
import { areas } from '#areas/areas.ts'
import { openPool } from '#platform/db/pool.ts'
import { type Deps, makeDeps } from '#platform/deps.ts'
import type { Api, Routes } from '#platform/http/api.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { type Config, parseConfig } from '#platform/parse-config.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { proveMade } from './areas/money/prove-money.ts'
import { Contract } from './catalog/contract.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'

interface Options {
  /** Environment variables in place of the tests' own: REDIS_URL, TRUST_PROXY, DATABASE_POOL_SIZE, … */
  readonly environment?: Readonly<Record<string, string>>
  /** Endpoints besides those of the areas, for what no area does yet. */
  readonly extra?: Routes
  /** Takes the lines of the log; nothing is logged without it. */
  readonly logTo?: (line: string) => void
  /** A database to share with another API of the same test; it is then the caller's to drop. */
  readonly database?: TestDatabase
}

/** One answer of the API, as a client sees it. */
export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** JSON as a value; anything else as text; undefined where it is empty. */
  readonly body: T
}

export interface RequestOptions {
  /** The API key; sent as it is. */
  readonly key?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** The client's address. Unless it is given every request has one of its own, so that no limit by address is met. */
  readonly from?: string
}

/** The real API on a database of its own. Every answer is compared with the API's document. */
export interface TestApi {
  readonly database: TestDatabase
  readonly config: Config
  readonly deps: Deps
  readonly api: Api
  readonly contract: Contract
  /** Where it listens, like http://127.0.0.1:41234. */
  readonly url: string
  /** Logs in as guildhall_operator. */
  readonly operators: Pool
  /** Logs in as the database's owner, whom no policy stops: for what can be seen or brought about in no other way. */
  readonly owner: Pool
  /** One request without a network. @throws Error where the answer does not fit the document */
  send<T = unknown>(method: string, url: string, options?: RequestOptions): Promise<Answer<T>>
  /** The same over a real connection; the client's address is this machine's. */
  fetch<T = unknown>(method: string, url: string, options?: RequestOptions): Promise<Answer<T>>
  /** Ends it, after the money of all that was made in it was added up. */
  close(): Promise<void>
}

/** The same for every API of these areas; writing the document takes half a second. */
let contractOfAreas: Contract | undefined

let shared: Promise<TestApi> | undefined

/**
 * The API that all test files of this process share, with its database: a test makes projects of its own, and sees no
 * others. `close` leaves it to the next file. What counts rows of all projects, or changes the API, starts its own.
 */
export async function sharedApi(): Promise<TestApi> {
  shared ??= startApi()
  const api = await shared
  return { ...api, close: () => proveMade(api.owner) }
}

/** Starts the API as its process does: the runtime logins, a real port. */
export async function startApi({
  environment = {},
  extra,
  database: given,
  logTo,
}: Options = {}): Promise<TestApi> {
  const database = given ?? (await cloneDatabase())
  const config = parseConfig({
    DATABASE_URL: database.url,
    SECRET_KEY: database.secretKey,
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATABASE_POOL_SIZE: '10',
    DRAIN_MS: '0',
    ...environment,
  })
  const deps = await makeDeps(
    config,
    logTo ? makeLog('trace', 'api', { write: logTo }) : makeLog(config.LOG_LEVEL, 'api'),
  )
  const api = await buildApi(deps, areas, extra && named(extra))
  const url = await api.listen({ host: config.HOST, port: config.PORT })
  const contract = extra || contractOfAreas === undefined ? new Contract(api.swagger()) : contractOfAreas
  if (!extra) contractOfAreas = contract
  const operators = openPool(config, { role: 'operator', size: 2, onError: () => {} })
  const owner = new pg.Pool({ connectionString: database.url, max: 2 })
  owner.on('error', () => {})

  return {
    database,
    config,
    deps,
    api,
    contract,
    url,
    operators,
    owner,
    send: async <T>(method: string, path: string, options: RequestOptions = {}) => {
      const { headers, payload } = toRequest(options)
      const response = await api.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url: path,
        headers,
        remoteAddress: options.from ?? nextAddress(),
        ...(payload !== undefined && { payload }),
      })
      const answerHeaders = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [
          name,
          value === undefined ? value : String(value),
        ]),
      )
      return checked<T>(contract, method, path, response.statusCode, answerHeaders, response.body)
    },
    fetch: async <T>(method: string, path: string, options: RequestOptions = {}) => {
      const { headers, payload } = toRequest(options)
      const body = typeof payload === 'string' ? payload : payload && new Uint8Array(payload)
      const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
      const answerHeaders = Object.fromEntries(response.headers)
      return checked<T>(contract, method, path, response.status, answerHeaders, await response.text())
    },
    close: async () => {
      try {
        await proveMade(owner)
      } finally {
        await api.close()
        await deps.close()
        await operators.end()
        await owner.end()
        if (!given) await database.drop()
      }
    },
  }
}

function toRequest({ key, body, raw, headers }: RequestOptions) {
  return {
    payload: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
      ...headers,
    },
  }
}

function checked<T>(
  contract: Contract,
  method: string,
  url: string,
  status: number,
  headers: Record<string, string | undefined>,
  text: string,
): Answer<T> {
  const contentType = headers['content-type']
  const isJson = contentType?.startsWith('application/json')
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : text
  contract.check(method, url, { status, headers, body })
  return { status, headers, body: (text === '' ? undefined : body) as T }
}

let addresses = 0

/** Addresses of 10.0.0.0/8, one after the other. */
function nextAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Routes of a test, each with a name: the document wants one. */
const named =
  (routes: Routes): Routes =>
  (api, deps) => {
    api.addHook('onRoute', ({ method, url, schema }) => {
      if (schema !== undefined) schema.operationId ??= `test${`${method}${url}`.replace(/\W/g, '')}`
    })
    return routes(api, deps)
  }
