import { HeadBucketCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { Log } from '../telemetry/log.ts'
import { throttledWarn } from '../telemetry/throttled-warn.ts'

/** Milliseconds after which an operation of the storage that has no answer is logged. */
const SLOW_MS = 3_000

/** An object or an upload that is not there; a HEAD has no body that could say more than NotFound. */
const MISSING = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound'])

export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && MISSING.has(error.name)

/** Whether the storage answered last time; undefined until it was asked. */
export interface StorageState {
  isUp: boolean | undefined
}

/**
 * Logs what the storage refuses, what it does not answer in time, and that it works again: a wrong secret, a bucket that is
 * not there, a server that hangs. At most one line every ten seconds for each kind.
 * @returns changes with each answer
 */
export function logFaults(clients: readonly S3Client[], log: Log, slowMs = SLOW_MS): StorageState {
  const state: StorageState = { isUp: undefined }
  const away = throttledWarn(log, 'the file storage is away')
  const slow = throttledWarn(log, 'the file storage does not answer')
  for (const client of clients)
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const late = setTimeout(() => {
            state.isUp = false
            slow(new Error(`${commandName} has had no answer for ${slowMs / 1_000} s`))
          }, slowMs)
          try {
            const answer = await next(args)
            state.isUp = true
            away.over()
            slow.over()
            return answer
          } catch (error) {
            // A bucket has no key that could be missing: there, NotFound means the bucket.
            state.isUp = isMissing(error) && commandName !== HeadBucketCommand.name
            if (!state.isUp) away(explained(error, commandName))
            throw error
          } finally {
            clearTimeout(late)
          }
        },
      { step: 'initialize', name: 'logFaults' },
    )
  return state
}

/** The error with the operation, and the status and code of the storage. */
function explained(error: unknown, operation: string): Error {
  const reason =
    error instanceof S3ServiceException
      ? `${error.name} (${error.$metadata.httpStatusCode}): ${error.message}`
      : String(error)
  return new Error(`${operation}: ${reason}`, { cause: error })
}
