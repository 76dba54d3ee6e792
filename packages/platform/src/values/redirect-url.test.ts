import { expect, test } from 'vitest'
import { allowedRedirect } from './redirect-url.ts'

const ALLOWED = [
  'https://app.example.com/auth',
  'http://localhost:8080',
  'https://shop.example.com:8443/a/b/',
]

test.each([
  'https://app.example.com/auth',
  'https://app.example.com/auth/',
  'https://app.example.com/auth/done?next=/a//b&x=1#top',
  'HTTPS://APP.EXAMPLE.COM/auth',
  'https://app.example.com:443/auth',
  'http://localhost:8080',
  'http://localhost:8080/anything/at/all',
  'https://shop.example.com:8443/a/b/',
  'https://shop.example.com:8443/a/b/c',
])('%s is allowed', (url) => {
  expect(allowedRedirect(url, ALLOWED)).toBe(new URL(url).href)
})

test.each([
  ['another scheme', 'http://app.example.com/auth'],
  ['another port', 'https://app.example.com:8443/auth'],
  ['another host', 'https://evil.example.com/auth'],
  ['a host that begins alike', 'https://app.example.com.evil.com/auth'],
  ['a host that ends alike', 'https://evilapp.example.com/auth'],
  ['a user name', 'https://app.example.com@evil.com/auth'],
  ['a user name with a password', 'https://app.example.com:x@evil.com/auth'],
  ['a user name before the right host', 'https://evil@app.example.com/auth'],
  ['a backslash in the host', 'https://app.example.com\\@evil.com/auth'],
  ['a backslash as a slash', 'https:\\\\app.example.com/auth'],
  ['a backslash in the path', 'https://app.example.com/auth\\..\\evil'],
  ['a path that begins alike', 'https://app.example.com/authentic'],
  ['a path that climbs out', 'https://app.example.com/auth/../evil'],
  ['a path that climbs out in disguise', 'https://app.example.com/auth/%2e%2e/evil'],
  ['an encoded slash', 'https://app.example.com/auth/%2f%2fevil.com'],
  ['a double slash in the path', 'https://app.example.com/auth//evil.com'],
  ['no scheme', '//app.example.com/auth'],
  ['no host', '/auth'],
  ['three slashes', 'https:///app.example.com/auth'],
  ['one slash', 'https:/app.example.com/auth'],
  ['javascript', 'javascript://app.example.com/auth%0aalert(1)'],
  ['javascript alone', 'javascript:alert(1)'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['a look-alike letter', 'https://\u0430pp.example.com/auth'],
  ['a full-width letter that folds to the right one', 'https://\uff41pp.example.com/auth'],
  ['an ideographic full stop', 'https://app\u3002example.com/auth'],
  ['a leading space', ' https://app.example.com/auth'],
  ['a line break', 'https://app.example.com/auth\r\nLocation: https://evil.com'],
  ['a tab', 'https://app.example.com/\tauth'],
  ['a NUL', 'https://app.example.com/auth\0'],
  ['a trailing dot in the host', 'https://app.example.com./auth'],
  ['an empty text', ''],
])('%s is not allowed', (_what, url) => {
  expect(allowedRedirect(url, ALLOWED)).toBeUndefined()
})

test('a list without entries allows nothing', () => {
  expect(allowedRedirect('https://app.example.com/auth', [])).toBeUndefined()
})
