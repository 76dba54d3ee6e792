import { type FieldFault, invalidBody } from '../errors.ts'

/** A list of ids in a body, and how they are looked for. */
export interface NamedIds {
  /** The name of the list. */
  readonly field: string
  readonly ids: readonly string[]
  /** The stored id of a text; undefined where the text is no id of that type. */
  readonly parse: (id: string) => string | undefined
  /** Those of stored ids that exist. */
  readonly find: (stored: readonly string[]) => PromiseLike<readonly { readonly id: string }[]>
  /** What is wrong with an id that names nothing. */
  readonly message: string
}

/** Reads a list of ids, in its order. @throws ApiError 422 with each id that names nothing, by its place in the list */
export async function readNamedIds({ field, ids, parse, find, message }: NamedIds): Promise<string[]> {
  if (ids.length === 0) return []
  const parsed = ids.map(parse)
  const rows = await find(parsed.filter((id) => id !== undefined))
  const known = new Set(rows.map(({ id }) => id))
  const faults: FieldFault[] = []
  const stored: string[] = []
  for (const [i, id] of parsed.entries())
    if (id !== undefined && known.has(id)) stored.push(id)
    else faults.push({ field: `${field}[${i}]`, rule: 'exists', message })
  if (faults.length > 0) throw invalidBody(faults)
  return stored
}
