import fc from 'fast-check'

/** Texts that have broken programs: of SQL, patterns, formulas, paths, headers, markup, numbers and Unicode. */
const TEXTS = [
  '',
  ' ',
  '\t\n\r',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\ufeff',
  '\u202etxt.exe',
  'İ',
  'ß'.repeat(50),
  '👩‍👩‍👧‍👦',
  'a\u0301'.repeat(100),
  "' or 1=1 --",
  "'; drop table members; --",
  '%',
  '%%%%____',
  '\\',
  '\\%',
  '$1',
  '{{x}}',
  '(((((',
  '(a+)+$',
  '[',
  '*',
  'a & | ! b:*',
  '" -"',
  '=1+1',
  '@x',
  '../../etc/passwd',
  '..',
  '.',
  'con',
  '<script>alert(1)</script>',
  '<![CDATA[',
  '[x](javascript:alert(1))',
  '\r\nset-cookie: a=b',
  'null',
  'undefined',
  'true',
  'NaN',
  '-0',
  '0x10',
  '1e400',
  '9223372036854775808',
  '99999999999999999999999999',
  '-1',
  '1.5',
  '__proto__',
  'constructor',
  'toString',
  'a@b',
  `${'x'.repeat(300)}@example.com`,
  '2026-02-30',
  '0000-00-00',
  '99999-12-31',
  '275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '2026-11-22T24:00:00Z',
  '2016-12-31T23:59:60Z',
  'Europe/Nowhere',
  '127.0.0.1',
  'http://169.254.169.254/',
  'file:///etc/passwd',
  'data:text/html,x',
  'https://user:pass@example.com:99999/',
  'mem_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  'mem_',
  'eyJhbGciOiJub25lIn0.e30.',
  'x'.repeat(5_000),
] as const

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: [inner] }), 1)

/** A text as an attacker, a broken client or chance would send it. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 30 }), weight: 1 },
)

const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 1e-7, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 1e21, 1.7e308, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
)

/** A value of JSON that nobody expects. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 5 },
  { arbitrary: hostileNumber, weight: 3 },
  { arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], nested(5)), weight: 2 },
  { arbitrary: fc.array(hostileText, { maxLength: 5 }), weight: 1 },
  { arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 4 }), weight: 1 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 },
)

/** Bytes in place of a JSON body. */
export const hostileBytes: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"a":1e999}',
    '{"__proto__":{"admin":true}}',
    '{"a":1,"a":2}',
    '['.repeat(5_000),
  ),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  hostileValue.map((value) => JSON.stringify(value)),
)
