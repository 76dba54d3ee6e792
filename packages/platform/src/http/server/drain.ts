import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Api } from '../api.ts'

/** Of the event loop: until what has arrived is read. */
const TURNS = 3

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
    // A process that stood still has not looked at its sockets in this time: connections are accepted, and then read.
    for (let i = 0; i < TURNS; i++) await turn()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
  api.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
