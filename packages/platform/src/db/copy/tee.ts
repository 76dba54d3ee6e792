import { once } from 'node:events'
import { PassThrough } from 'node:stream'

/**
 * Passes the bytes on while `read` reads them too: neither is ahead of the other by more than a buffer. An error that
 * `read` throws ends the stream.
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
