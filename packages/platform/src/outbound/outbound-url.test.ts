import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isReachable } from './address.ts'
import { checkOutboundUrl } from './outbound-url.ts'

const PRODUCTION = { ALLOW_PRIVATE_NETWORKS: [] }
const LOCAL = { ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8', '::1'] }

/** Four octets that lead nowhere of ours: one of each special range, and any address within the larger ones. */
const SPECIAL_IPV4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]
const PUBLIC_IPV4 = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.15.0.1', '172.32.0.1', '100.63.0.1']

const octetsOf = (address: string) => address.split('.').map(Number)
const hexOf = (octets: readonly number[]) => {
  const [a = 0, b = 0, c = 0, d = 0] = octets
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}
/** Every way in which an IPv6 address can carry an IPv4 one. */
const carriers = (address: string) => [
  `::ffff:${address}`,
  `::ffff:${hexOf(octetsOf(address))}`,
  `64:ff9b::${hexOf(octetsOf(address))}`,
  `2002:${hexOf(octetsOf(address))}::1`,
]

describe('a network that the operator allows', () => {
  const INSIDE = { ALLOW_PRIVATE_NETWORKS: ['10.1.0.0/16', 'fd00::/8', '192.168.1.7'] }

  test.each(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '192.168.1.7'])(
    '%s is reachable, by http too',
    (address) => {
      expect(isReachable(address, INSIDE)).toBe(true)
      const host = address.includes(':') ? `[${address}]` : address
      expect(checkOutboundUrl(`http://${host}/`, INSIDE)).toBeUndefined()
    },
  )

  test.each(['10.2.0.1', '127.0.0.1', '::1', 'fe80::1', '169.254.169.254', '192.168.1.8'])(
    '%s, which is outside of it, is not',
    (address) => expect(isReachable(address, INSIDE)).toBe(false),
  )

  test('http does not lead to a public address', () => {
    expect(checkOutboundUrl('http://1.1.1.1/', INSIDE)).toMatchObject({ rule: 'scheme' })
    expect(checkOutboundUrl('http://localhost/', INSIDE)).toMatchObject({ rule: 'address' })
  })
})

describe('an address', () => {
  test.each(SPECIAL_IPV4)('%s is not reachable, nor in any IPv6 address that carries it', (address) => {
    for (const spelling of [address, ...carriers(address)])
      expect([spelling, isReachable(spelling, PRODUCTION)]).toEqual([spelling, false])
  })

  test.each(PUBLIC_IPV4)('%s is reachable, carried or not', (address) => {
    for (const spelling of [address, ...carriers(address)])
      expect([spelling, isReachable(spelling, PRODUCTION)]).toEqual([spelling, true])
  })

  test.each([
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b:1::7f00:1', 'local NAT64'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:2::1', 'benchmarking'],
    ['2001:db8::1', 'documentation'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'a cloud metadata service'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'not assigned'],
    ['localhost', 'a name'],
    ['', 'nothing'],
  ])('%s (%s) is not reachable', (address) => {
    expect(isReachable(address, PRODUCTION)).toBe(false)
  })

  test('2606:4700:4700::1111 is reachable', () => {
    expect(isReachable('2606:4700:4700::1111', PRODUCTION)).toBe(true)
  })

  test('whatever is in 10/8, 127/8 or 192.168/16 stays unreachable in every disguise', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const special = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    )
    fc.assert(
      fc.property(special, (octets) =>
        [octets.join('.'), ...carriers(octets.join('.'))].every(
          (address) => !isReachable(address, PRODUCTION),
        ),
      ),
    )
  })

  test('the local mode opens loopback and nothing else', () => {
    const opened = [...SPECIAL_IPV4, '::1', '::ffff:127.0.0.1', 'fc00::1', 'fe80::1'].filter((address) =>
      isReachable(address, LOCAL),
    )
    expect(opened).toEqual(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])
  })
})

describe('a URL that a customer registers', () => {
  test.each([
    'https://example.com/hooks?a=b',
    'https://example.com:443/',
    'https://example.com:80/',
    'https://example.com:1024/',
    'https://example.com:65535/',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]/',
    'https://xn--bcher-kva.example/',
  ])('%s is taken', (url) => {
    expect(checkOutboundUrl(url, PRODUCTION)).toBeUndefined()
  })

  test.each([
    ['', 'format'],
    ['example.com', 'format'],
    ['/hooks', 'format'],
    ['https://', 'format'],
    ['https://example.com:99999/', 'format'],
    ['https://[fe80::1%25eth0]/', 'format'],
    ['http://example.com/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['gopher://example.com/', 'scheme'],
    ['data:text/plain,hello', 'scheme'],
    ['https://user@example.com/', 'credentials'],
    ['https://user:secret@example.com/', 'credentials'],
    ['https://:secret@example.com/', 'credentials'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:1023/', 'port'],
    ['https://example.com:6379/../', undefined],
    ['https://exa\r\nmple.com/', 'characters'],
    ['https://example.com/\r\nHost: other', 'characters'],
    ['https://example.com/a b', 'characters'],
    [' https://example.com/', 'characters'],
    ['https://example.com/\0', 'characters'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'length'],
    ['https://localhost/', 'address'],
    ['https://localhost./', 'address'],
    ['https://LOCALHOST/', 'address'],
    ['https://api.localhost/', 'address'],
    ['https://127.0.0.1/', 'address'],
    ['https://127.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://0x7f000001/', 'address'],
    ['https://0x7f.0.0.1/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://017700000001/', 'address'],
    ['https://①②⑦.0.0.1/', 'address'],
    ['https://0/', 'address'],
    ['https://[::]/', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[::ffff:7f00:1]/', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[64:ff9b::7f00:1]/', 'address'],
    ['https://[2002:7f00:1::]/', 'address'],
    ['https://[0:0:0:0:0:0:0:1]/', 'address'],
    ['https://169.254.169.254/latest/meta-data/', 'address'],
    ['https://100.64.0.1/', 'address'],
  ])('%j is judged by its %s', (url, rule) => {
    expect(checkOutboundUrl(url, PRODUCTION)?.rule).toBe(rule)
  })

  test('the fault names the field it was asked for', () => {
    expect(checkOutboundUrl('ftp://example.com', PRODUCTION, 'idp.metadata_url')).toEqual({
      field: 'idp.metadata_url',
      rule: 'scheme',
      message: 'must be an https URL',
    })
  })

  test('the local mode takes http and this machine, and still no private network', () => {
    for (const url of ['http://localhost:4000/', 'http://127.0.0.1:4000/', 'http://[::1]:4000/'])
      expect(checkOutboundUrl(url, LOCAL)).toBeUndefined()
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://0.0.0.0:4000/',
      'http://[fc00::1]/',
    ])
      expect(checkOutboundUrl(url, LOCAL)?.rule).toBe('address')
    expect(checkOutboundUrl('http://user@localhost:4000/', LOCAL)?.rule).toBe('credentials')
    expect(checkOutboundUrl('http://localhost:22/', LOCAL)?.rule).toBe('port')
  })
})
