import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string>()

/** The id of the request that the present work belongs to: that of a request itself, or of a job that a request asked for. */
export const currentRequestId = (): string | null => requests.getStore() ?? null

/** Does work as a part of a request. @param id null for work of no request */
export const inRequest = <T>(id: string | null, work: () => T): T =>
  id === null ? requests.exit(work) : requests.run(id, work)
