import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CopyMessages } from './copy-messages.ts'

// What comes is the same however the network has cut it.

interface Message {
  readonly kind: 'd' | 'c' | 'C' | 'Z'
  readonly body: Uint8Array
}

const messages = fc.array(
  fc.record<Message>({
    kind: fc.constantFrom('d', 'd', 'c', 'C', 'Z'),
    body: fc.uint8Array({ maxLength: 40 }),
  }),
)

const bytesOf = ({ kind, body }: Message) => {
  const header = Buffer.from(`${kind}    `)
  header.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([header, body])
}

/** Cut at the given places, as far as there are so many bytes. */
const cut = (bytes: Buffer, places: readonly number[]) => {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
}

function told(chunks: readonly Buffer[]): string[] {
  const all: string[] = []
  const reader = new CopyMessages(
    (bytes, from, to) => all.push(`row ${bytes.toString('hex', from, to)}`),
    (message) => all.push(message.toString('hex')),
  )
  for (const chunk of chunks) reader.read(chunk)
  return all
}

test('rows and other messages come in their order, wherever they are cut', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat(), { maxLength: 30 }), (sent, places) => {
      const wire = sent.map(bytesOf)
      expect(told(cut(Buffer.concat(wire), places))).toEqual(
        sent.map(({ kind, body }, i) =>
          kind === 'd' ? `row ${Buffer.from(body).toString('hex')}` : wire[i]?.toString('hex'),
        ),
      )
    }),
    { numRuns: 1_000 },
  )
})

test('a message may come byte by byte', () => {
  const row = { kind: 'd', body: Buffer.alloc(300, 'x') } as const
  const end = { kind: 'c', body: Buffer.alloc(0) } as const
  const bytes = Buffer.concat([bytesOf(row), bytesOf(end), bytesOf(row)])
  const shown = `row ${row.body.toString('hex')}`
  expect(told(Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)))).toEqual([
    shown,
    bytesOf(end).toString('hex'),
    shown,
  ])
})

test('a row that comes in many chunks is put together once, not with each', () => {
  const row = { kind: 'd', body: Buffer.alloc(64 * 1024 * 1024, 'x') } as const
  const bytes = bytesOf(row)
  const before = process.memoryUsage().arrayBuffers
  let size = 0
  const reader = new CopyMessages(
    (_bytes, from, to) => {
      size = to - from
    },
    () => undefined,
  )
  for (let at = 0; at < bytes.length; at += 65_536) reader.read(bytes.subarray(at, at + 65_536))
  expect(size).toBe(row.body.length)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.5 * row.body.length)
})
