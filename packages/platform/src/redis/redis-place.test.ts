import { describe, expect, test } from 'vitest'
import { readRedisPlace } from './redis-place.ts'

const open = { username: undefined, password: undefined, db: 0, isEncrypted: false }
const at = (host: string, port: number) => ({ host, port })

describe('REDIS_URL is read', () => {
  test.each([
    ['redis://a', { ...open, kind: 'one', node: at('a', 6379) }],
    ['redis://[::1]:7000/3', { ...open, kind: 'one', node: at('::1', 7000), db: 3 }],
    [
      'rediss://me:p%40ss:word@a:1',
      { kind: 'one', node: at('a', 1), username: 'me', password: 'p@ss:word', db: 0, isEncrypted: true },
    ],
    ['redis://:p@a:1,b:2', { ...open, kind: 'cluster', nodes: [at('a', 1), at('b', 2)], password: 'p' }],
    [
      'redis+sentinel://:p@a,b:2/main/1?sentinel_password=q',
      {
        ...{ ...open, kind: 'sentinel', sentinels: [at('a', 26379), at('b', 2)], name: 'main' },
        ...{ password: 'p', db: 1, sentinelPassword: 'q' },
      },
    ],
    [
      'rediss+sentinel://a/main',
      {
        ...{ ...open, kind: 'sentinel', sentinels: [at('a', 26379)], name: 'main', isEncrypted: true },
        sentinelPassword: undefined,
      },
    ],
  ])('%s', (url, place) => {
    expect(readRedisPlace(url)).toEqual(place)
  })

  test.each([
    ...['http://a', 'redis://', 'redis://a:1,', 'redis://a/x', 'redis://a:1,b:2/3', 'redis://a:99999'],
    ...['redis+sentinel://a:1', 'redis+sentinel://a:1/', 'redis://a b'],
  ])('%j is none', (url) => {
    expect(readRedisPlace(url)).toBeUndefined()
  })
})
