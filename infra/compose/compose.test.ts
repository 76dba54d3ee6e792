import { expect, test } from 'vitest'
import { IN_FILES } from '#platform/files-as-values.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { readComposeFile } from './compose-file.ts'

const { text, secrets, waits, ...compose } = await readComposeFile()

test('the settings of the compose file start a process in production', () => {
  const variables = Object.entries(compose.variables)
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
  const ready = {
    migrate: { condition: 'service_completed_successfully' },
    pgbouncer: { condition: 'service_healthy' },
    redis: { condition: 'service_healthy' },
    bucket: { condition: 'service_completed_successfully' },
    mailpit: { condition: 'service_healthy' },
  }
  expect(waits).toEqual({
    postgres: {},
    redis: {},
    s3: {},
    mailpit: {},
    pgbouncer: { postgres: { condition: 'service_healthy' } },
    bucket: { s3: { condition: 'service_healthy' } },
    migrate: { postgres: { condition: 'service_healthy' } },
    api: ready,
    worker: ready,
  })
})
