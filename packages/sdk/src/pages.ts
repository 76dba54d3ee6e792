import type { Page, Pages } from './calls.ts'

/** A list whose first page is asked for when somebody waits for it. @param fetchPage asks for a page by its cursor */
export function pagesOf(fetchPage: (cursor: string | undefined) => Promise<Page<unknown>>): Pages<unknown> {
  let first: Promise<Page<unknown>> | undefined
  const begin = () => {
    first ??= fetchPage(undefined)
    return first
  }
  async function* pages() {
    let page = await begin()
    yield page
    while (page.next_cursor !== null) {
      page = await fetchPage(page.next_cursor)
      yield page
    }
  }
  async function* items() {
    for await (const { data } of pages()) yield* data
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is a promise of its first page.
    then: (done, failed) => begin().then(done, failed),
    catch: (failed) => begin().catch(failed),
    finally: (done) => begin().finally(done),
    pages,
    [Symbol.asyncIterator]: items,
    [Symbol.toStringTag]: 'Pages',
  }
}

/** The cursor of the header `Link` for the next page, or null. */
export function nextOf(link: string | null): string | null {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(link ?? '') ?? []
  return address === undefined ? null : new URL(address, 'http://localhost').searchParams.get('cursor')
}
