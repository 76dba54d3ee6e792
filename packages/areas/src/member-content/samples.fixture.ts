import { newUuid } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'

/** What the paths of member content name. */
export const samples = {
  rule: protectPage,
}

/** A rule that protects a page nobody asks for. */
async function protectPage(side: Side): Promise<{ id: string }> {
  const url_pattern = `/members/${newUuid()}`
  return (await side.admin.post<{ content: { id: string } }>('/member-content', { url_pattern })).body.content
}
