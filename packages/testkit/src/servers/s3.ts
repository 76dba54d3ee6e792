import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startS3Server } from './s3-server.ts'
import { ACCESS_KEY_ID } from './s3-signature.ts'

const BUCKET = 'guildhall'
const SECRET = 'a secret for tests only'

/** A real S3 server of its own, empty, whatever it is made of. */
export interface S3Environment {
  /** The environment of a process that uses it. */
  readonly environment: Readonly<Record<string, string>>
  /** The keys of all objects. */
  keys(): Promise<string[]>
  /** How many uploads were begun and neither completed nor given up. */
  unfinished(): Promise<number>
  /** Stops it and removes what it holds. */
  close(): Promise<void>
}

/** One in this process, which can be made to fail. */
export interface TestS3 extends S3Environment {
  /** How many requests it is answering. */
  busy(): number
  /** Goes away, with what it holds, as an outage does; `start` brings it back. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts an S3 server in this process. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(inject('servers').runFolder, 's3-'))
  const options = { directory, bucket: BUCKET, secretAccessKey: SECRET }
  let server = await startS3Server({ ...options, port: 0 })
  const { port } = server
  const place = join(directory, BUCKET)
  return {
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
    keys: async () =>
      (await readdir(place, { recursive: true }))
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .sort(),
    unfinished: async () => (await readdir(join(place, '._S3rver_uploads')).catch(() => [])).length,
    busy: () => server.busy(),
    stop: () => server.close(),
    start: async () => {
      server = await startS3Server({ ...options, port })
    },
    close: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
