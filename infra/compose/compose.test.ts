import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { IN_FILES } from '#platform/files-as-values.ts'
import { parseConfig } from '#platform/parse-config.ts'

const text = await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
/** The lines below a key at the beginning of a line, without its comments. */
const below = (key: string): string[] => {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`${key}:`)) + 1
  const end = lines.findIndex((line, n) => n >= from && /^\S/.test(line))
  return lines.slice(from, end).filter((line) => !/^\s*#/.test(line))
}
const secrets = below('secrets').flatMap((line) => /^ {2}(\w+):/.exec(line)?.[1] ?? [])

test('the settings of the compose file start a process in production', () => {
  const variables = below('x-environment').flatMap((line) => {
    const [, name, value = ''] = /^ {2}(\w+): (.+)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')] as const]
  })
  const inFiles = variables.filter(([name]) => name.endsWith('_FILE'))
  const names = inFiles.map(([name]) => name.slice(0, -'_FILE'.length))
  expect(names).toEqual(['SECRET_KEY', 'OPS_TOKEN', 'S3_SECRET_ACCESS_KEY'])
  expect(IN_FILES).toEqual(expect.arrayContaining(names))
  for (const [, path] of inFiles) expect(secrets).toContain(path.replace('/run/secrets/', ''))
  const value = '0123456789abcdef'.repeat(3)
  const plain = variables.filter(([name]) => !name.endsWith('_FILE'))
  const environment = {
    ...Object.fromEntries(plain),
    ...Object.fromEntries(names.map((name) => [name, value])),
  }
  expect(parseConfig({ ...environment, NODE_ENV: 'production' })).toMatchObject({
    S3_BUCKET: 'guildhall',
    DATABASE_URL: 'postgres://owner@pgbouncer:6432/guildhall',
    DATABASE_DIRECT_URL: 'postgres://owner@postgres:5432/guildhall',
  })
})

test('no password has a default, every image has a version, and only this machine reaches what is open', () => {
  expect(text).not.toMatch(/\$\{\w*(PASSWORD|SECRET|TOKEN)\w*/)
  const images = [...text.matchAll(/^ {4}image: (\S+)$/gm)].map(([, image = '']) => image)
  expect(images.length).toBeGreaterThanOrEqual(6)
  for (const image of images) expect(image).toMatch(/:v?\d/)
  const ports = [...text.matchAll(/^ {6}- (\S*:\d+)$/gm)].map(([, port = '']) => port)
  expect(ports.length).toBeGreaterThanOrEqual(3)
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
})

test('each part is started when those before it are healthy or have done their work', () => {
  const conditions = [...text.matchAll(/^ {6}(\w+):\n {8}condition: (\w+)$/gm)].map(([, name, condition]) => [
    name,
    condition,
  ])
  expect(Object.fromEntries(conditions)).toEqual({
    postgres: 'service_healthy',
    pgbouncer: 'service_healthy',
    redis: 'service_healthy',
    s3: 'service_healthy',
    mailpit: 'service_healthy',
    bucket: 'service_completed_successfully',
    migrate: 'service_completed_successfully',
  })
})
