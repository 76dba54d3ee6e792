import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api.ts'

/** Time for requests that are on their way to arrive. */
const DRAIN_MS = 200

/**
 * Lets the API close without cutting anybody off, and without waiting for nothing. Node closes the connections that
 * are idle at the moment of closing. One whose request was sent but not read yet would be among them; one that
 * becomes idle later, or was opened and never used, would stay open. So closing begins with a pause, every answer
 * from then on is the last of its connection, and unused connections are ended.
 */
export function registerDrain(api: Api): void {
  let closing = false
  const sockets = new Set<Socket>()
  api.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  api.addHook('preClose', async () => {
    closing = true
    if (api.server.listening) await sleep(DRAIN_MS)
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  api.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
