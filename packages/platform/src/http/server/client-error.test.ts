import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { withApi } from '#testkit/with-api.ts'

let api: TestApi

withApi((opened) => {
  api = opened
})

/** Sends bytes as they are and reads until the server ends the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

test.for([
  ['what is no HTTP', 'HELLO\r\n\r\n', 400],
  ['headers larger than 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
] as const)(
  '%s is answered in the shape of all errors, and the connection ends',
  async ([, text, status]) => {
    const [head = '', body = ''] = (await send(text)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: expect.any(String),
      code: 'INVALID_PARAMETERS',
      request_id: expect.stringMatching(/^req_/),
    })
  },
)

test('a client that sends its headers too slowly is not waited for', async () => {
  const began = Date.now()
  expect(await send('GET /healthz HTTP/1.1\r\nHost: x\r\n')).toMatch(/^HTTP\/1.1 408 /)
  // Ten seconds and the time until the next look. Node alone would wait for a minute.
  expect(Date.now() - began).toBeLessThan(45_000)
})

test('garbage behind an answered request ends the connection without a second answer', async () => {
  const answer = await send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nHELLO\r\n\r\n')
  expect(answer.match(/HTTP\/1.1 /g)?.length ?? 0).toBeLessThanOrEqual(1)
})
