import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { withApi } from '#testkit/with-api.ts'
import { pagePath, shortPath } from './page-path.ts'

let api: TestApi
withApi((opened) => {
  api = opened
})

/** Paths as browsers and scripts write them: letters of many scripts, escapes whole and broken, slashes. */
const paths = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '%',
        '%2',
        '%25',
        '%2F',
        '%2f',
        '%5C',
        '%00',
        '%0a',
        '%7F',
        '%ff',
        '%C3',
        '%E2%82',
      ),
      fc.constantFrom(
        '%C3%A9',
        'e%CC%81',
        '%e2%82%ac',
        '%F0%9F%8E%89',
        '%ED%A0%80',
        '%C0%AF',
        '*',
        '41',
        'a',
        '.',
        '$',
      ),
      fc
        .string({ unit: 'grapheme', maxLength: 3 })
        .filter((text) => text.isWellFormed() && !text.includes('\0')),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `/${parts.join('')}`)

describe('a path', () => {
  test.each([
    ['/caf%C3%A9', '/café'],
    ['/cafe%CC%81', '/café'],
    ['/%E6%96%99%E9%87%91', '/料金'],
    ['/a%20b', '/a b'],
    ['/a/', '/a'],
    ['//a//b//', '/a/b'],
    ['/', '/'],
    ['/100%25', '/100%25'],
    ['/100%', '/100%25'],
    ['/a%2fb', '/a%2Fb'],
    ['/a%0Ab', '/a%0Ab'],
    ['/%ff', '/%FF'],
    ['/a%3fb%23c', '/a%3Fb%23c'],
    ['example.org/caf%C3%A9/', 'example.org/café'],
    ['example.org/', 'example.org/'],
  ])('%s is kept as %s', (sent, kept) => {
    expect(pagePath(sent)).toBe(kept)
  })

  test('that is read again stays as it is, also where it was cut', () => {
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 40 }), (path, longest) => {
        const kept = pagePath(path)
        expect(pagePath(kept)).toBe(kept)
        const short = shortPath(path, longest)
        expect(pagePath(short)).toBe(short)
      }),
      { numRuns: 2_000 },
    )
  })

  test('that was stored as it was sent is read by the database in the same form', async () => {
    // Of an accent behind half a character nothing sensible is stored.
    const sent = fc.sample(paths, 2_000).filter((path) => !/%[0-9A-F]{2}\p{M}/u.test(pagePath(path)))
    const { rows } = await api.owner.query<{ path: string }>(
      `select case when strpos(t, '%') > 0 or t like '%/%/' or t like '%//%' then app.page_path(t) else normalize(t) end as path
       from unnest($1::text[]) with ordinality as u (t, n) order by n`,
      [sent],
    )
    expect(rows.map(({ path }) => path)).toEqual(sent.map(pagePath))
  })
})
