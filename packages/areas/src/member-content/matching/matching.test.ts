import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPageUrl } from './page-url.ts'
import { type Pattern, readPattern } from './pattern.ts'
import { RuleMatcher } from './rule-matcher.ts'

/** Rules with these patterns, the oldest first; each is called like its pattern. */
const matcherOf = (...patterns: string[]) =>
  new RuleMatcher(
    patterns.map((text, i) => {
      const pattern = readPattern(text)
      if (typeof pattern === 'string') throw new Error(`${text} ${pattern}`)
      return { id: String(i).padStart(5, '0'), text, pattern }
    }),
  )

const winner = (url: string, ...patterns: string[]) => {
  const page = readPageUrl(url)
  return page && matcherOf(...patterns).match(page)?.text
}
const fits = (pattern: string, url: string) => winner(url, pattern) !== undefined

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
  ])('%s fits what it should and nothing else', (pattern, yes, no) => {
    expect([yes.filter((url) => !fits(pattern, url)), no.filter((url) => fits(pattern, url))]).toEqual([
      [],
      [],
    ])
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
  ])('%s', (_, url, patterns, expected) => {
    expect(winner(url, ...patterns)).toBe(expected)
  })

  test('and all that match are told in the order in which they count', () => {
    const matcher = matcherOf('/**', '/a/**', 'h.example/a/**', '/a/b', '/a/*', 'h.example/a/b', '/x')
    const page = readPageUrl('https://h.example/a/b') ?? { host: undefined, path: '' }
    expect(matcher.matchAll(page).map(({ text }) => text)).toEqual([
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

test('matching agrees with a plain reading of patterns', () => {
  const step = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', 'a*b', '**')
  const segment = fc.constantFrom('a', 'b', 'ab', 'aab', 'abb', 'ba')
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 7 }),
      fc.array(segment, { maxLength: 9 }),
      (steps, path) => {
        expect(fits(`/${steps.join('/')}`, `/${path.join('/')}`)).toBe(means(steps, path))
      },
    ),
    { numRuns: 3_000 },
  )
})

test('the winner among many is the one that a look at each of them finds', () => {
  const step = fc.constantFrom('a', 'b', '*', 'a*', '**')
  const pattern = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `/${steps.join('/')}`)
  const host = fc.constantFrom('', 'h.example')
  const rule = fc.tuple(host, pattern).map(([name, text]) => name + text)
  const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 5 })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), path, (patterns, segments) => {
      const url = `https://h.example/${segments.join('/')}`
      const rank = (text: string, i: number) => {
        const { exact, literalPrefix, host: named } = readPattern(text) as Pattern
        return [exact === undefined ? 0 : 1, exact === undefined ? literalPrefix.length : 0, named ? 1 : 0, i]
      }
      const best = patterns
        .map((text, i) => ({ text, rank: rank(text, i) }))
        .filter(({ text }) => fits(text, url))
        .sort((a, b) => b.rank.map((n, i) => n - (a.rank[i] ?? 0)).find((d) => d !== 0) ?? 0)[0]
      expect(winner(url, ...patterns)).toBe(best?.text)
    }),
    { numRuns: 1_000 },
  )
})

test('no URL takes long, whatever the patterns', () => {
  const nasty = ['/**/a/**/a/**/a/**/a/**/a/**/b', `/${'a*'.repeat(100)}b`, `/**/${'a/'.repeat(100)}b/**`]
  const matcher = matcherOf(...Array.from({ length: 300 }, (_, i) => nasty[i % 3] as string))
  const started = process.cpuUsage()
  for (const url of [`/${'a/'.repeat(1_000)}`, `/${'a'.repeat(2_000)}`])
    expect(matcher.match(readPageUrl(url) ?? { host: undefined, path: '' })).toBeUndefined()
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1_000).toBeLessThan(1_000)
})
