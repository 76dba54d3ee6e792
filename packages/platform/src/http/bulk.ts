import { type Static, type TString, Type } from 'typebox'
import { ApiError } from '../errors.ts'

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

/**
 * Does operations one after the other. What a client did wrong in one of them is its result, and the others go on; a fault of ours ends
 * all.
 * @param work does one operation, in a transaction of its own
 */
export async function doEach<T extends { readonly id: string }>(
  operations: readonly T[],
  work: (operation: T) => Promise<unknown>,
): Promise<BulkResult> {
  const results: BulkResult['results'] = []
  for (const operation of operations) {
    const { id } = operation
    try {
      await work(operation)
      results.push({ id, success: true })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      results.push({ id, success: false, error: error.message, code: error.code })
    }
  }
  const succeeded = results.filter(({ success }) => success).length
  return { succeeded, failed: results.length - succeeded, results }
}
