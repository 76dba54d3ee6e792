import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../errors.ts'
import { BodyReadGuard } from './body-read-guard.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const MINUTE = 60_000
const tooLarge = () => new ApiError(413, 'PAYLOAD_TOO_LARGE', 'too large')

function open(headers: Record<string, string> = {}, bytes = 100) {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  const guard = new BodyReadGuard(request, { bytes, tooLarge, windowMs: 30_000 })
  let broken: unknown
  guard.broken.catch((error) => {
    broken = error
  })
  const arrives = async (bytes: number) => {
    request.emit('data', Buffer.alloc(bytes))
    await Promise.resolve()
  }
  return { request, guard, arrives, broken: () => broken }
}

test('a body that comes slower than 8 KiB/s is not waited for, and what is read of it ends with the reason', async () => {
  const { guard, arrives, broken } = open({}, 1_000_000)
  const file = new PassThrough()
  guard.watch(file)
  const ended = new Promise((resolve) => file.once('error', resolve))
  // All but a byte of what must come in 30 s, at the last moment.
  await arrives(1)
  await vi.advanceTimersByTimeAsync(29_500)
  await arrives(30 * 8 * 1024 - 2)
  expect(broken()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(broken()).toMatchObject({ status: 400, code: 'INVALID_PARAMETERS' })
  expect(await ended).toBe(broken())
  guard.end()
})

test('one that goes on may take an hour and no longer', async () => {
  const { guard, arrives, broken } = open({}, 100_000_000)
  for (let half = 0; half < 120; half++) {
    await arrives(30 * 8 * 1024)
    await vi.advanceTimersByTimeAsync(30_000)
  }
  expect(broken()).toBeUndefined()
  await arrives(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await arrives(1)
  expect(broken()).toMatchObject({ status: 400 })
  guard.end()
})

test('time that is lost because nobody reads does not count', async () => {
  const { request, guard, broken } = open()
  request.resume()
  request.pause()
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  expect(broken()).toBeUndefined()
  request.resume()
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(broken()).toMatchObject({ status: 400 })
  guard.end()
})

test('bytes are counted, and a length that is declared is believed where it is too large', async () => {
  const { guard, arrives, broken } = open({ 'content-length': '5' })
  await arrives(100)
  expect(broken()).toBeUndefined()
  await arrives(1)
  expect(broken()).toMatchObject({ status: 413 })
  guard.end()
  const declared = open({ 'content-length': '101' })
  await Promise.resolve()
  expect(declared.broken()).toMatchObject({ status: 413 })
  declared.guard.end()
})
