import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { GenericContainer } from 'testcontainers'
import { parseConfig } from '#platform/parse-config.ts'
import { clientFor } from '#platform/storage/s3-client.ts'
import { TEST_SECRET_KEY } from '../provided.ts'
import type { S3Environment } from './s3.ts'

/**
 * VersityGW: it shares no line with the server in this process and speaks all of the protocol that `Objects` does.
 * MinIO does not: it lists begun uploads by their whole key only, never by a prefix (minio/minio#20989).
 */
const IMAGE = 'versity/versitygw:v1.7.0'
const PORT = 7070
/** Attributes in files of their own: not every file system that containers are kept on takes them. */
const START = 'mkdir /objects /attributes && exec versitygw posix --sidecar /attributes /objects'

const BUCKET = 'guildhall'
const ACCESS_KEY_ID = 'guildhall'
const SECRET = 'a secret for tests only'

/** Starts an S3 server in a container: use it inside `describeWithDocker`. The image is fetched where it is missing. */
export async function startS3Container(): Promise<S3Environment> {
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ ROOT_ACCESS_KEY_ID: ACCESS_KEY_ID, ROOT_SECRET_ACCESS_KEY: SECRET })
    .withEntrypoint(['sh', '-c', START])
    .withExposedPorts(PORT)
    .start()
  const environment = {
    S3_ENDPOINT: `http://${container.getHost()}:${container.getMappedPort(PORT)}`,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: SECRET,
  }
  const settings = parseConfig({
    DATABASE_URL: 'postgres://nowhere/none',
    SECRET_KEY: TEST_SECRET_KEY,
    ...environment,
  })
  const client = clientFor(settings, settings.S3_ENDPOINT)
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  return {
    environment,
    keys: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }))
      return Contents.map(({ Key = '' }) => Key).sort()
    },
    unfinished: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }))
      return Uploads.length
    },
    close: async () => {
      client.destroy()
      await container.stop()
    },
  }
}
