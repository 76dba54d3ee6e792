import { expect, test } from 'vitest'
import { completeLock, lockFaults } from './lock-file.ts'

const LOCK = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64': '1.2.3',
        '@tool/cli-linux-arm64-musl': '1.2.3',
        other: '^2.0.0',
      },
    },
    'node_modules/@tool/linux-x64': { version: '1.2.3', optional: true },
  },
}

test('an optional package that is not locked is a fault', () => {
  expect(lockFaults(LOCK)).toEqual([
    'package-lock.json lacks @tool/cli-linux-arm64-musl, optional for tool: npm ci would refuse it',
    'package-lock.json lacks other, optional for tool: npm ci would refuse it',
  ])
})

test('a package of another platform is completed from its name, one of no platform is left to a person', () => {
  const completed = completeLock(LOCK)
  expect(completed.packages['node_modules/@tool/cli-linux-arm64-musl']).toEqual({
    version: '1.2.3',
    cpu: ['arm64'],
    dev: true,
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  })
  expect(lockFaults(completed)).toHaveLength(1)
})

test('an address of a download is a fault', () => {
  const bound = {
    packages: { 'node_modules/a': { version: '1.0.0', resolved: 'https://example.com/a.tgz' } },
  }
  expect(lockFaults(bound)).toEqual([expect.stringContaining('node_modules/a')])
})
