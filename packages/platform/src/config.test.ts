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
