/** The OpenAPI document, as far as this bench reads it. */
import { Contract } from '#testkit/catalog/contract.ts'
import { missingId, prefixOf } from '#testkit/catalog/sample-requests.ts'

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: {
    readonly type?: string
    readonly maximum?: number
    readonly enum?: readonly unknown[]
    readonly anyOf?: readonly { readonly const?: unknown }[]
  }
}

export interface Endpoint {
  readonly path: string
  readonly parameters: readonly Parameter[]
}

/** Every list and every search that a secret key may read: what takes a `limit`. */
export async function readLists(origin: string): Promise<Endpoint[]> {
  const { endpoints } = new Contract((await (await fetch(`${origin}/openapi.json`)).json()) as object)
  return endpoints.flatMap(({ method, path, operation }) => {
    const { parameters = [], 'x-access': access } = operation
    const isList = parameters.some(({ in: place, name }) => place === 'query' && name === 'limit')
    return method === 'GET' && isList && (access === 'open' || access.secret !== undefined)
      ? [{ path, parameters }]
      : []
  })
}

export const queryParameters = ({ parameters }: Endpoint): readonly Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query')

/** An id of the same kind that names nothing; undefined for what is no id. */
export function missingIdLike(example: unknown): string | undefined {
  const prefix = prefixOf(example)
  return prefix === undefined ? undefined : missingId(prefix)
}

/** The path with ids filled in, or undefined where there is none of a kind. @param ids by prefix */
export function fillIds(
  { path, parameters }: Endpoint,
  ids: Readonly<Record<string, string>>,
): string | undefined {
  let filled = path
  for (const { in: place, name, example } of parameters) {
    if (place !== 'path') continue
    const id = ids[prefixOf(example) ?? '']
    if (id === undefined) return undefined
    filled = filled.replace(`{${name}}`, id)
  }
  return filled
}
