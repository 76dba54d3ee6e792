import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

/** How a body can be compressed, best first. */
export type Encoding = 'br' | 'gzip'

const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/** The best encoding that a client takes by its `Accept-Encoding`; undefined where it takes none of ours. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === '') return undefined
  const weights = new Map(header.split(',').map(weightOf))
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const best = ENCODINGS.toSorted((a, b) => weight(b) - weight(a))[0]
  return best !== undefined && weight(best) > 0 ? best : undefined
}

function weightOf(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';')
  const q = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean)
  return [name.trim().toLowerCase(), q === undefined ? 1 : Number(q)]
}

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/**
 * Compresses outside of the event loop.
 * @param effort from 1 to 9: what is kept is worth more than what is sent once
 */
export const compress = (body: Buffer, encoding: Encoding, effort: number): Promise<Buffer> =>
  encoding === 'gzip'
    ? asGzip(body, { level: effort })
    : asBrotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: effort,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      })

/** Tells caches that the answer depends on `Accept-Encoding`, besides what it depends on already. */
export function varyByEncoding(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`)
}
