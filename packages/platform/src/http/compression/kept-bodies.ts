import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { acceptedEncoding, compress, type Encoding, varyByEncoding } from './encoding.ts'

/** What all clients get alike: made once, compressed once, and kept in memory. */
export interface Kept {
  readonly body: Buffer
  /** Of its content, whichever way it is compressed. */
  readonly tag: string
  /** Undefined where it is sent as it is. */
  readonly encoding: Encoding | undefined
}

type Form = Encoding | 'identity'

/** Effort of compression, of 9. */
const EFFORT = 9

/** Bytes of the smallest body that is compressed. */
const SMALLEST = 512

/** Bodies by name, each in the forms that clients have asked for, as many as fit the bound. */
export class KeptBodies {
  readonly #kept: LRUCache<string, Kept, undefined>

  /**
   * @param make the content of a name; undefined where there is none
   * @param bytes that all kept bodies may take
   */
  constructor(
    make: (name: string) => string | Buffer | undefined | Promise<string | Buffer | undefined>,
    bytes: number,
  ) {
    this.#kept = new LRUCache({
      maxSize: bytes,
      sizeCalculation: ({ body }) => body.length + 1_000,
      fetchMethod: async (key) => {
        const [form = '', name = ''] = split(key)
        const made = await make(name)
        return made === undefined ? undefined : keep(Buffer.from(made), form as Form)
      },
    })
  }

  /** Bytes that are kept now. */
  get bytes(): number {
    return this.#kept.calculatedSize
  }

  get(name: string, form: Form): Promise<Kept | undefined> {
    return this.#kept.fetch(`${form} ${name}`)
  }
}

const split = (key: string) => [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]

async function keep(made: Buffer, form: Form): Promise<Kept> {
  const tag = createHash('sha256').update(made).digest('base64url').slice(0, 20)
  if (form === 'identity' || made.length < SMALLEST) return { body: made, tag, encoding: undefined }
  return { body: await compress(made, form, EFFORT), tag, encoding: form }
}

/**
 * Answers a kept body in the best form that the client takes, or 304 if the client has it.
 * @returns false where there is no such body
 */
export async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  bodies: KeptBodies,
  name: string,
): Promise<boolean> {
  const form = acceptedEncoding(request.headers['accept-encoding']) ?? 'identity'
  const kept = await bodies.get(name, form)
  if (kept === undefined) return false
  varyByEncoding(reply)
  reply.header('etag', kept.encoding === undefined ? `"${kept.tag}"` : `"${kept.tag}-${kept.encoding}"`)
  if (hasTag(request.headers['if-none-match'], kept.tag)) {
    reply.code(304).send()
    return true
  }
  if (kept.encoding !== undefined) reply.header('content-encoding', kept.encoding)
  reply.send(kept.body)
  return true
}

/** Whether `If-None-Match` names the content, in whichever form. */
export const hasTag = (header: string | undefined, tag: string): boolean =>
  (header ?? '')
    .split(',')
    .some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '').startsWith(`"${tag}`))
