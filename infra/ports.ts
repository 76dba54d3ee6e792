/** TCP ports of this machine: which are free, and whether a given one is. */
import { createServer } from 'node:net'

function listen(host: string, port: number): Promise<{ port: number } | { error: NodeJS.ErrnoException }> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve({ error }))
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const taken = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve({ port: taken }))
    })
  })
}

/** Finds a port that nobody listens on. Another process may take it before it is used: be ready to ask again. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const found = await listen(host, 0)
  if ('error' in found) throw found.error
  return found.port
}

/** Why a server could not listen here (EADDRINUSE, EACCES, EADDRNOTAVAIL …), or undefined when it could. */
export async function portProblem(host: string, port: number): Promise<string | undefined> {
  const found = await listen(host, port)
  return 'error' in found ? (found.error.code ?? found.error.message) : undefined
}
