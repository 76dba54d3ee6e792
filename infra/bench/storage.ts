/** `npm run bench -- storage`: what large files cost on their way through the API, in memory and in time. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { benchOf, memoize } from './cases.ts'
import { makeTenants, type Tenant } from './data.ts'
import { peakOf, residentMiB, serveApi } from './stage.ts'
import { download, makeContent, uploadThrough } from './transfers.ts'

const S3 = fileURLToPath(new URL('../s3/main.ts', import.meta.url))
const SECRET = 'for the bench alone'
/** MiB above idle that transfers through the API may take, whatever their size: 150 MB. */
const GOAL_MIB = 143
/** All that one process takes at a time: of two projects, each with a server of its own. */
const ALL = 32

export const benchStorage = benchOf({
  full: { mib: 1_024 },
  quick: { mib: 128 },
  async setUp({ rig, place }, { mib }) {
    const storage = { S3_BUCKET: 'bench', S3_SECRET_ACCESS_KEY: SECRET }
    const OBJECTS_DIR = join(rig.folder, 'objects')
    await mkdir(OBJECTS_DIR)
    const s3 = await rig.serve({ name: 's3', script: S3, environment: { ...storage, OBJECTS_DIR } })
    const tenants = await makeTenants(place, 2, ['read:storage', 'write:storage'])
    const [{ authorization }, others] = tenants as [Tenant, Tenant]
    const api = await serveApi(rig, 'api', {
      ...{ ...storage, S3_ENDPOINT: s3.origin, S3_ACCESS_KEY_ID: ACCESS_KEY_ID },
      ...{ UPLOAD_LIMIT_MIB: '2048', TRUST_PROXY: '127.0.0.1' },
    })
    const content = makeContent(mib)
    const small = makeContent(mib / ALL)
    const idle = await residentMiB(api)
    const uploaded = memoize(() => uploadThrough(api.origin, authorization, content))
    const transfers: Readonly<Record<string, () => Promise<unknown>>> = {
      'an upload': uploaded,
      'a download': async () => {
        const { id } = await uploaded()
        await download(`${api.origin}/api/v1/storage/files/${id}/content`, { authorization }, content)
      },
      [`${ALL} uploads at once`]: () =>
        Promise.all(
          Array.from({ length: ALL }, (_, i) => {
            const key = i % 2 ? authorization : others.authorization
            return uploadThrough(api.origin, key, small, `192.0.2.${1 + (i % 2)}`)
          }),
        ),
    }
    return Object.entries(transfers).map(([name, work]) => ({
      table: `Most memory for ${mib.toLocaleString('en')} MiB through the API, above its ${idle.toFixed(0)} MiB before`,
      ...{ name, unit: 'MiB', atMost: GOAL_MIB },
      measure: async () => (await peakOf(api, work)) - idle,
    }))
  },
})
