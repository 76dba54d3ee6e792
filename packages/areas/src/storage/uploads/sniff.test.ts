import { describe, expect, test } from 'vitest'
import { fileOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)
const HTML = '<!-- x --><!doctype html><script>alert(1)</script>'
const SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

let env: StorageEnvironment
let side: Side
withStorage((opened) => {
  env = opened
  side = env.side
})

describe('what a file is', () => {
  test.each([
    ['a picture that says it is a page', PNG, 'text/html', 'image/png', 'inline'],
    ['a page that says it is a picture', HTML, 'image/png', 'text/html', 'attachment'],
    ['a page that says it is text', `\n\t${HTML}`, 'text/plain', 'text/html', 'attachment'],
    ['a drawing that can run scripts', SVG, 'image/svg+xml', 'image/svg+xml', 'attachment'],
    ['a drawing behind a comment', `<!-- -->${SVG.slice(21)}`, 'image/png', 'image/svg+xml', 'attachment'],
    ['a program', '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'image/png', 'application/x-elf', 'attachment'],
    ['a script that says so', 'alert(1)', 'text/javascript', 'text/plain', 'inline'],
    ['a table', 'a,b\n1,2', 'text/csv', 'text/csv', 'attachment'],
    [
      'bytes that mean nothing',
      Buffer.from([0xff, 0, 1, 2]),
      'text/csv',
      'application/octet-stream',
      'attachment',
    ],
    ['nothing at all', '', 'image/png', 'application/octet-stream', 'attachment'],
  ])('%s', async (_what, content, declared, type, kind) => {
    const file = await env.stored(fileOf(content, 'x', declared))
    expect(file.content_type).toBe(type)
    const { headers } = await env.read(file)
    expect(headers.get('content-type')?.split(';')[0]).toBe(type)
    expect(headers.get('content-disposition')?.split(';')[0]).toBe(kind)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    if (kind === 'attachment') expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  test('a thousand comments, and one that never ends, are read in no time', async () => {
    const many = await env.stored(fileOf('<!---->'.repeat(9_000), 'x'))
    expect(many.content_type).toBe('text/html')
    expect((await env.stored(fileOf('<!-- ', 'x'))).content_type).toBe('text/html')
  })
})

describe('names', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['..', 'file'],
    ['a\u0007b\u202Egnp.exe', 'abgnp.exe'],
    ['Grüße “€”.txt', 'Grüße “€”.txt'],
  ])('%j is kept as %j', async (sent, kept) => {
    const file = await env.stored(fileOf('x', sent))
    expect(file.name).toBe(kept)
    const { headers } = await env.read(file)
    expect(headers.get('content-disposition')).toMatch(/^inline/)
    expect((await env.s3.keys()).filter((key) => /passwd|boot|txt/.test(key))).toEqual([])
  })

  test('one of 4 KB is cut to what can be shown, but for its extension', async () => {
    const { name } = await env.stored(fileOf('x', `${'€'.repeat(1_300)}.jpeg`))
    expect([...name]).toHaveLength(255)
    expect(name).toMatch(/^€+\.jpeg$/)
  })

  test('with a NUL, a path or too many characters are refused where they are JSON', async () => {
    const upload = { size: 1, content_type: 'text/plain' }
    for (const name of ['a\0b', '../a', 'a\\b', 'a\nb', 'x'.repeat(256), '']) {
      const { body } = await side.admin.post<{ code: string }>('/storage/uploads', { ...upload, name })
      expect([name, body.code]).toEqual([name, 'VALIDATION_ERROR'])
    }
  })
})
