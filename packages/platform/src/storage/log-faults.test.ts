import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { tcpReceiver } from '#testkit/servers/receiver.ts'
import { startS3Server } from '#testkit/servers/s3-server.ts'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { SOON } from '#testkit/soon.ts'
import { logFaults } from './log-faults.ts'
import { clientFor } from './s3-client.ts'
import { S3Objects } from './s3-objects.ts'

/** A storage with a bucket, and what is logged of those who use it. */
async function storage() {
  const directory = await mkdtemp(join(inject('servers').runFolder, 's3-'))
  const server = await startS3Server({ directory, bucket: 'there', secretAccessKey: 'right', port: 0 })
  onTestFinished(() => server.close())
  const lines: string[] = []
  const log = pino(
    {},
    { write: (line: string) => lines.push(`${JSON.parse(line).err?.message} ${JSON.parse(line).msg}`) },
  )
  const open = (bucket: string, secret: string) => {
    const objects = new S3Objects(settings(server.port, secret), bucket, log)
    onTestFinished(() => objects.close())
    return objects
  }
  return { lines, open }
}

const settings = (port: number, secret: string) => ({
  S3_REGION: 'us-east-1',
  S3_ENDPOINT: `http://127.0.0.1:${port}`,
  S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY: secret,
})

async function* bytes() {
  yield Buffer.from('x')
}

test('a wrong secret is logged with the operation and the code of the storage', async () => {
  const { lines, open } = await storage()
  await expect(open('there', 'wrong').put('key', bytes())).rejects.toMatchObject({ status: 503 })
  expect(lines).toEqual([
    expect.stringMatching(/^PutObjectCommand: \w+ \(403\): .* the file storage is away$/),
  ])
})

test('a bucket that is not there is logged, by an upload and by the readiness probe', async () => {
  const { lines, open } = await storage()
  await expect(open('absent', 'right').put('key', bytes())).rejects.toMatchObject({ status: 503 })
  await expect(open('absent', 'right').ping()).rejects.toMatchObject({ status: 503 })
  expect(lines).toEqual([
    expect.stringMatching(/^PutObjectCommand: NoSuchBucket \(404\): .* the file storage is away$/),
    expect.stringMatching(/^HeadBucketCommand: NotFound \(404\): .* the file storage is away$/),
  ])
})

test('an object that is not there is no fault of the storage', async () => {
  const { lines, open } = await storage()
  expect(await open('there', 'right').sizeOf('nothing')).toBeUndefined()
  expect(await open('there', 'right').get('nothing')).toBeUndefined()
  expect(lines).toEqual([])
})

test('a storage that takes connections and answers nothing is logged while the operation still waits', async () => {
  const frozen = await tcpReceiver(() => undefined)
  onTestFinished(frozen.close)
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line).err.message) })
  const client = clientFor(settings(frozen.port, 'right'), settings(frozen.port, 'right').S3_ENDPOINT)
  const state = logFaults([client], log, 100)
  expect(state.isUp).toBeUndefined()
  const asked = client.send(new HeadObjectCommand({ Bucket: 'there', Key: 'key' })).catch(() => undefined)
  await expect.poll(() => lines, SOON).toEqual(['HeadObjectCommand has had no answer for 0.1 s'])
  expect(state.isUp).toBe(false)
  client.destroy()
  await frozen.close()
  await asked
})
