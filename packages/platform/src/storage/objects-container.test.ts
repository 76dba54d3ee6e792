import { objectsSuite } from '#testkit/areas/storage/objects-suite.ts'
import { describeWithDocker } from '#testkit/servers/docker.ts'
import { startS3Container } from '#testkit/servers/s3-container.ts'

await describeWithDocker('storage on an S3 server in a container', () => objectsSuite(startS3Container))
