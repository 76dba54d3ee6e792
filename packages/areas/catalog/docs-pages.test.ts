import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { errorsIn } from '#platform/define-error.ts'
import { PLATFORM_ERRORS } from '#platform/http/docs/errors/platform-errors.ts'
import type { TestApi } from '#testkit/api.ts'
import { withApi } from '#testkit/with-api.ts'

// Some tests walk all pages.
vi.setConfig({ testTimeout: 180_000 })

let api: TestApi

withApi((opened) => {
  api = opened
})

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await api.api.inject({ url: path, headers })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, raw: answer.rawPayload }
}

interface Walked {
  readonly pages: ReadonlyMap<string, string>
  readonly broken: readonly string[]
}

let walked: Promise<Walked> | undefined

/** Every page that can be reached from the first one by links, and the links that lead nowhere. */
const walk = () => {
  walked ??= follow()
  return walked
}

async function follow(): Promise<Walked> {
  const pages = new Map<string, string>()
  const others = new Map<string, number>()
  const links: { from: string; to: URL }[] = []
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path) || others.has(path)) continue
    const { status, text, headers } = await get(path)
    if (status !== 200 || !String(headers['content-type']).startsWith('text/html')) {
      others.set(path, status)
      continue
    }
    pages.set(path, text)
    for (const [, to = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(?:data|https?|mailto):/.test(to)) continue
      const url = new URL(to.replaceAll('&amp;', '&'), `http://docs${path}`)
      links.push({ from: path, to: url })
      waiting.push(url.pathname)
    }
  }
  const leads = ({ pathname, hash }: URL) => {
    const page = pages.get(pathname)
    if (page === undefined) return others.get(pathname) === 200
    return hash === '' || page.includes(` id="${decodeURIComponent(hash.slice(1))}"`)
  }
  return { pages, broken: links.filter(({ to }) => !leads(to)).map(({ from, to }) => `${from}: ${to.href}`) }
}

describe('the pages of the documentation', () => {
  test('are linked from the first one, and every link of theirs leads somewhere', async () => {
    const { pages, broken } = await walk()
    expect([...new Set(broken)]).toEqual([])
    const { endpoints, document } = api.contract
    const { webhooks = {} } = document as { webhooks?: object }
    const counts = Map.groupBy(pages.keys(), (path) => path.split('/')[2] ?? 'start')
    expect(counts.get('api')).toHaveLength(endpoints.length + document.tags.length + 1)
    expect(counts.get('events')).toHaveLength(Object.keys(webhooks).length + 1)
  })

  test('have a page for each operation and each event, by its name', async () => {
    const { pages } = await walk()
    const text = [...pages.values()].join('\n')
    const missing = api.contract.endpoints.filter(({ path }) => !text.includes(`<code>${path}</code>`))
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  test('have a page for each error code that can be answered, with a cause and what to do', async () => {
    const { pages } = await walk()
    const declared = areas.flatMap(({ errors = {} }) => errorsIn(errors).map(({ code }) => code))
    const documented = api.contract.endpoints.flatMap((endpoint) =>
      Object.keys(endpoint.operation.responses).flatMap((status) =>
        Object.keys(api.contract.response(endpoint, status)?.content?.['application/json']?.examples ?? {}),
      ),
    )
    const codes = [...new Set([...declared, ...documented, ...Object.keys(PLATFORM_ERRORS)])].sort()
    const paged = [...pages.keys()].filter((path) => path.startsWith('/docs/errors/'))
    expect(paged.map((path) => path.split('/').at(-1)).sort()).toEqual(codes)
    const poor = codes.filter((code) => {
      const causes = [...(pages.get(`/docs/errors/${code}`) ?? '').matchAll(/<strong>Cause\.<\/strong> \S/g)]
      const cures = [
        ...(pages.get(`/docs/errors/${code}`) ?? '').matchAll(/<strong>What to do\.<\/strong> \S/g),
      ]
      return causes.length === 0 || causes.length !== cures.length
    })
    expect(poor).toEqual([])
  })

  test('have a twin in Markdown each, which /llms.txt lists', async () => {
    const { pages } = await walk()
    const { text: index, headers } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const missing: string[] = []
    for (const path of pages.keys()) {
      const twin = path === '/docs' ? '/docs/index.md' : `${path}.md`
      const { status, text } = await get(twin)
      const isWhole =
        status === 200 &&
        /^# \S/.test(text) &&
        !/<(?:div|p|section)\b/.test(text.replaceAll(/```[\s\S]*?```/g, ''))
      if (!isWhole || !index.includes(`(${api.config.BASE_URL}${twin})`)) missing.push(twin)
    }
    expect(missing).toEqual([])
  })

  test('run no script and have no style of their own, and forbid both', async () => {
    const { pages } = await walk()
    const loose = [...pages].filter(([, text]) =>
      /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:/.test(
        text.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''),
      ),
    )
    expect(loose.map(([path]) => path)).toEqual([])
    const { headers } = await get('/docs')
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    )
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['x-frame-options']).toBe('DENY')
  })

  test('are small: with style and script, a compressed page has less than 60 kB, and most have a quarter of that', async () => {
    const { pages } = await walk()
    const sizes: number[] = []
    const page = pages.get('/docs') ?? ''
    const loaded = [...page.matchAll(/(?:href|src)="(?:\.\/)?(docs\/assets\/[^"]+)"/g)].map(
      ([, path]) => `/${path}`,
    )
    expect(loaded).toHaveLength(3)
    let assets = 0
    const raw: Record<string, number> = {}
    for (const path of loaded) {
      raw[path.replace(/.*\.(\w+)\?.*/, '$1')] =
        (raw[path.replace(/.*\.(\w+)\?.*/, '$1')] ?? 0) + (await get(path)).raw.length
      assets += (await get(path, { 'accept-encoding': 'br' })).raw.length
    }
    expect(raw['css']).toBeLessThanOrEqual(12_000)
    expect(raw['js']).toBeLessThanOrEqual(8_000)
    for (const path of [...pages.keys()].filter((_, i) => i % 10 === 0))
      sizes.push(assets + (await get(path, { 'accept-encoding': 'br' })).raw.length)
    expect(Math.max(...sizes)).toBeLessThan(60_000)
    expect(sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)]).toBeLessThan(15_000)
  })
})

describe('a page', () => {
  test('is sent compressed as the client takes it, and not again to who has it', async () => {
    const plain = await get('/docs')
    const brotli = await get('/docs', { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await get('/docs', { 'accept-encoding': 'gzip;q=1.0, br;q=0' })
    expect(brotliDecompressSync(brotli.raw).toString()).toBe(plain.text)
    expect(gunzipSync(gzip.raw).toString()).toBe(plain.text)
    expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ])
    for (const { headers } of [plain, brotli, gzip]) {
      expect(headers.vary).toMatch(/\bAccept-Encoding\b/)
      const again = await get('/docs', { 'if-none-match': String(headers.etag) })
      expect([again.status, again.text, again.headers.etag !== undefined]).toEqual([304, '', true])
    }
    expect((await get('/docs', { 'if-none-match': '"another"' })).status).toBe(200)
  })

  test('that does not exist is a 404: a page for a browser, JSON for a program', async () => {
    const program = await get('/docs/nothing')
    expect([program.status, JSON.parse(program.text).code]).toEqual([404, 'NOT_FOUND'])
    const browser = await get('/docs/<b>nothing', { accept: 'text/html,*/*' })
    expect([browser.status, browser.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(browser.text).not.toContain('<b>nothing')
    expect((await get('/docs/%E0%A4%A')).status).toBeGreaterThanOrEqual(400)
    expect((await get('/docs/%E0%A4%A')).status).toBeLessThan(500)
  })

  test('with a slash at its end leads to the one without, also below a path of a proxy', async () => {
    const { status, headers } = await get('/docs/api/members/')
    expect(status).toBe(308)
    expect(new URL(String(headers.location), 'https://example.com/below/docs/api/members/').pathname).toBe(
      '/below/docs/api/members',
    )
  })

  test('has relative links only, so it works below a path of a proxy', async () => {
    const { pages } = await walk()
    const absolute = [...pages].filter(([, text]) => / (?:href|src)="\//.test(text))
    expect(absolute.map(([path]) => path)).toEqual([])
  })
})

test('the document is compressed, has an ETag, and is not sent again', async () => {
  const plain = await get('/openapi.json')
  const brotli = await get('/openapi.json', { 'accept-encoding': 'br' })
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.raw).toString()).toBe(plain.text)
  expect(brotli.raw.length).toBeLessThan(plain.raw.length / 8)
  expect((await get('/openapi.json', { 'if-none-match': String(brotli.headers.etag) })).status).toBe(304)
  expect(plain.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
})
