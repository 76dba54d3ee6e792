import { markdownPage } from './markdown-page.ts'
import type { Sources } from './operation-parts.ts'
import { startPage } from './start-page.ts'

/** What is written by hand, in Markdown. */
export interface WrittenTexts {
  /** The list of guides. */
  readonly guideIndex: string
  /** By name, such as `first-member`, in the order of the list. */
  readonly guides: ReadonlyMap<string, string>
  /** About the client library. */
  readonly sdk: string
  readonly limits: string
  readonly versions: string
  readonly changelog: string
}

/** The pages that are written by hand. */
export function writtenPages(
  { guideIndex, guides, sdk, limits, versions, changelog }: WrittenTexts,
  sources: Sources,
) {
  const section = { title: 'Guides', path: '/docs/guides' }
  const guidePages = [...guides].map(([name, text]) =>
    markdownPage({ path: `/docs/guides/${name}`, kind: 'Guide', section }, linked(text)),
  )
  return {
    start: startPage(guidePages, sources),
    guideIndex: markdownPage({ path: '/docs/guides', kind: 'Guide' }, linked(guideIndex)),
    guides: guidePages,
    others: [
      markdownPage({ path: '/docs/sdk', kind: 'Page' }, linked(sdk)),
      markdownPage({ path: '/docs/limits', kind: 'Page' }, linked(limits)),
      markdownPage({ path: '/docs/versions', kind: 'Page' }, linked(versions)),
      markdownPage({ path: '/docs/changelog', kind: 'Page' }, linked(changelog)),
    ],
  }
}

/** Links between files of the repository, as links between pages. */
const linked = (text: string) =>
  text.replaceAll(/\]\((?:[\w./-]*\/)?([\w-]+)\.md(#[^)]*)?\)/g, (whole, name: string, anchor = '') => {
    const path =
      PATHS[name] ?? (whole.includes('guides/') || !whole.includes('/') ? `/docs/guides/${name}` : undefined)
    return path === undefined ? whole : `](${path}${anchor})`
  })

const PATHS: Readonly<Record<string, string>> = {
  sdk: '/docs/sdk',
  limits: '/docs/limits',
  versions: '/docs/versions',
  CHANGELOG: '/docs/changelog',
  README: '/docs/guides',
}
