import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api.ts'

/**
 * Closes the API without breaking requests and without needless waiting. Node closes only the connections that are idle
 * at the moment of closing. It would break a connection whose request was sent but not read yet, and it would keep open
 * one that becomes idle later or was never used. So closing begins with a pause, every later answer is the last one of
 * its connection, and unused connections are destroyed.
 * @param drainMs milliseconds in which requests that were already sent can arrive
 */
export function registerDrain(api: Api, drainMs: number): void {
  let closing = false
  const sockets = new Set<Socket>()
  api.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  api.addHook('preClose', async () => {
    closing = true
    if (api.server.listening) await sleep(drainMs)
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  api.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
