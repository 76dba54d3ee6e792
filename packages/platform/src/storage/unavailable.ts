import { ApiError } from '../errors.ts'

/** Whatever the storage refuses is about its set-up or its state, never about the request of a client. */
export const unreachable = (cause: unknown) =>
  unavailable('The file storage cannot be reached now: try again', cause)

/** 503. */
export const unavailable = (message: string, cause?: unknown) =>
  new ApiError(503, 'UNAVAILABLE', message, { headers: { 'retry-after': '5' }, cause })

/** What the storage answers. @throws ApiError 503 whatever it refuses */
export async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw unreachable(error)
  }
}
