import { setImmediate } from 'node:timers/promises'
import type { TestApi } from './api.ts'

/** Waits until every request so far stands in the request log: it is written after the answer, in batches. */
export async function requestsLogged({ deps }: Pick<TestApi, 'deps'>): Promise<void> {
  await setImmediate()
  await deps.requestLog.flush()
}
