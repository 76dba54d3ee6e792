import { describe, expect, test } from 'vitest'
import { originsWithin, relyingParty } from './relying-party.ts'

const places = {
  allowed_origins: ['https://shop.example.com', 'http://localhost:5173', 'http://127.0.0.1:5173'],
  allowed_redirect_urls: [
    'https://app.example.com/welcome',
    'https://example.org/',
    'https://example.com.evil.net/',
  ],
}

describe('the domain of a passkey', () => {
  test.each([
    ['https://app.example.com', undefined, 'app.example.com'],
    ['https://shop.example.com', undefined, 'shop.example.com'],
    ['https://app.example.com', 'example.com', 'example.com'],
    ['https://app.example.com', 'EXAMPLE.com', 'example.com'],
    [undefined, 'example.com', 'example.com'],
    [undefined, 'localhost', 'localhost'],
    ['http://localhost:5173', undefined, 'localhost'],
  ])('is, for a page of %s that names %s, %s', (origin, wanted, domain) => {
    expect(relyingParty(places, wanted, origin)).toBe(domain)
  })

  test.each([
    ['https://evil.example', undefined],
    ['https://app.example.com:8443', undefined],
    ['http://app.example.com', undefined],
    ['null', undefined],
    [undefined, undefined],
    [undefined, 'com'],
    [undefined, 'evil.example'],
    [undefined, 'xample.com'],
    [undefined, 'www.app.example.com'],
    [undefined, '.example.com'],
    [undefined, 'example.com.'],
    [undefined, 'evil.net\\@example.com'],
    [undefined, 'https://app.example.com'],
    [undefined, 'app.example.com:443'],
    [undefined, 'ехample.com'],
    [undefined, ''],
    [undefined, '127.0.0.1'],
    ['http://127.0.0.1:5173', undefined],
  ])('is refused for a page of %s that names %s', (origin, wanted) => {
    expect(() => relyingParty(places, wanted, origin)).toThrowError(
      expect.objectContaining({ status: 422, details: [expect.objectContaining({ field: 'rp_id' })] }),
    )
  })

  test('need not be named where there is only one', () => {
    const one = { allowed_origins: [], allowed_redirect_urls: ['https://a.example/x', 'https://a.example/y'] }
    expect(relyingParty(one, undefined, undefined)).toBe('a.example')
    expect(() => relyingParty(one, undefined, 'https://b.example')).toThrow()
  })
})

test('a passkey is for pages of its domain and below it, and for no look-alike', () => {
  expect(originsWithin(places, 'example.com')).toEqual([
    'https://shop.example.com',
    'https://app.example.com',
  ])
  expect(originsWithin(places, 'app.example.com')).toEqual(['https://app.example.com'])
  expect(originsWithin(places, 'localhost')).toEqual(['http://localhost:5173'])
})
