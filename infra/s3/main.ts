/**
 * The S3 server of `npm start` and of the benches, a process of its own: S3rver on a folder, on loopback alone. Where others have a storage on
 * machines of its own, it gives way to the processes beside it.
 */
import { giveWay } from '#platform/threads/low-priority.ts'
import { startS3Server } from '#testkit/servers/s3-server.ts'

giveWay()

const { OBJECTS_DIR = '', S3_BUCKET = '', S3_SECRET_ACCESS_KEY = '', PORT } = process.env

const server = await startS3Server({
  directory: OBJECTS_DIR,
  bucket: S3_BUCKET,
  secretAccessKey: S3_SECRET_ACCESS_KEY,
  port: Number(PORT),
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => server.close().finally(() => process.exit(0)))
