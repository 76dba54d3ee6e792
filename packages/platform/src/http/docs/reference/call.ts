import type { Parameter } from './openapi-types.ts'
import type { Operation } from './reference.ts'

/** What a request of an operation sends, with the values of its examples. */
export interface Call {
  readonly method: string
  readonly url: string
  /** Of the API, without a path of it. */
  readonly origin: string
  /** The variable that holds the credential; undefined where none is needed. */
  readonly credential: string | undefined
  readonly pathValues: readonly unknown[]
  readonly query: Readonly<Record<string, unknown>>
  readonly json: unknown
  /** The parts of a form. */
  readonly form: Readonly<Record<string, unknown>> | undefined
}

const VARIABLES: Readonly<Record<string, string>> = {
  secretKey: 'KEY',
  publicKey: 'PUBLIC_KEY',
  memberToken: 'TOKEN',
}

/** @param baseUrl of the API */
export function callOf(operation: Operation, baseUrl: string): Call {
  const { parameters, bodies, path, method } = operation
  const pathParameters = parameters.filter((parameter) => parameter.in === 'path')
  const filled = pathParameters.reduce(
    (url, parameter) => url.replace(`{${parameter.name}}`, encodeURIComponent(String(exampleOf(parameter)))),
    path,
  )
  const query = Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map((parameter) => [parameter.name, exampleOf(parameter)]),
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const [type, content] = bodies[0] ?? []
  const isJson = type === 'application/json'
  return {
    method,
    origin: baseUrl,
    url: `${baseUrl}${filled}${search.size > 0 ? `?${search}` : ''}`,
    credential: VARIABLES[operation.credentials[0] ?? ''],
    pathValues: pathParameters.map(exampleOf),
    query,
    json: isJson ? content?.example : undefined,
    form: type === 'multipart/form-data' ? (content?.example as Call['form']) : undefined,
  }
}

/** An example of a parameter. */
export function exampleOf({ example, schema = {}, name }: Parameter): unknown {
  const listed = schema['enum'] ?? schema['examples']
  return example ?? schema['default'] ?? (Array.isArray(listed) ? listed[0] : undefined) ?? `<${name}>`
}
