import type { RequestOptions, TestApi } from '../api.ts'
import { makeCredentials } from '../areas/auth/credentials.ts'
import type { Side } from '../factories.ts'
import type { Endpoint } from './contract.ts'
import {
  actingHeaders,
  fillPath,
  makeNamed,
  pathIds,
  prefixOf,
  queryParameters,
  sampleBody,
} from './sample-requests.ts'

/** What a request was about: ids by their prefixes, and who acted. */
interface Subject {
  readonly ids: Readonly<Record<string, string>>
  readonly member: string
}

/** An answer below 300, and whose it is. */
export interface Answered {
  readonly endpoint: Endpoint
  readonly status: number
  readonly body: unknown
}

/** The most subjects that one GET is asked about. */
const MOST_SUBJECTS = 8

/** The same API; whoever uses it sees every answer below 300. */
export function overheard(api: TestApi, onAnswer: (answer: Answered) => void): TestApi {
  return {
    ...api,
    send: async <T>(method: string, url: string, options?: RequestOptions) => {
      const answer = await api.send<T>(method, url, options)
      const endpoint = answer.status < 300 ? api.contract.find(method, url) : undefined
      if (endpoint) onAnswer({ endpoint, status: answer.status, body: answer.body })
      return answer
    },
  }
}

/**
 * Sends the sample request of every endpoint that writes, each about things of its own; then every GET about what was
 * written.
 * @param but operations that are left out
 */
export async function walk(api: TestApi, side: Side, but: ReadonlySet<string>): Promise<void> {
  const credentialFor = await makeCredentials(side)
  const endpoints = api.contract.endpoints.filter(({ operation }) => !but.has(operation.operationId))
  const written: { path: string; subject: Subject }[] = []
  const send = async (endpoint: Endpoint, { ids, member }: Subject, more: RequestOptions = {}) => {
    const headers = { ...actingHeaders(endpoint, member), ...more.headers }
    const byName = pathIds(endpoint).map(({ name, prefix }) => [name, ids[prefix] ?? ''] as const)
    const url = fillPath(endpoint, Object.fromEntries(byName)) + queryOf(endpoint, member)
    return api.send(endpoint.method, url, { key: credentialFor(endpoint), ...more, headers })
  }
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    const subject = await makeSubject(api, side, endpoint)
    const sample = sampleBody(endpoint)
    const of = { ...side, member: async () => subject.member }
    const { status } = await send(endpoint, subject, { ...sample, ...(await bodyOf(of, sample)) })
    if (status < 300) written.push({ path: endpoint.path, subject })
  }
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    const prefixes = pathIds(endpoint).map(({ prefix }) => prefix)
    const [, , , group] = endpoint.path.split('/')
    const subjects = written
      .filter(({ path, subject }) =>
        prefixes.length === 0 ? path.split('/')[3] === group : prefixes.every((each) => each in subject.ids),
      )
      .map(({ subject }) => subject)
    const asked = subjects.slice(-MOST_SUBJECTS)
    for (const subject of asked.length > 0 ? asked : [await makeSubject(api, side, endpoint)])
      await send(endpoint, subject)
  }
}

/** What an endpoint names in its path is made, with a member of its own. */
export async function makeSubject(api: TestApi, side: Side, endpoint: Endpoint): Promise<Subject> {
  // A project may have few imports that are not finished, and nothing finishes these.
  await api.owner.query(
    "update member_imports set state = 'failed', finished_at = now() where project_id = $1 and finished_at is null",
    [side.projectId],
  )
  const { id: member } = await side.makeMember()
  const ids: Record<string, string> = {}
  for (const { prefix } of pathIds(endpoint))
    ids[prefix] = await makeNamed({ ...side, member: async () => member }, prefix)
  return { ids, member }
}

/** The body of a sample, about things that there are. */
export async function bodyOf(side: Side, { body }: Pick<RequestOptions, 'body'>): Promise<RequestOptions> {
  return body === undefined ? {} : { body: await withRealIds(side, body) }
}

async function withRealIds(side: Side, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => withRealIds(side, each)))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(async ([name, part]) => [name, await withRealIds(side, part)])
    return Object.fromEntries(await Promise.all(entries))
  }
  const prefix = prefixOf(value)
  if (prefix === undefined) return value
  // What cannot be made stays as it is: the example then names nothing.
  return prefix === 'mem' ? side.member() : makeNamed(side, prefix).catch(() => value)
}

/** Query parameters without which an endpoint is refused. */
function queryOf(endpoint: Endpoint, member: string): string {
  const asked = queryParameters(endpoint).flatMap(({ name, required, example }) =>
    name === 'student_id' ? [[name, member]] : required ? [[name, String(example ?? 'word')]] : [],
  )
  return asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`
}
