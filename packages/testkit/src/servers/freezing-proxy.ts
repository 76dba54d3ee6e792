import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can stop passing anything on, as a broken network does: connections stand, nothing arrives. */
export interface FreezingProxy {
  /** The server's address through it. */
  readonly url: string
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export async function startFreezingProxy(serverUrl: string): Promise<FreezingProxy> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    if (isFrozen) client.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
