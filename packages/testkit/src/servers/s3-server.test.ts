import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parseConfig } from '#platform/parse-config.ts'
import { Objects } from '#platform/storage/objects.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { TEST_SECRET_KEY } from '../provided.ts'
import { startS3Server } from './s3-server.ts'
import { ACCESS_KEY_ID } from './s3-signature.ts'

test('a removed object leaves its folders, in which another request may be storing an object', async () => {
  const directory = await mkdtemp(join(inject('servers').runFolder, 's3-'))
  const server = await startS3Server({ directory, bucket: 'one', secretAccessKey: 'secret', port: 0 })
  onTestFinished(() => server.close())
  const config = parseConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SECRET_KEY: TEST_SECRET_KEY,
    S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
    S3_BUCKET: 'one',
    S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: 'secret',
  })
  const objects = new Objects(config, makeLog('silent', 'test'))
  onTestFinished(() => objects.close())
  async function* bytes() {
    yield Buffer.from('x')
  }
  await objects.put('project/imports/a/file', bytes())
  await objects.removeBelow('project/imports/a/')
  expect(await objects.sizeOf('project/imports/a/file')).toBeUndefined()
  expect(await readdir(join(directory, 'one/project/imports/a'))).toEqual([])
})
