/** Whether a server that somebody else runs can be reached, asked before anything is started on top of it. */
import { connect } from 'node:net'
import { StartError } from '../start-error.ts'

/** @throws StartError when nothing accepts a connection at the host and port of the address within 5 seconds */
export async function requireReachable(name: string, address: string, defaultPort: number): Promise<void> {
  const { hostname, port, host } = new URL(address)
  const problem = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort })
    const done = (reason?: string) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(5_000, () => done('no answer within 5 seconds'))
    socket.once('connect', () => done())
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
  })
  if (problem) throw new StartError(`${name} at ${host} cannot be reached (${problem}).`)
}
