import type { TestApi } from '../api.ts'
import { makeCredentials } from '../areas/auth/credentials.ts'
import type { Side } from '../factories.ts'
import type { Endpoint } from './contract.ts'
import {
  actingHeaders,
  fillPath,
  makeNamed,
  memberQuery,
  pathIds,
  prefixOf,
  queryParameters,
  sampleBody,
} from './sample-requests.ts'

// Lists of the API's document, as tests ask them.

export type ListRecord = Readonly<Record<string, unknown>>

/** What a list answers. */
export interface ListAnswer {
  readonly details?: readonly { readonly field: string }[]
  readonly pagination?: { readonly next_cursor?: string | null; readonly page?: number }
}

/** One list of a project: its records, and its answers. */
export interface AskedList {
  readonly endpoint: Endpoint
  readonly name: string
  /** Names of its query parameters. */
  readonly takes: ReadonlySet<string>
  readonly ask: (query?: Readonly<Record<string, string>>) => Promise<Asked>
  /** Makes records for it, as far as `more`, the POST of its path or the maker of its records' ids can. */
  readonly fill: () => Promise<void>
}

export interface Asked {
  readonly status: number
  readonly body: ListAnswer
  readonly records: readonly ListRecord[]
  /** The cursor of the next page: in `pagination`, or in `Link` where a list shows none. */
  readonly next: string | undefined
}

/** Makes records of a list that no POST of its path makes. @param ids those in the path of the list */
export type MakeMore = (side: Side, ids: Readonly<Record<string, string>>, i: number) => Promise<unknown>

const RECORDS = 3

/** Every list that takes `cursor`: a new one is covered the day it is added. */
export async function openLists(
  api: TestApi,
  side: Side,
  more: Readonly<Record<string, MakeMore>> = {},
): Promise<AskedList[]> {
  const credentialFor = await makeCredentials(side)
  const endpoints = api.contract.endpoints.filter((endpoint) =>
    queryParameters(endpoint).some(({ name }) => name === 'cursor'),
  )
  const lists: AskedList[] = []
  for (const endpoint of endpoints) {
    const ids: Record<string, string> = {}
    for (const { name, prefix } of pathIds(endpoint)) ids[name] = await makeNamed(side, prefix)
    const path = fillPath(endpoint, ids)
    const parameters = queryParameters(endpoint)
    const needed = Object.fromEntries(
      parameters.filter(({ required }) => required).map(({ name, example }) => [name, String(example)]),
    )
    const name = endpoint.operation.operationId
    const ask: AskedList['ask'] = async (query = {}) => {
      const sent = new URLSearchParams({ ...needed, ...(await memberQuery(endpoint, side)), ...query })
      const { status, body, headers } = await api.send<ListAnswer>('GET', `${path}?${sent}`, {
        key: credentialFor(endpoint),
        headers: actingHeaders(endpoint, await side.member()),
      })
      const link = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
      const linked = link === undefined ? undefined : new URL(link, 'http://api').searchParams.get('cursor')
      const next = body.pagination?.next_cursor ?? linked ?? undefined
      return { status, body, records: recordsOf(body), next }
    }
    const fill = async () => {
      const post = api.contract.endpoints.find(
        (each) => each.path === endpoint.path && each.method === 'POST',
      )
      const prefix = prefixOf(recordsOf(exampleOf(endpoint))[0]?.['id'])
      for (let i = 0; i < RECORDS; i++) {
        const make = more[name]
        if (make) await make(side, ids, i)
        else if (pathIds(endpoint).length > 0 && post)
          await api.send('POST', path, {
            key: side.key,
            ...sampleBody(post),
            headers: actingHeaders(post, await side.member()),
          })
        else if (prefix !== undefined) await makeNamed(side, prefix).catch(() => undefined)
      }
    }
    lists.push({ endpoint, name, takes: new Set(parameters.map((each) => each.name)), ask, fill })
  }
  return lists
}

const exampleOf = ({ operation }: Endpoint): object =>
  (operation.responses['200']?.content?.['application/json']?.example ?? {}) as object

/** The records of an answer: its only array, in `data` or under its own name. */
const recordsOf = (body: object): ListRecord[] =>
  Object.values(body).find((part): part is ListRecord[] => Array.isArray(part)) ?? []
