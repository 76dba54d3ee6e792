/** The S3 server of `npm start` and of the benches, a process of its own: S3rver on a folder, on loopback alone. */
import { startS3Server } from '#testkit/servers/s3-server.ts'

const { OBJECTS_DIR = '', S3_BUCKET = '', S3_SECRET_ACCESS_KEY = '', PORT } = process.env

const server = await startS3Server({
  directory: OBJECTS_DIR,
  bucket: S3_BUCKET,
  secretAccessKey: S3_SECRET_ACCESS_KEY,
  port: Number(PORT),
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => server.close().finally(() => process.exit(0)))
