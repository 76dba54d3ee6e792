import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** PostgreSQL behind a pooler in transaction mode, as far as notifications and lost servers go. */
export interface TransactionPooler {
  /** The database's address through the pooler. */
  readonly url: string
  /** The next answer of PostgreSQL is lost, as if its server had crashed behind the commit; the client gets the error of PgBouncer. */
  loseAnswer(): void
  close(): Promise<void>
}

const NOTIFICATION = 'A'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const BACKEND_KEY = 'K'.charCodeAt(0)
const SERVER_LOST = message('E', 'SFATAL\0VFATAL\0C08P01\0Mserver conn crashed?\0\0')

function message(type: string, text: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(text.length + 4)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(text)])
}

/**
 * Passes everything on, but notifications that come while a client asks for nothing: in transaction mode no server's
 * connection is that client's then. What a client asks for itself is answered, LISTEN and its own NOTIFY included.
 */
export async function startTransactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let losesAnswer = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    let isAsking = true
    let rest = Buffer.alloc(0)
    client.on('data', (chunk) => {
      isAsking = true
      upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      if (losesAnswer) {
        losesAnswer = false
        client.end(SERVER_LOST)
        return
      }
      rest = Buffer.concat([rest, chunk])
      for (;;) {
        const length = rest.length < 5 ? Number.POSITIVE_INFINITY : rest.readInt32BE(1) + 1
        if (rest.length < length) return
        const message = rest.subarray(0, length)
        rest = rest.subarray(length)
        if (message[0] === NOTIFICATION && !isAsking) continue
        if (message[0] === READY) isAsking = false
        // A pooler makes up the number of the process that it tells its clients.
        if (message[0] === BACKEND_KEY) message.writeInt32BE(message.readInt32BE(5) + 1, 5)
        client.write(message)
      }
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    loseAnswer: () => {
      losesAnswer = true
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
