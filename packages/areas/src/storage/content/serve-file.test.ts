import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { fileOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import type { StoredFile } from '../schema.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

let env: StorageEnvironment
let side: Side
withStorage((opened) => {
  env = opened
  side = env.side
})

describe('visibility', () => {
  const nobody: RequestInit = {}

  test('a private file is read with a key that may, and by nobody else', async () => {
    const file = await env.stored(fileOf('mine'))
    expect((await env.read(file, nobody)).status).toBe(401)
    const { key } = await side.makeKey({ permissions: ['write:storage'] })
    expect((await env.read(file, withKey(key))).status).toBe(403)
    const reader = await side.makeKey({ permissions: ['read:storage'] })
    const answer = await env.read(file, withKey(reader.key))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('a public file is read by everybody, until it is made private or deleted', async () => {
    const file = await env.stored(fileOf('ours'), { visibility: 'public' })
    expect(await (await env.read(file, nobody)).text()).toBe('ours')
    const path = `/storage/files/${file.id}`
    const { body } = await side.admin.patch<{ data: StoredFile }>(path, { visibility: 'private' })
    expect(body.data.url).not.toBe(file.url)
    expect((await env.read(file, nobody)).status).toBe(404)
    const again = await side.admin.patch<{ data: StoredFile }>(path, { visibility: 'public' })
    expect(again.body.data.url).toBe(file.url)
    expect((await env.read(file, nobody)).status).toBe(200)
    await side.admin.delete(path)
    expect((await env.read(file, nobody)).status).toBe(404)
  })

  test('a private file’s public address is that of a file that does not exist', async () => {
    const hidden = await env.stored(fileOf('mine'))
    const shown = await env.stored(fileOf('ours'), { visibility: 'public' })
    const guess = (shown.url ?? '').replace(shown.id, hidden.id).replace(env.api.config.BASE_URL, env.api.url)
    const missing = (shown.url ?? '')
      .replace(shown.id, shown.id.replace(/.{4}$/, 'zzzz'))
      .replace(env.api.config.BASE_URL, env.api.url)
    const text = async (url: string) => {
      const answer = await fetch(url)
      return `${answer.status} ${(await answer.text()).replace(/req_[\w-]+/, '')}`
    }
    expect(await text(guess)).toBe(await text(missing))
    expect(await text(guess)).toMatch(/^404/)
    expect(
      await text(
        (shown.url ?? '').replace(/proj_\w+/, 'proj_none').replace(env.api.config.BASE_URL, env.api.url),
      ),
    ).toMatch(/^404/)
  })
})

describe('reading', () => {
  test('a part is answered as a part, and what cannot be one as the whole', async () => {
    const file = await env.stored(fileOf('0123456789'))
    const part = async (range: string, extra: Record<string, string> = {}) => {
      const answer = await env.read(file, {
        headers: { authorization: `Bearer ${side.key}`, range, ...extra },
      })
      return [answer.status, await answer.text(), answer.headers.get('content-range')]
    }
    expect(await part('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10'])
    expect(await part('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await part('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await part('bytes=7-99')).toEqual([206, '789', 'bytes 7-9/10'])
    for (const range of ['bytes=10-', 'bytes=5-2', 'bytes=-', 'bytes=1-2,4-5', 'lines=1-2'])
      expect(await part(range)).toEqual([200, '0123456789', null])
    expect(await part('bytes=2-4', { 'if-range': '"another"' })).toEqual([200, '0123456789', null])
    expect(await part('bytes=2-4', { 'if-range': `"${file.checksum_sha256}"` })).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ])
  })

  test('a part has no byte more than its announced length, which would be read as the next answer', async () => {
    const file = await env.stored(fileOf('0123456789'))
    for (const [range, bytes] of [
      ['0-0', '0'],
      ['0-1', '01'],
      ['9-9', '9'],
    ]) {
      const socket = connect(Number(new URL(env.api.url).port), '127.0.0.1')
      const head = `GET /api/v1/storage/files/${file.id}/content HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`
      socket.write(`${head}authorization: Bearer ${side.key}\r\nrange: bytes=${range}\r\n\r\n`)
      const [headers = '', body] = (await text(socket)).split('\r\n\r\n')
      expect([headers.slice(0, 12), body]).toEqual(['HTTP/1.1 206', bytes])
    }
  })

  test('ends at the storage too when the reader goes away', async () => {
    const file = await env.stored(fileOf(Buffer.alloc(30 * 1024 * 1024)))
    const reading = new AbortController()
    const answer = await env.read(file, { headers: withKey(side.key).headers, signal: reading.signal })
    await answer.body?.getReader().read()
    expect(env.s3.busy()).toBe(1)
    reading.abort()
    await expect.poll(() => env.s3.busy()).toBe(0)
  })

  test('what a client has already is not sent again', async () => {
    const file = await env.stored(fileOf('known'))
    const etag = (await env.read(file)).headers.get('etag') ?? ''
    const again = await env.read(file, {
      headers: { authorization: `Bearer ${side.key}`, 'if-none-match': `"x", ${etag}` },
    })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  test('HEAD says all that GET would, without a byte', async () => {
    const file = await env.stored(fileOf('head'))
    const answer = await env.read(file, { method: 'HEAD', ...withKey(side.key) })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('4')
    expect(await answer.text()).toBe('')
  })

  test('a signed URL reads the file without a key, as what it is, until it expires', async () => {
    const file = await env.stored(fileOf(SVG, 'draw ing.svg'))
    const sign = (body: object) =>
      side.admin.post<{ data: { url: string; expires_at: string } }>(
        `/storage/files/${file.id}/signed-url`,
        body,
      )
    const { body } = await sign({ expires_in: 60 })
    const answer = await fetch(body.data.url)
    expect(await answer.text()).toBe(SVG)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="draw ing.svg"')
    const left = Date.parse(body.data.expires_at) - Date.now()
    expect(left).toBeGreaterThan(30_000)
    expect(left).toBeLessThanOrEqual(60_000)
    const short = await sign({ expires_in: 1 })
    await expect.poll(async () => (await fetch(short.body.data.url)).status).toBe(403)
    expect(refusalOf(await sign({ expires_in: 604_801 }))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await sign({ expires_in: 0 }))).toBe('422 VALIDATION_ERROR')
  })
})
