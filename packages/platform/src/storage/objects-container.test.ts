import { describeWithDocker } from '#testkit/docker.ts'
import { objectsSuite } from '#testkit/objects-suite.ts'
import { startS3Container } from '#testkit/s3-container.ts'

await describeWithDocker('storage on an S3 server in a container', () => objectsSuite(startS3Container))
