import { vi } from 'vitest'
import { Batch, type Bound } from '#platform/db/batch.ts'

/** The statements that something asks, without those that begin and end transactions and set the project. */
export async function askedBy(work: () => Promise<unknown>): Promise<readonly Bound[]> {
  const spy = vi.spyOn(Batch.prototype, 'submit')
  try {
    await work()
    const batches = spy.mock.contexts as unknown as readonly Batch[]
    return batches.flatMap(({ statements }) => statements).filter(({ label }) => label !== undefined)
  } finally {
    spy.mockRestore()
  }
}

/** How many statements something asks. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<number> =>
  (await askedBy(work)).length
