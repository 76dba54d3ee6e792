/**
 * The receiver, a process of its own: answers every message, and remembers when each came first. It is the same for
 * everything that is measured, and does as little as it can.
 */
import { createServer } from 'node:http'

/** The number that the bench has put into each message. */
const NUMBER = /"number":(\d+)/
let seen = new Map<number, number>()

const now = () => performance.timeOrigin + performance.now()

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'POST') {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const number = Number(NUMBER.exec(body)?.[1])
      if (!seen.has(number)) seen.set(number, now())
      response.end('ok')
    })
    return
  }
  if (request.method === 'DELETE') seen = new Map()
  const answer = request.url === '/times' ? [...seen] : { count: seen.size }
  response.end(JSON.stringify(answer))
})
server.listen(Number(process.env.PORT), process.env.HOST)
