import { isIP } from 'node:net'
import type { CellKeys } from './cell-secret.ts'

/** The header by which a cell says for whom it forwards a request. Outside of cells nobody can make it. */
export const FORWARDED = 'x-guildhall-forwarded'
/** The header of an answer to another cell that did not believe it. */
export const REFUSED = 'x-guildhall-refused'
/** By how much the clocks of two cells may differ, and how old a header may be: it cannot be used later, or for another request. */
const CLOCK_MS = 60_000
const VERSION = 'v1'

/** What is signed of a request besides the header's own parts. */
export interface SignedRequest {
  readonly method: string
  /** The path with its query, as it is sent. */
  readonly url: string
}

/** For whom a request is forwarded. */
export interface Forwarded {
  /** The client's address. */
  readonly address: string
  /** The project that the other cell expects here; undefined for a question between cells. */
  readonly projectId: string | undefined
}

export function makeForwardHeader(
  keys: CellKeys,
  { method, url }: SignedRequest,
  { address, projectId = '-' }: Forwarded,
): string {
  const parts = [VERSION, keys.id, String(Date.now()), address, projectId]
  return [...parts, keys.sign([...parts, method, url])].join(' ')
}

/** The secret that a header names. Nothing of it is proven yet. */
export const keyIdIn = (header: string): string | undefined => header.split(' ', 2)[1]

/** What a header says; undefined where it is forged, for another request, or too old. */
export function readForwardHeader(
  keys: CellKeys,
  { method, url }: SignedRequest,
  header: string,
): Forwarded | undefined {
  const parts = header.split(' ')
  const signature = parts.pop()
  const [version, id, at, address = '', projectId] = parts
  if (parts.length !== 5 || signature === undefined || version !== VERSION || id !== keys.id) return undefined
  if (!keys.verify([...parts, method, url], signature)) return undefined
  if (Math.abs(Date.now() - Number(at)) > CLOCK_MS || isIP(address) === 0) return undefined
  return { address, projectId: projectId === '-' ? undefined : projectId }
}
