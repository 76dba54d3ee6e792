/** Where the bytes of a file are. Keys are made of ids, and whoever knows a name knows no key. */

/** All that belongs to a file. */
export const prefixOf = (projectId: string, fileId: string): string => `${projectId}/${fileId}/`

/** Where its bytes are for good. Written once, and by us alone. */
export const objectKey = (projectId: string, fileId: string, objectId: string): string =>
  prefixOf(projectId, fileId) + objectId

/** Where a client puts them that sends them past us, for as long as its URL works. */
export const uploadKey = (projectId: string, fileId: string): string => `${prefixOf(projectId, fileId)}upload`
