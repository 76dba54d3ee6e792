import { setImmediate as nextTurn } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import type { Page } from './page.ts'

/** How pages are found; `assets/search.js` reads the index with the same options. */
const OPTIONS = {
  idField: 'path',
  fields: ['title', 'summary', 'words'],
  storeFields: ['title', 'summary', 'kind', 'section'],
}

/** Pages that are added in one turn of the event loop. */
const SLICE = 8

/** The index of all pages as JSON. It is made in slices, so that requests are answered in between. */
export async function searchIndexOf(pages: readonly Page[]): Promise<string> {
  const index = new MiniSearch(OPTIONS)
  for (const [i, page] of pages.entries()) {
    const { path, title, summary, kind, section } = page
    index.add({ path, title, summary, kind, section: section?.title ?? '', words: page.words() })
    if (i % SLICE === SLICE - 1) await nextTurn()
  }
  return JSON.stringify(index)
}
