declare module '@20minutes/s3rver' {
  import type { RequestListener } from 'node:http'

  interface Options {
    readonly directory: string
    readonly silent: boolean
    readonly vhostBuckets: boolean
    /** Requests are let in whatever their signatures say. */
    readonly allowMismatchedSignatures: boolean
    readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[]
  }

  /** An S3 server that keeps objects in a folder. */
  export default class S3rver {
    constructor(options: Options)
    /** Makes the buckets that the options name. */
    configureBuckets(): Promise<unknown>
    /** Answers requests. */
    callback(): RequestListener
    /** Winston's. */
    readonly logger: { readonly exceptions: { unhandle(): void }; close(): void }
  }
}
