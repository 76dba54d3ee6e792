import { type Static, type TSchema, type TString, Type } from 'typebox'
import { ApiError, type FieldFault, invalidBody } from '../errors.ts'
import { idFromPath, type Resource } from '../ids.ts'
import { strict } from './envelope.ts'

// Requests that do the same to many things: `{operations: [{id, action, …}]}`. Each operation is done by the service of the single
// act, in a transaction of its own, and has a result.

/** As many as a page of a list has at the most. */
export const MOST_OPERATIONS = 100

/** The body of such a request. @param operation the schema of one, with its id and its action */
export const bulkRequest = <T extends TSchema>(operation: T, title: string, maxItems = MOST_OPERATIONS) =>
  strict({ operations: Type.Array(operation, { minItems: 1, maxItems }) }, { title })

/** What a route answers that does many things at once: whether each was done. @param id the schema of the ids, with an example */
export const bulkResult = (id: TString, title: string) =>
  Type.Object(
    {
      succeeded: Type.Integer({ examples: [1] }),
      failed: Type.Integer({ examples: [0] }),
      results: Type.Array(
        Type.Object(
          {
            id,
            success: Type.Boolean(),
            error: Type.Optional(
              Type.String({ description: 'Why the operation failed; absent if it succeeded' }),
            ),
            code: Type.Optional(
              Type.String({ description: 'The code of the error; absent if it succeeded' }),
            ),
          },
          { examples: [{ id: (id as { examples?: unknown[] }).examples?.[0], success: true }] },
        ),
        { description: 'One result for each operation, in the same order' },
      ),
    },
    { title },
  )
export type BulkResult = Static<ReturnType<typeof bulkResult>>

/** By action, the fields that an operation needs, and those that it can have besides. */
export type FieldsOfActions<A extends string> = Readonly<
  Record<A, { readonly needs?: readonly string[]; readonly takes?: readonly string[] }>
>

/** @throws ApiError 422, before anything is done, for a field of another action and for one that is missing */
export function assertFieldsOfActions<A extends string>(
  operations: readonly { readonly id: string; readonly action: A }[],
  fields: FieldsOfActions<A>,
): void {
  const actions = Object.keys(fields) as A[]
  const has = (action: A, name: string) =>
    [...(fields[action].needs ?? []), ...(fields[action].takes ?? [])].includes(name)
  const faults = operations.flatMap(({ id: _, action, ...sent }, i): FieldFault[] => {
    const given = Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    const foreign = given.filter((name) => !has(action, name))
    const missing = (fields[action].needs ?? []).filter((name) => !given.includes(name))
    return [
      ...foreign.map((name) => ({
        field: `operations[${i}].${name}`,
        rule: 'action',
        message: `is only for the action ${actions.filter((each) => has(each, name)).join(' or ')}: leave it out`,
      })),
      ...missing.map((name) => ({
        field: `operations[${i}].${name}`,
        rule: 'required',
        message: `is required with the action ${action}`,
      })),
    ]
  })
  if (faults.length > 0) throw invalidBody(faults)
}

/**
 * Does operations one after the other. What a client did wrong in one of them is its result, and the others go on; a fault of ours ends
 * all.
 * @param resource what the ids are of
 * @param work does one operation, in a transaction of its own. It gets the stored id
 */
export async function doEach<T extends { readonly id: string }>(
  operations: readonly T[],
  resource: Resource,
  work: (uuid: string, operation: T) => Promise<unknown>,
): Promise<BulkResult> {
  const results: BulkResult['results'] = []
  for (const operation of operations) {
    const { id } = operation
    try {
      await work(idFromPath(resource, id), operation)
      results.push({ id, success: true })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      results.push({ id, success: false, error: error.message, code: error.code })
    }
  }
  const succeeded = results.filter(({ success }) => success).length
  return { succeeded, failed: results.length - succeeded, results }
}
