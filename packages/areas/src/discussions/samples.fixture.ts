import { makeCase, startDiscussion, writeComment } from '#testkit/areas/community.ts'
import type { Side } from '#testkit/factories.ts'

let made = 0

/** What the paths of discussions name. */
export const samples = {
  disc: (side: Side) => startDiscussion(side),
  cmt: (side: Side) => writeComment(side),
  dcat: async (side: Side) => {
    const name = `Category ${++made}`
    return (await side.admin.post<{ data: { id: string } }>('/discussion-categories', { name })).body.data
  },
  rep: makeCase,
}
