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
