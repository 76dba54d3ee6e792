import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newUuid } from '#platform/ids.ts'
import { EventLoopTurns } from '#platform/threads/event-loop-turns.ts'
import { compileRules, memoryOf } from '../checks/compiled-rules.ts'
import { CAPACITY_BYTES } from '../checks/rule-store.ts'
import { readPageUrl } from './page-url.ts'
import { type Pattern, readPattern } from './pattern.ts'
import { RuleMatcher } from './rule-matcher.ts'

/** Rules with these patterns, the oldest first; each is called like its pattern. */
const matcherOf = (...patterns: string[]) =>
  RuleMatcher.of(
    patterns.map((text, i) => {
      const pattern = readPattern(text)
      if (typeof pattern === 'string') throw new Error(`${text} ${pattern}`)
      return { id: String(i).padStart(5, '0'), text, pattern }
    }),
    slices(),
  )

const turns = new EventLoopTurns({ waiting: 10 })
const slices = () => turns.begin({ projectId: 'one' })

const winner = async (url: string, ...patterns: string[]) => {
  const page = readPageUrl(url)
  return page && (await (await matcherOf(...patterns)).match(page, slices()))?.text
}
const fits = async (pattern: string, url: string) => (await winner(url, pattern)) !== undefined
/** Those of some texts that a pattern fits. */
async function fitting<T>(all: readonly T[], doesFit: (one: T) => Promise<boolean>): Promise<T[]> {
  const fit = await Promise.all(all.map(doesFit))
  return all.filter((_, i) => fit[i])
}

describe('a URL is read', () => {
  test.each([
    ['/a/b', '/a/b'],
    ['/a/b/', '/a/b'],
    ['/', '/'],
    ['//a//b//', '/a/b'],
    ['/a/./b/../c', '/a/c'],
    ['/../../a', '/a'],
    ['/a?b=/c#/d', '/a'],
    ['/a#?b', '/a'],
    ['/Case/Kept', '/Case/Kept'],
    ['/a;b=1/c', '/a;b=1/c'],
    ['/caf%C3%A9', '/café'],
    ['/café', '/café'],
    ['/%61dmin', '/admin'],
    ['/a%20b', '/a b'],
    ['/a%252e%252e', '/a%2e%2e'],
    ['/file%2ehtml', '/file.html'],
    ['/...', '/...'],
    ['https://example.com', '/'],
    ['https://example.com?x', '/'],
  ])('%s as %s', (url, path) => {
    expect(readPageUrl(url)?.path).toBe(path)
  })

  test.each([
    ['https://example.com/a', 'example.com'],
    ['HTTPS://EXAMPLE.com:8443/a', 'example.com'],
    ['http://example.com./a', 'example.com'],
    ['https://bücher.example/a', 'xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example/a', 'xn--bcher-kva.example'],
    ['https://BÜCHER.example/a', 'xn--bcher-kva.example'],
    ['http://[::1]:80/a', '[::1]'],
  ])('%s with the host %s', (url, host) => {
    expect(readPageUrl(url)).toEqual({ host, path: '/a' })
  })

  test.each([
    ...[
      '/a%2fb',
      '/a%2Fb',
      '/a%5cb',
      '/a\\b',
      '/a%00',
      '/a\u0000b',
      '/a\tb',
      '/a\nb',
      '/%2e%2e/a',
      '/.%2e/a',
    ],
    ...[
      '/%2e/a',
      '/a/%2E%2e',
      '/%',
      '/%2',
      '/%zz',
      '/%ff',
      '/%c3',
      '/%c0%ae',
      '',
      'a/b',
      '?x',
      'javascript:x',
    ],
    ...[
      'ftp://example.com/a',
      'https:/a',
      'https:///a',
      'https://a@example.com/',
      'https://a\\@example.com/',
    ],
    ...['https://exa mple.com/', 'https://exam%70le.com/', 'https://-a/', 'https://*/a', '/a%0ab', '/a%7f'],
  ])('%j as invalid', (url) => {
    expect(readPageUrl(url)).toBeUndefined()
  })
})

describe('a pattern', () => {
  test.each([
    ['/a', ['/a', '/a/', '//a', '/a?x', 'https://any.example/a'], ['/A', '/a/b', '/ab', '/']],
    ['/a/', ['/a', '/a/'], ['/a/b']],
    ['/', ['/', 'https://example.com'], ['/a']],
    ['/a/*', ['/a/b', '/a/b/', '/a/.b'], ['/a', '/a/', '/a/b/c']],
    ['/a/**', ['/a', '/a/', '/a/b', '/a/b/c'], ['/ab', '/b/a']],
    ['/**', ['/', '/a', '/a/b/c'], []],
    ['/*', ['/a'], ['/', '/a/b']],
    ['/**/a', ['/a', '/b/a', '/b/c/a'], ['/a/b', '/ba']],
    ['/**/**/**/a', ['/a', '/x/y/z/a'], ['/a/b']],
    ['/a/**/z', ['/a/z', '/a/b/z', '/a/b/c/z', '/a/z/z'], ['/a', '/z', '/a/zz']],
    ['/a/*/c/**/e', ['/a/b/c/e', '/a/b/c/d/e'], ['/a/c/e', '/a/b/b/c/e']],
    ['/post-*', ['/post-', '/post-1'], ['/post', '/post-1/a']],
    ['/*-post', ['/a-post', '/-post'], ['/post']],
    ['/a*b*c', ['/abc', '/axbxc', '/abbc'], ['/ac', '/abx', '/a/b/c']],
    ['/ab*ba', ['/abba', '/abxba'], ['/aba']],
    ['/docs**', ['/docs', '/docs-old', '/docs/a', '/docs-old/a'], ['/doc', '/a/docs']],
    ['/a**z', ['/az', '/a/z', '/abc/d/xyz', '/a1z'], ['/a', '/a/z/b']],
    ['/**.pdf', ['/a.pdf', '/b/a.pdf'], ['/a.pdf/b', '/a.doc']],
    ['/%2A', ['/*', '/%2a'], ['/a']],
    ['/caf%C3%A9/*', ['/café/a', '/caf%c3%a9/a'], ['/cafe/a']],
    [
      'example.com/a',
      ['https://example.com/a', 'http://EXAMPLE.com:80/a'],
      ['/a', 'https://www.example.com/a'],
    ],
    ['https://example.com/**', ['https://example.com/', 'http://example.com/a'], ['https://example.org/']],
    ['bücher.example/a', ['https://xn--bcher-kva.example/a'], ['https://bucher.example/a']],
    ['localhost:3000/a', ['http://localhost:3000/a', 'http://localhost/a'], ['/a']],
    ['/a;b', ['/a;b'], ['/a']],
  ])('%s fits what it should and nothing else', async (pattern, yes, no) => {
    expect(await fitting([...yes, ...no], (url) => fits(pattern, url))).toEqual(yes)
  })

  test.each([
    ...[
      'members/**',
      '*',
      '**',
      '*.example.com/a',
      '/a?b',
      '/a#b',
      '/a/../b',
      '/./a',
      '/a\\b',
      '/a%2fb',
      '/%2e%2e',
    ],
    ...['/%', 'ftp://example.com/a', 'a@example.com/b', '/a**b**c**d**e', 'example.com\\a'],
  ])('%j is refused, in words', (text) => {
    expect(readPattern(text)).toMatch(/^must /)
  })
})

describe('of several rules the one counts', () => {
  test.each([
    ['that has no wildcard', '/a/b', ['/a/b', '/a/*', '/a/**'], '/a/b'],
    ['with the longest literal prefix', '/a/b/c', ['/a/b/**', '/a/**', '/**'], '/a/b/**'],
    ['with the longer part of a segment', '/a/post-1', ['/a/post-*', '/a/p*', '/a/*'], '/a/post-*'],
    ['that is the newest of equals', '/a/b', ['/a/**', '/a/*'], '/a/*'],
    ['that names the host, of equals', 'https://h.example/a/b', ['h.example/a/*', '/a/*'], 'h.example/a/*'],
    ['with the longer path, whatever the host', 'https://h.example/a/b', ['/a/*', 'h.example/**'], '/a/*'],
    ['that is exact, before the host', 'https://h.example/a', ['/a', 'h.example/*'], '/a'],
  ])('%s', async (_, url, patterns, expected) => {
    expect(await winner(url, ...patterns)).toBe(expected)
  })

  test('and all that match are listed in the order in which they count', async () => {
    const matcher = await matcherOf('/**', '/a/**', 'h.example/a/**', '/a/b', '/a/*', 'h.example/a/b', '/x')
    const page = readPageUrl('https://h.example/a/b') ?? { host: undefined, path: '' }
    expect((await matcher.matchAll(page, slices())).map(({ text }) => text)).toEqual([
      ...['h.example/a/b', '/a/b', 'h.example/a/**', '/a/*', '/a/**', '/**'],
    ])
  })
})

/** What a pattern means, by backtracking: slow, and plain enough to be believed. */
function means(steps: readonly string[], path: readonly string[]): boolean {
  const [step, ...others] = steps
  if (step === undefined) return path.length === 0
  const [segment, ...rest] = path
  if (step === '**') return means(others, path) || (segment !== undefined && means(steps, rest))
  if (segment === undefined) return false
  const glob = new RegExp(`^${step.split('*').join('.*')}$`)
  return glob.test(segment) && means(others, rest)
}

test('matching agrees with a plain reading of patterns', async () => {
  const step = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', 'a*b', '**')
  const segment = fc.constantFrom('a', 'b', 'ab', 'aab', 'abb', 'ba')
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 7 }),
      fc.array(segment, { maxLength: 9 }),
      async (steps, path) => {
        expect(await fits(`/${steps.join('/')}`, `/${path.join('/')}`)).toBe(means(steps, path))
      },
    ),
    { numRuns: 3_000 },
  )
})

test('the winner among many is the one that a look at each of them finds', async () => {
  const step = fc.constantFrom('a', 'b', '*', 'a*', '**')
  const pattern = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `/${steps.join('/')}`)
  const host = fc.constantFrom('', 'h.example')
  const rule = fc.tuple(host, pattern).map(([name, text]) => name + text)
  const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 12 }), path, async (patterns, segments) => {
      const url = `https://h.example/${segments.join('/')}`
      const rank = (text: string, i: number) => {
        const { exact, literalPrefix, host: named } = readPattern(text) as Pattern
        return [exact === undefined ? 0 : 1, exact === undefined ? literalPrefix.length : 0, named ? 1 : 0, i]
      }
      const ranked = patterns.map((text, i) => ({ text, rank: rank(text, i) }))
      const best = (await fitting(ranked, ({ text }) => fits(text, url))).sort(
        (a, b) => b.rank.map((n, i) => n - (a.rank[i] ?? 0)).find((d) => d !== 0) ?? 0,
      )[0]
      expect(await winner(url, ...patterns)).toBe(best?.text)
    }),
    { numRuns: 1_000 },
  )
})

test('thousands of rules are made ready for matching in slices, so that others are answered in between', async () => {
  const patterns = Array.from({ length: 5_000 }, (_, n) => `${'/*/a'.repeat(9)}/*/${n}`)
  const rows = patterns.map((url_pattern) => ({
    ...{ id: newUuid(), url_pattern, required_plans: [], published_plans: [] },
    ...{ required_features: [], after_days: null, free_views: null, redirect_url: null, is_active: true },
    ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  }))
  let turnsSeen = 0
  const timer = setInterval(() => turnsSeen++, 1)
  const started = process.cpuUsage()
  const { rules } = await compileRules(rows, slices())
  const { user, system } = process.cpuUsage(started)
  clearInterval(timer)
  expect(rules).toHaveLength(5_000)
  expect(turnsSeen).toBeGreaterThan((user + system) / 1_000 / 40)
})

test('as many of the largest rules as there can be take at most what is kept of all projects', async () => {
  const plans = Array.from({ length: 100 }, () => newUuid())
  const rows = [`/${'s/'.repeat(127)}*`, '/a**b/c**d/e**f/s/s/s/s/s'].map((url_pattern) => ({
    ...{ id: newUuid(), url_pattern, required_plans: plans, published_plans: plans },
    ...{ required_features: [], after_days: null, free_views: null, redirect_url: null, is_active: true },
    ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  }))
  for (const row of rows) {
    const one = memoryOf(await compileRules([row], slices()))
    expect(one * 5_000).toBeLessThan(CAPACITY_BYTES)
  }
})

describe('a search that takes long', () => {
  const nasty = [
    '/**/a/**/a/**/a/**/a/**/b',
    `/${'a*'.repeat(9)}b`,
    `/**/${'a/'.repeat(100)}b/**`,
    '/**a**a**a**/b',
    `/**/${'*a/'.repeat(8)}b/**`,
  ]
  const urls = [`/${'a/'.repeat(1_000)}`, `/${'a'.repeat(2_000)}`]
  const made = matcherOf(
    ...Array.from({ length: 500 }, (_, i) => nasty[i % nasty.length] as string),
    '/**/last',
  )
  const pageOf = (url: string) => readPageUrl(url) ?? { host: undefined, path: '' }

  test('leaves every turn of the event loop after some milliseconds, and finds the same', async () => {
    const matcher = await made
    let turnsSeen = 0
    const timer = setInterval(() => turnsSeen++, 1)
    const started = process.cpuUsage()
    const found = await Promise.all([
      ...urls.map((url) => matcher.match(pageOf(url), slices())),
      matcher.match(pageOf(`${urls[0]}last`), slices()),
    ])
    const { user, system } = process.cpuUsage(started)
    clearInterval(timer)
    expect(found.map((rule) => rule?.text)).toEqual([undefined, undefined, '/**/last'])
    // A slice is 4 ms, and one entry takes less than a millisecond.
    expect(turnsSeen).toBeGreaterThan((user + system) / 1_000 / 40)
  })

  test('makes other projects wait for one slice, however many it has', async () => {
    const order: string[] = []
    const search = async (projectId: string) => {
      const slicesOf = turns.begin({ projectId })
      while (!slicesOf.isOver);
      await slicesOf.next()
      order.push(projectId)
    }
    await Promise.all(['many', 'many', 'many', 'many', 'few'].map(search))
    expect(order.indexOf('few')).toBeLessThan(3)
  })
})
