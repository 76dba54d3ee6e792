import { crc32, deflateSync } from 'node:zlib'

const SIZE = 96
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

/** A PNG of stripes, another one for each number. */
export function pngOf(number: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  // 8 bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3))
  const [red, green, blue] = [(number * 67) % 200, (number * 113 + 60) % 200, (number * 29 + 120) % 200]
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const light = (x * (1 + (number % 3)) + y) % 32 < 16 ? 50 : 0
      rows.set([red + light, green + light, blue + light], y * (1 + SIZE * 3) + 1 + x * 3)
    }
  return Buffer.concat([
    ...[SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))],
  ])
}

/** The same as a stream. */
export async function* pictureOf(number: number): AsyncGenerator<Buffer> {
  yield pngOf(number)
}
