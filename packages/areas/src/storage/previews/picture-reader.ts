import { buffer } from 'node:stream/consumers'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import { isPicture, objectKey } from '../names.ts'
import { findFile } from '../queries.ts'
import { MOST_BYTES, readPicture } from './read-picture.ts'

/** Milliseconds that a picture waits for others to be read. */
const WAIT_MS = 15_000
/** Pictures that may wait. */
const WAITING = 20

/** Reads pictures to their end, one at a time: a large one takes much memory. Made once, where routes are. */
export function pictureReader({ objects }: { readonly objects: Objects }) {
  const turns = new FairSemaphore({
    ...{ slots: 1, waiting: WAITING, waitMs: WAIT_MS },
    busy: 'Too many pictures are being read now',
  })
  return {
    /**
     * Whether a file is a whole picture. One that a preview was made of was read to its end before.
     * @param id stored
     * @param caller the public id of whoever asks
     * @throws ApiError 503
     */
    async isWhole(data: ProjectData, id: string, caller: string): Promise<boolean> {
      const { file } = await data.read({ file: findFile({ id }) })
      if (file === undefined || file.object_id === null || !isPicture(file.content_type)) return false
      if (file.width !== null) return true
      if (file.size > MOST_BYTES) return false
      const key = objectKey(file.project_id, id, file.object_id)
      return turns.run({ projectId: file.project_id, caller }, async () => {
        const object = await objects.get(key)
        return object !== undefined && (await readPicture(await buffer(object.body))) !== undefined
      })
    },
  }
}
