import { once } from 'node:events'
import { PassThrough } from 'node:stream'

/**
 * Passes bytes on while `read` reads them too. Neither side is ahead of the other by more than a buffer. If `read`
 * throws, the stream ends with that error.
 * @param read reads its copy to the end, or throws
 */
export async function* tee(
  bytes: AsyncIterable<Buffer>,
  read: (copy: AsyncIterable<Buffer>) => Promise<void>,
): AsyncGenerator<Buffer> {
  const copy = new PassThrough()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const reading = read(copy)
  reading.catch(failed.reject)
  try {
    for await (const chunk of bytes) {
      if (!copy.write(chunk)) await Promise.race([once(copy, 'drain'), failed.promise])
      yield chunk
    }
    copy.end()
    await reading
  } finally {
    copy.destroy()
  }
}
