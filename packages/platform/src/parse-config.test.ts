import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { withValuesOfFiles } from './files-as-values.ts'
import { misspelled } from './misspelled.ts'
import { ConfigError, parseConfig } from './parse-config.ts'

const NEEDED = { DATABASE_URL: 'postgres://somewhere/guildhall', SECRET_KEY: '0123456789abcdef'.repeat(2) }
const PRODUCTION = { NODE_ENV: 'production', BASE_URL: 'https://api.example.com' }

function faultOf(environment: Record<string, string>): string {
  try {
    parseConfig({ ...NEEDED, ...environment })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('private networks', () => {
  test('URLs of customers lead to none of them unless the operator lists it, in production too', () => {
    expect(parseConfig(NEEDED).ALLOW_PRIVATE_NETWORKS).toEqual([])
    const listed = { ...NEEDED, ...PRODUCTION, ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8, fc00::/7,192.168.1.7' }
    expect(parseConfig(listed).ALLOW_PRIVATE_NETWORKS).toEqual(['10.0.0.0/8', 'fc00::/7', '192.168.1.7'])
  })

  test.each([
    ...['true', 'localhost', '10.0.0.0/33', '0.0.0.0/0', '::/0'],
    ...['0.0.0.0/1,128.0.0.0/1', '10.0.0.0/7', '::/1,8000::/1'],
  ])('%s is no list of networks', (text) => {
    expect(faultOf({ ALLOW_PRIVATE_NETWORKS: text })).toBe(
      `ALLOW_PRIVATE_NETWORKS is "${text}": expected private addresses or CIDR ranges that URLs of customers may lead to, /8 at the widest, separated by commas, like 10.0.0.0/8`,
    )
  })
})

describe('a value in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-values-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret_key')
  writeFileSync(path, `${NEEDED.SECRET_KEY}\n`)

  test('is the value of its variable, without the end of its line', () => {
    const { SECRET_KEY } = withValuesOfFiles({ SECRET_KEY_FILE: path, SECRET_KEY: '' })
    expect(SECRET_KEY).toBe(NEEDED.SECRET_KEY)
    expect(misspelled({ SECRET_KEY_FILE: path })).toEqual([])
  })

  test('is refused beside a value in the variable, and where there is no file; the message does not show it', () => {
    expect(() => withValuesOfFiles({ ...NEEDED, SECRET_KEY_FILE: path })).toThrow(
      'SECRET_KEY and SECRET_KEY_FILE are both set: set one of them',
    )
    expect(() => withValuesOfFiles({ SECRET_KEY_FILE: '/nowhere' })).toThrow(
      'SECRET_KEY_FILE is "/nowhere", which cannot be read (ENOENT)',
    )
  })
})

describe('a variable that is not read', () => {
  test('is named where it is within two letters of one that is read', () => {
    expect(misspelled({ SMPT_URL: '', S3_BUCKETS: '', PORTS: '', PASSWORD_TREADS: '' })).toEqual([
      'SMPT_URL is not read. Did you mean SMTP_URL?',
      'S3_BUCKETS is not read. Did you mean S3_BUCKET?',
      'PORTS is not read. Did you mean PORT?',
      'PASSWORD_TREADS is not read. Did you mean PASSWORD_THREADS?',
    ])
  })

  test('is not named where it belongs to the machine', () => {
    const names = [
      'HOME',
      'PATH',
      'LANG',
      'HOSTNAME',
      'NODE_OPTIONS',
      'DATA_DIR',
      'PWD',
      'USER',
      'TERM',
      'SHELL',
    ]
    expect(misspelled(Object.fromEntries(names.map((name) => [name, ''])))).toEqual([])
  })
})

test('replicas are listed, each with the name of the database', () => {
  const replicas = (text: string) => ({ DATABASE_REPLICA_URL: text })
  expect(parseConfig(NEEDED).DATABASE_REPLICA_URL).toEqual([])
  const given = ' postgres://one/guildhall, postgresql://two:5433/guildhall '
  expect(parseConfig({ ...NEEDED, ...replicas(given) }).DATABASE_REPLICA_URL).toEqual([
    'postgres://one/guildhall',
    'postgresql://two:5433/guildhall',
  ])
  for (const text of ['postgres://hush@one/another', 'one', 'postgres://one/guildhall,http://two/guildhall'])
    expect(faultOf(replicas(text))).toBe(
      'DATABASE_REPLICA_URL is malformed: expected postgres://host:port/database of standbys of that PostgreSQL, separated by commas; the name of the database must be the same',
    )
  expect(faultOf({ REPLICA_MAX_LAG_MS: '10' })).toMatch(/^REPLICA_MAX_LAG_MS is "10": expected milliseconds/)
})

test('the direct address has the name of the database, from which logins derive', () => {
  expect(parseConfig({ ...NEEDED, DATABASE_DIRECT_URL: 'postgres://db/guildhall' }).DATABASE_DIRECT_URL).toBe(
    'postgres://db/guildhall',
  )
  expect(faultOf({ DATABASE_DIRECT_URL: 'postgres://hush@db/another' })).toBe(
    'DATABASE_DIRECT_URL is malformed: expected the address of PostgreSQL itself, if DATABASE_URL leads to a pooler; the name of the database must be the same',
  )
})

describe('mail', () => {
  test('a server needs an address to send from, and its password is never shown', () => {
    expect(faultOf({ SMTP_URL: 'smtp://localhost' })).toMatch(/^MAIL_FROM is not set/)
    expect(faultOf({ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' })).toBe('')
    expect(faultOf({ SMTP_URL: 'http://user:hunter2@mail', MAIL_FROM: 'a@example.com' })).toBe(
      'SMTP_URL is malformed: expected smtp://user:password@host:port, or smtps://',
    )
    expect(faultOf({ MAIL_FROM: 'a@example.com\r\nBcc: b@example.com' })).toMatch(/^MAIL_FROM is /)
  })

  test('production refuses to show caught mail', () => {
    expect(faultOf({ ...PRODUCTION, MAILBOX_DIR: '/tmp' })).toMatch(/^MAILBOX_DIR is "\/tmp"/)
    expect(faultOf({ MAILBOX_DIR: '/tmp' })).toBe('')
  })
})

describe('the object storage', () => {
  const S3 = {
    S3_ENDPOINT: 'http://127.0.0.1:9000',
    S3_BUCKET: 'guildhall',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'hush',
  }

  test('it is off where it is not configured, and Amazon’s own where there is only a bucket', () => {
    expect(parseConfig(NEEDED).S3_BUCKET).toBeUndefined()
    expect(parseConfig({ ...NEEDED, S3_BUCKET: 'guildhall' })).toMatchObject({ S3_REGION: 'us-east-1' })
    expect(faultOf(S3)).toBe('')
  })

  test('half a configuration, or a wrong one, is refused by name, and a secret never shown', () => {
    expect(faultOf({ ...S3, S3_BUCKET: '' })).toMatch(/^S3_BUCKET is not set/)
    expect(faultOf({ ...S3, S3_BUCKET: 'Not A Bucket' })).toMatch(/^S3_BUCKET is "Not A Bucket"/)
    expect(faultOf({ ...S3, S3_ENDPOINT: 'localhost:9000' })).toMatch(/^S3_ENDPOINT is "localhost:9000"/)
    expect(faultOf({ ...S3, S3_SECRET_ACCESS_KEY: '' })).toMatch(/^S3_SECRET_ACCESS_KEY is not set/)
    expect(faultOf({ ...S3, S3_ACCESS_KEY_ID: '' })).toMatch(/^S3_ACCESS_KEY_ID is not set/)
    expect(faultOf({ ...S3, S3_BUCKET: '', S3_REGION: 'x' })).not.toContain('hush')
  })
})

describe('production', () => {
  test('refuses to start where others cannot reach BASE_URL, or can read along', () => {
    expect(faultOf({ NODE_ENV: 'production' })).toMatch(/^BASE_URL is not set: expected https/)
    expect(faultOf({ ...PRODUCTION, BASE_URL: 'http://api.example.com' })).toMatch(/^BASE_URL is "http:/)
    expect(faultOf({ ...PRODUCTION, BASE_URL: 'http://127.0.0.1:3000' })).toBe('')
    expect(faultOf({ BASE_URL: 'http://api.example.com' })).toBe('')
  })

  test('refuses a SECRET_KEY of few different characters', () => {
    const SECRET_KEY = 'k'.repeat(32)
    expect(faultOf({ ...PRODUCTION, SECRET_KEY })).toMatch(
      /^SECRET_KEY is malformed: expected .* 10 different/,
    )
    expect(faultOf({ SECRET_KEY })).toBe('')
  })
})

describe('what is wrong', () => {
  test('is reported all at once, each by its name, its value and what was expected', () => {
    expect(faultOf({ PORT: '99999', LOG_LEVEL: 'loud', DATABASE_POOL_SIZE: '0.5' }).split('\n')).toEqual([
      'PORT is "99999": expected a port from 0 to 65535',
      'DATABASE_POOL_SIZE is "0.5": expected a number from 1 to 500',
      'LOG_LEVEL is "loud": expected trace, debug, info, warn, error, fatal or silent',
    ])
    expect(() => parseConfig({})).toThrow(/^DATABASE_URL is not set.*\nSECRET_KEY is not set/)
  })

  test('is never shown where it may hold a secret', () => {
    const message = faultOf({
      DATABASE_URL: 'mysql://user:hush@host/db',
      REDIS_URL: 'http://:hush@host',
      SECRET_KEY: 'hush',
    })
    expect(message.split('\n')).toHaveLength(3)
    expect(message).not.toContain('hush')
  })

  test.for([
    ['DATABASE_URL', ['postgres://', 'postgres://host', 'postgres://host/', 'postgres://[bad/db', 'host/db']],
    ['REDIS_URL', ['redis://[bad', 'localhost:6379']],
    ['BASE_URL', ['https://', 'https://[bad', 'api.example.com', 'ftp://api.example.com']],
    ['NODE_ENV', ['prod', 'Production']],
    [
      'TRUST_PROXY',
      [
        'nonsense',
        '0.0.0.0/0',
        '::/0',
        '10.0.0.0/33',
        '10.0.0.1, ::/129',
        '10.0.0.0/8 10.1.0.0/16',
        'true',
        '0.0.0.0/1,128.0.0.0/1',
      ],
    ],
    ['PORT', ['-1', '1.5', '3000abc', '0x10', 'NaN']],
  ] as const)('includes %s that is none', ([name, values]) => {
    for (const value of values)
      expect([value, faultOf({ [name]: value })]).toEqual([value, expect.stringContaining(name)])
  })

  test('is not what an empty variable is: it counts as unset', () => {
    expect(parseConfig({ ...NEEDED, REDIS_URL: '', PORT: '' })).toMatchObject({ PORT: 3000 })
    expect(parseConfig({ ...NEEDED, REDIS_URL: '' })).not.toHaveProperty('REDIS_URL')
  })
})

test('what is read cannot be changed', () => {
  const config = parseConfig({
    ...NEEDED,
    TRUST_PROXY: ' 10.0.0.0/8,::1 ',
    BASE_URL: 'https://api.example.com/',
  })
  expect(config).toMatchObject({ TRUST_PROXY: ['10.0.0.0/8', '::1'], BASE_URL: 'https://api.example.com' })
  expect(Object.isFrozen(config)).toBe(true)
})
