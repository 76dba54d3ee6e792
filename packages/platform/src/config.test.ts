import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const NEEDED = { DATABASE_URL: 'postgres://somewhere/guildhall', SECRET_KEY: 'k'.repeat(32) }

function faultOf(environment: Record<string, string>): string {
  try {
    readConfig({ ...NEEDED, ...environment })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('the way to private networks', () => {
  test('it is closed where nobody opens it', () => {
    expect(readConfig(NEEDED).ALLOW_PRIVATE_NETWORKS).toBe(false)
    expect(readConfig({ ...NEEDED, ALLOW_PRIVATE_NETWORKS: 'true' }).ALLOW_PRIVATE_NETWORKS).toBe(true)
  })

  test('production refuses to start with it open', () => {
    const message = faultOf({ ALLOW_PRIVATE_NETWORKS: 'true', NODE_ENV: 'production' })
    expect(message).toMatch(/^ALLOW_PRIVATE_NETWORKS is "true"/)
    expect(faultOf({ ALLOW_PRIVATE_NETWORKS: 'false', NODE_ENV: 'production' })).toBe('')
    expect(faultOf({ NODE_ENV: 'production' })).toBe('')
  })

  test('a word that means neither is refused', () => {
    expect(faultOf({ ALLOW_PRIVATE_NETWORKS: 'maybe' })).toMatch(/^ALLOW_PRIVATE_NETWORKS is "maybe"/)
  })
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
    expect(faultOf({ MAILBOX_DIR: '/tmp', NODE_ENV: 'production' })).toMatch(/^MAILBOX_DIR is "\/tmp"/)
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

  test('it is off where nothing is said of it, and Amazon’s own where there is only a bucket', () => {
    expect(readConfig(NEEDED).S3_BUCKET).toBeUndefined()
    expect(readConfig({ ...NEEDED, S3_BUCKET: 'guildhall' })).toMatchObject({ S3_REGION: 'us-east-1' })
    expect(faultOf(S3)).toBe('')
  })

  test('what is half said, or wrong, is refused by name, and a secret never shown', () => {
    expect(faultOf({ ...S3, S3_BUCKET: '' })).toMatch(/^S3_BUCKET is not set/)
    expect(faultOf({ ...S3, S3_BUCKET: 'Not A Bucket' })).toMatch(/^S3_BUCKET is "Not A Bucket"/)
    expect(faultOf({ ...S3, S3_ENDPOINT: 'localhost:9000' })).toMatch(/^S3_ENDPOINT is "localhost:9000"/)
    expect(faultOf({ ...S3, S3_SECRET_ACCESS_KEY: '' })).toMatch(/^S3_SECRET_ACCESS_KEY is not set/)
    expect(faultOf({ ...S3, S3_ACCESS_KEY_ID: '' })).toMatch(/^S3_ACCESS_KEY_ID is not set/)
    expect(faultOf({ ...S3, S3_BUCKET: '', S3_REGION: 'x' })).not.toContain('hush')
  })
})
