/** An address that moves from one server to another, as a virtual IP address, a proxy or a DNS name does. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface MovingAddress {
  readonly port: number
  /** From now on it leads to another port; connections to the former one are cut. */
  moveTo(port: number): void
  close(): Promise<void>
}

export async function openMovingAddress(port: number): Promise<MovingAddress> {
  let target = port
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (next) => {
      target = next
      cut()
    },
    close: () => {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The same database at another port. */
export function atPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}
