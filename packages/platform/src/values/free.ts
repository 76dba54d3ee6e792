/**
 * Frees the memory of a buffer that nobody reads again; it is empty then. V8 looks through the whole heap for every 64 MB of
 * buffers that it has not found to be garbage, with pauses of up to 40 ms. What is a part of a larger buffer is left alone: that belongs to others,
 * too.
 */
export function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
