import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TypeID } from 'typeid-js'
import type { RequestOptions } from '../api.ts'
import type { Side } from '../factories.ts'
import type { Content, Endpoint, Parameter } from './contract.ts'

type Makers = Readonly<Record<string, (side: Side) => Promise<{ id: string }>>>

const AREAS = join(import.meta.dirname, '../../../areas/src')

/** How to make what an id names, by its prefix: each area says it, where the example of no POST makes it. */
let makers: Promise<Makers> | undefined

async function readMakers(): Promise<Makers> {
  const files = await readdir(AREAS, { recursive: true })
  const modules = await Promise.all(
    files
      .filter((file) => /^[^/]+\/samples\.fixture\.ts$/.test(file))
      .map((file): Promise<{ samples: Makers }> => import(join(AREAS, file))),
  )
  return Object.assign({}, ...modules.map(({ samples }) => samples))
}

/** Lists of what one member has, with the parameter by which a key says of which. */
const OF_MEMBER: Readonly<Record<string, string>> = {
  listEnrollments: 'student_id',
  listCommentsOfMember: 'author_id',
}

/** The query of a list of what one member has. */
export async function memberQuery({ operation }: Endpoint, side: Side): Promise<Record<string, string>> {
  const name = OF_MEMBER[operation.operationId]
  return name === undefined ? {} : { [name]: await side.member() }
}

/** An id that names nothing. */
export const missingId = (prefix: string): string => new TypeID(prefix).toString()

/** Makes something in a project that an id with this prefix can name. @throws Error where it cannot be made */
export async function makeNamed(side: Side, prefix: string): Promise<string> {
  makers ??= readMakers()
  const make = (await makers)[prefix]
  return make ? (await make(side)).id : makeByExample(side, prefix)
}

/** Sends the documented example of the POST that answers such an id; what the example names is made before. */
async function makeByExample(side: Side, prefix: string): Promise<string> {
  const endpoint = side.contract.endpoints.find(
    ({ method, operation }) =>
      method === 'POST' &&
      idIn(operation.responses?.['201']?.content?.['application/json']?.example) === prefix,
  )
  if (!endpoint)
    throw new Error(`no POST answers 201 with ${prefix}_…: make one in the area’s samples.fixture.ts`)
  const ids: Record<string, string> = {}
  for (const path of pathIds(endpoint)) ids[path.name] = await makeNamed(side, path.prefix)
  const body = structuredClone(jsonBody(endpoint)?.example ?? {}) as Record<string, unknown>
  for (const [field, value] of Object.entries(body)) {
    const named = prefixOf(value)
    if (named !== undefined)
      body[field] = named === 'mem' ? await side.member() : await makeNamed(side, named)
  }
  const url = fillPath(endpoint, ids).replace('/api/v1', '')
  const answer = await side.admin.post(url, body, { headers: actingHeaders(endpoint, await side.member()) })
  const id = findId(answer.body, prefix)
  if (id === undefined)
    throw new Error(`${endpoint.path} made no ${prefix}_…: ${JSON.stringify(answer.body)}`)
  return id
}

/** The `id` of the object that an answer is about: in `data`, in another field, or its own. */
const idsOf = (answer: unknown): string[] =>
  [answer, ...Object.values((answer ?? {}) as object)].flatMap((value) => {
    const { id } = (value ?? {}) as { id?: unknown }
    return typeof id === 'string' ? [id] : []
  })
const idIn = (answer: unknown): string | undefined => idsOf(answer).map(prefixOf)[0]
const findId = (answer: unknown, prefix: string) => idsOf(answer).find((id) => prefixOf(id) === prefix)

/** The path parameters of an endpoint that are ids, with the prefix of what they take, as their examples show. */
export function pathIds({ operation }: Endpoint): { name: string; prefix: string }[] {
  return (operation.parameters ?? []).flatMap(({ in: place, name, example }) => {
    const prefix = place === 'path' ? prefixOf(example) : undefined
    return prefix === undefined ? [] : [{ name, prefix }]
  })
}

/** The prefix of an id, or undefined for any other value. */
export const prefixOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^([a-z]+)_[0-9a-z]{26}$/.exec(value)?.[1] : undefined

/** The path of an endpoint with ids filled in; those that are not given name nothing. What is no id is its example. */
export function fillPath(endpoint: Endpoint, ids: Readonly<Record<string, string>> = {}): string {
  const filled = pathIds(endpoint).reduce(
    (path, { name, prefix }) => path.replace(`{${name}}`, ids[name] ?? missingId(prefix)),
    endpoint.path,
  )
  return (endpoint.operation.parameters ?? []).reduce(
    (path, { name, example }) => path.replace(`{${name}}`, String(example)),
    filled,
  )
}

export const queryParameters = ({ operation }: Endpoint): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')

/** Whether an endpoint takes a form in place of JSON. */
export const takesForm = ({ operation }: Endpoint): boolean =>
  operation.requestBody?.content?.['multipart/form-data'] !== undefined

/** What a browser posts of a page's form. */
export const FORM = 'application/x-www-form-urlencoded'

/** The header that names who acts, for an endpoint at which a secret key names a member there. */
export function actingHeaders({ operation }: Endpoint, memberId: string): Record<string, string> {
  const takes = operation.parameters?.some(({ name }) => name === 'X-User-ID')
  const access = operation['x-access']
  return takes && access !== 'open' && access.secret !== undefined ? { 'x-user-id': memberId } : {}
}

/** The documented example of what an endpoint takes, as it is sent. */
export function sampleBody(endpoint: Endpoint): Pick<RequestOptions, 'body' | 'raw' | 'headers'> {
  const form = endpoint.operation.requestBody?.content?.[FORM]
  if (!form) return { body: jsonBody(endpoint)?.example }
  const raw = new URLSearchParams(form.example as Record<string, string>).toString()
  return { raw, headers: { 'content-type': FORM } }
}

/** The JSON body that an endpoint takes, with its documented example, or undefined. */
export const jsonBody = ({ operation }: Endpoint): NonNullable<Content['content']>[string] | undefined =>
  operation.requestBody?.content?.['application/json']
