import type { Options } from '@guildhall/sdk'

/** A thing as it was read, and its ETag, which a change of it is sent with. */
export interface Read<Thing> {
  readonly value: Thing
  readonly etag: string | undefined
}

/** Reads one thing with its ETag. @param read calls the operation with these options */
export async function readWithEtag<Thing>(
  read: (options: Pick<Options, 'onResponse'>) => Promise<Thing>,
): Promise<Read<Thing>> {
  let etag: string | undefined
  const value = await read({
    onResponse: ({ headers }) => {
      etag = headers.get('etag') ?? undefined
    },
  })
  return { value, etag }
}
