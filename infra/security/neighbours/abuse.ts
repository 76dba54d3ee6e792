/** What an abuse is made of. */
import type pg from 'pg'

/** One request of an abuser. In each text, `{n}` becomes a number from 1 that no other request of the abuse has. */
export interface AbuseRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Behind `/api/v1`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** How requests are sent: at full speed, or so that each holds a connection for as long as possible. */
export type Manner = 'plain' | 'slow-download' | 'slow-upload'

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
  /** As the owner of the tables, with this project as the current one. */
  readonly owner: pg.Client
  /** Sends JSON with the key. @returns what the answer shows, out of its envelope @throws Error where it is no 2xx */
  send<T extends object = Made>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T>
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

/** A GET with the key. */
export const reading = (site: Site, path: string, headers: Record<string, string> = {}): AbuseRequest => ({
  method: 'GET',
  path,
  headers: { authorization: site.authorization, ...headers },
})

/** A POST of JSON with the key. */
export const posting = (site: Site, path: string, body: object): AbuseRequest => ({
  method: 'POST',
  path,
  headers: { authorization: site.authorization, 'content-type': 'application/json' },
  body: JSON.stringify(body),
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
