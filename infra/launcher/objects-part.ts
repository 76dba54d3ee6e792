/** The object storage: an embedded S3 server in the data folder, where none is given. */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { freePort } from '../ports.ts'
import type { DataFolder } from './data-folder.ts'
import type { Part } from './part.ts'
import { supervised } from './process-part.ts'

const SCRIPT = fileURLToPath(new URL('../s3/main.ts', import.meta.url))

/** Runs an S3 server whose objects are in the data folder, and tells later parts how to use it. */
export function embeddedObjects(folder: DataFolder): Part {
  let endpoint = ''
  const server = supervised({
    name: 's3',
    script: SCRIPT,
    logs: folder.logs,
    // It answers nobody who cannot sign, but it answers.
    isReady: async () => (await fetch(endpoint, { signal: AbortSignal.timeout(2_000) })).status === 403,
  })
  return {
    name: 'the object storage',
    async start(environment) {
      const port = String(await freePort())
      endpoint = `http://127.0.0.1:${port}`
      const settings = {
        S3_ENDPOINT: endpoint,
        S3_BUCKET: 'guildhall',
        S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
        S3_SECRET_ACCESS_KEY: createHmac('sha256', environment.SECRET_KEY ?? '')
          .update('embedded object storage')
          .digest('base64url'),
      }
      await server.start({
        ...environment,
        ...settings,
        PORT: port,
        OBJECTS_DIR: join(folder.path, 'objects'),
      })
      return settings
    },
    stop: (milliseconds) => server.stop(milliseconds),
  }
}
