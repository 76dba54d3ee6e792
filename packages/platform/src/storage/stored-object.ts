import type { Readable } from 'node:stream'

/** A part of an object, from and to these bytes, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An object being read: all of `body` is read, or it is destroyed. */
export interface OpenObject {
  readonly body: Readable
  /** Bytes that `body` will bring. */
  readonly length: number
}

/** What lies below a prefix. */
export interface Measured {
  readonly objects: number
  readonly bytes: number
}

/** What may be PUT to a signed URL. */
export interface SignedPut {
  readonly size: number
  readonly type: string
  /** How long it works. */
  readonly seconds: number
}

/** How an object comes from a signed URL. */
export interface SignedGet {
  /** Content-Type. */
  readonly type: string
  /** Content-Disposition. */
  readonly disposition: string
  /** How long it works, a week at the most. */
  readonly seconds: number
}
