import type { Fetched } from './list-query.ts'

/** Cursors of the pages after the first one that were read, by what was asked for. */
const known = new Map<string, string[]>()

/**
 * A page of a list that the API pages by cursors alone. The pages before are read where they have not been read yet.
 * @param asked what chooses and sorts the rows
 * @param page from 1
 */
export async function numberedPage<Row>(
  asked: readonly unknown[],
  page: number,
  fetchPage: (cursor: string | undefined) => PromiseLike<Fetched<Row>>,
): Promise<Fetched<Row>> {
  const name = JSON.stringify(asked)
  const cursors = known.get(name) ?? []
  known.set(name, cursors)
  for (let at = Math.min(cursors.length, page - 1); ; at += 1) {
    const found = await fetchPage(at === 0 ? undefined : cursors[at - 1])
    if (found.next_cursor !== null) cursors[at] = found.next_cursor
    if (at === page - 1) return found
    if (found.next_cursor === null) return { data: [], next_cursor: null }
  }
}
