import { S3Client } from '@aws-sdk/client-s3'
import type { Config } from '../config.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** Until an answer begins. A part of 5 MiB arrives in that time at 3 Mbit/s. */
const ANSWER_TIMEOUT_MS = 15_000
/** Options of a command in which the storage reads and writes a whole object, however large. */
export const WHOLE_OBJECT = { requestTimeout: 120_000 }
/** What the SDK has by itself. */
const CONNECTIONS = 50
/** A download that is read slowly rests between its reads. */
const IDLE_TIMEOUT_MS = 300_000

/** What has to be known of a storage. */
export type S3Settings = Pick<
  Config,
  | 'S3_ENDPOINT'
  | 'S3_PUBLIC_ENDPOINT'
  | 'S3_BUCKET'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
>

/**
 * A client of the storage at an address, or of Amazon's where none is given. It connects when it is first asked.
 * @param connections that it has at a time, at the most; further requests wait
 */
export function clientFor(
  settings: S3Settings,
  endpoint: string | undefined,
  connections = CONNECTIONS,
): S3Client {
  const { S3_REGION, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  const client = new S3Client({
    region: S3_REGION,
    // Other servers have one address for all buckets; Amazon has a name for each.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Without keys the SDK looks for those that Amazon gives to its machines.
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    // Checksums of the newer kinds are what servers other than Amazon's do not all understand.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      httpAgent: { keepAlive: true, maxSockets: connections },
      httpsAgent: { keepAlive: true, maxSockets: connections },
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
    },
  })
  // The SDK tries three times, also after a timeout: then a frozen storage would be waited for three times as long.
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        // The SDK knows a timeout by the code and the name of its error, which are left out here.
        throw isTimeout(error) ? new Error(error.message) : error
      }
    },
    { step: 'deserialize', name: 'timeoutsAreNotRetried' },
  )
  return client
}

const isTimeout = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT'
