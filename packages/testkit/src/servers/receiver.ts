import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { generate } from 'selfsigned'

/** A real server on loopback that something of ours talks to. */
export interface Receiver {
  readonly port: number
  /** How often somebody connected to it. */
  connections(): number
  /** Bytes written to its connections so far. */
  bytesWritten(): number
  /** Connections that are open right now. */
  open(): number
  close(): Promise<void>
}

/** Answers HTTP. */
export const httpReceiver = (listener: RequestListener): Promise<Receiver> =>
  listen(createHttpServer({ keepAliveTimeout: 60_000 }, listener))

/** Speaks whatever `talk` says, down to the bytes. */
export const tcpReceiver = (talk: (socket: Socket) => void): Promise<Receiver> =>
  listen(createTcpServer(talk))

/** Answers HTTPS as `localhost`, under a certificate that only those trust who are given it. */
export async function httpsReceiver(listener: RequestListener): Promise<Receiver & { certificate: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
  })
  return { ...(await listen(createHttpsServer({ key, cert }, listener))), certificate: cert }
}

async function listen(server: Server): Promise<Receiver> {
  const seen = new Set<Socket>()
  server.on('connection', (socket) => {
    seen.add(socket)
    // The other side may go away at any time.
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => seen.size,
    bytesWritten: () => [...seen].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    open: () => [...seen].filter((socket) => !socket.destroyed).length,
    close: () => {
      for (const socket of seen) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
