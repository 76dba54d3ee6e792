import { vi } from 'vitest'
import { Transaction } from '#platform/db/transaction.ts'

/** How many statements something asks of its transactions. */
export async function statementsOf(ask: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(Transaction.prototype, 'all'), vi.spyOn(Transaction.prototype, 'defer')]
  try {
    await ask()
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
