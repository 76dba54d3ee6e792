/** What an abuse is made of. */
import type pg from 'pg'

/**
 * One request of an abuser. In each text, `{n}` becomes a number from 1 that no other request of the abuse has, and `{value}` the
 * next one of its values.
 */
export interface AbuseRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Behind `/api/v1`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly values?: readonly string[]
}

/**
 * How requests are sent: at full speed, or so that each holds a connection for as long as possible, because its head is sent, its
 * body is sent or its answer is read by the byte.
 */
export type Manner = 'plain' | 'slow-head' | 'slow-upload' | 'slow-download'

/** What was made. */
export interface Made {
  readonly id: string
}

/** The project of the abuser, on servers that it shares with others. */
export interface Site {
  readonly origin: string
  /** Of a server that accepts connections and never answers. */
  readonly silentUrl: string
  readonly projectId: string
  /** `Bearer svc_sk_…`, of a key that may do everything in its project. */
  readonly authorization: string
  /** `Bearer svc_pk_…`, of a new key with which a site sends page views. */
  makeSiteKey(): Promise<string>
  /** As the owner of the tables, with this project as the current one. */
  readonly owner: pg.Client
  /** Sends JSON with the key. @returns what the answer shows, out of its envelope @throws Error where it is no 2xx */
  send<T extends object = Made>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<T>
  /** Makes something with the key. @returns its id */
  make(path: string, body: object): Promise<string>
  /** Sends a file with the key. @returns its id */
  upload(path: string, bytes: Blob): Promise<string>
}

export interface Abuse {
  readonly name: string
  /** Connections at the same time; 8 where omitted. */
  readonly connections?: number
  readonly manner?: Manner
  /** Whether the short form in `npm test` has it. */
  readonly inShortForm?: boolean
  /**
   * Makes what the requests need.
   * @param size 1, or less for the short form: the part of the data that is made
   * @returns the requests that are sent in turn
   */
  prepare(site: Site, size: number): Promise<readonly AbuseRequest[]>
}

/** So much of what there can be. */
export const part = (size: number, most: number): number => Math.ceil(size * most)

/** A GET with the key. */
export const reading = (site: Site, path: string, headers: Record<string, string> = {}): AbuseRequest => ({
  method: 'GET',
  path,
  headers: { authorization: site.authorization, ...headers },
})

/** A POST of JSON with the key. */
export const posting = (
  site: Site,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): AbuseRequest => ({
  method: 'POST',
  path,
  headers: { authorization: site.authorization, 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const BOUNDARY = 'neighbours'

/** A file, sent with the key. */
export const multipart = (
  site: Site,
  path: string,
  { name, type, content }: { name: string; type: string; content: string },
): AbuseRequest => ({
  method: 'POST',
  path,
  headers: {
    authorization: site.authorization,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  },
  body: [
    `--${BOUNDARY}`,
    `content-disposition: form-data; name="file"; filename="${name}"`,
    `content-type: ${type}\r\n`,
    content,
    `--${BOUNDARY}--\r\n`,
  ].join('\r\n'),
})

/** Does something so often, four at a time. @param work is given numbers from 0 */
export async function repeat<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  let next = 0
  const worker = async () => {
    for (let n = next++; n < count; n = next++) made[n] = await work(n)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return made
}
