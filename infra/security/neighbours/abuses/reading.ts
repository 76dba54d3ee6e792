/** Large answers, deep pages and wide searches. */
import { loadMembers } from '../../../bench/data.ts'
import { type Abuse, part, posting, reading, repeat, type Site } from '../abuse.ts'

const LONGEST_TEXT = 50_000

/** A thread that is as large as its project can make it. */
const longComments: Abuse = {
  name: 'pages of long comments',
  inShortForm: true,
  prepare: async (site, size) => {
    const author_id = await site.make('/members', { email: 'abuser@example.com' })
    await site.make('/discussion-categories', { name: 'General', slug: 'general' })
    const thread = { title: 'Long', content: 'Long', category: 'general', author_id }
    const path = `/discussions/${await site.make('/discussions', thread)}/comments`
    const content = 'long words '.repeat(LONGEST_TEXT / 11)
    const comments = await repeat(Math.ceil(100 * size), () => site.make(path, { content, author_id }))
    await repeat(Math.ceil(400 * size), (n) =>
      site.make(path, { content, author_id, parent_id: comments[n % comments.length] }),
    )
    return [reading(site, `${path}?limit=100`)]
  },
}

const largeSubmissions: Abuse = {
  name: 'large submissions, listed',
  inShortForm: true,
  prepare: async (site, size) => {
    const ids = Array.from({ length: 6 }, (_, n) => `field${n}`)
    const fields = ids.map((id) => ({ id, type: 'textarea', label: id }))
    const form = await site.make('/forms', { name: 'Large', type: 'custom', fields })
    await site.send('POST', `/forms/${form}/publish`)
    const path = `/forms/${form}/submissions`
    const filled = Object.fromEntries(ids.map((id) => [id, 'y'.repeat(10_000)]))
    await repeat(Math.ceil(200 * size), () => site.make(path, { data: filled }))
    return [reading(site, `${path}?limit=100`), reading(site, `${path}?limit=100&search=y`)]
  },
}

/** Each view on a page of its own, over two months. */
const comparedReport: Abuse = {
  name: 'reports with a comparison',
  inShortForm: true,
  prepare: async (site, size) => {
    await loadViews(site, size)
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
    return [
      posting(site, '/analytics/query', {
        metrics: ['visitors', 'pageviews', 'bounce_rate'],
        dimensions: ['page', 'country', 'browser'],
        date_range: { start_date: day(29), end_date: day(0) },
        compare: 'previous',
        order_by: [{ field: 'visitors', direction: 'desc' }],
        limit: 100,
      }),
    ]
  },
}

const expressions: Abuse = {
  name: 'reports with slow patterns',
  prepare: async (site, size) => {
    await loadViews(site, size)
    return ['*/*a*/*b*/*c*/*d*/*', '*'.repeat(100), '/pages/*{n}'].map((pattern) =>
      posting(site, '/analytics/query', {
        metrics: ['pageviews'],
        dimensions: ['page'],
        filters: [
          { dimension: 'page', operator: 'matches', values: Array.from({ length: 100 }, () => pattern) },
        ],
      }),
    )
  },
}

const deepPages: Abuse = {
  name: 'deep pages',
  prepare: async (site, size) => {
    await loadMembers(site.owner, [site], Math.ceil(100_000 * size))
    await site.owner.query('analyze members')
    return [
      reading(site, '/members?page=900&limit=100'),
      reading(site, '/members?page=900&limit=100&sort=full_name&order=desc'),
    ]
  },
}

async function oneLetterSearches(site: Site, size: number) {
  await loadMembers(site.owner, [site], part(size, 100_000))
  await site.owner.query('analyze members')
  return [
    reading(site, '/members?search=e&limit=100'),
    reading(site, '/members?search=%25_%25_%25_&limit=100'),
    reading(site, '/discussions?search=e&limit=100'),
    reading(site, '/help/search?q=e'),
  ]
}

const oneLetter: Abuse = { name: 'searches of one letter', prepare: oneLetterSearches }

/** Many more at the same time than the API has connections to its database. */
const manySearches: Abuse = {
  name: 'searches over 64 connections',
  connections: 64,
  inShortForm: true,
  prepare: oneLetterSearches,
}

/** Of a property that has another value in every row. */
const properties: Abuse = {
  name: 'filters by properties with a million values',
  prepare: async (site, size) => {
    await loadMembers(site.owner, [site], Math.ceil(1_000_000 * size))
    await site.owner.query(
      "update members set metadata = metadata || jsonb_build_object('key', id::text) where project_id = $1",
      [site.projectId],
    )
    await site.owner.query('analyze members')
    return [
      reading(site, '/members?metadata.key=none-{n}&limit=100'),
      reading(site, '/members?metadata.none=none-{n}&limit=100&sort=full_name'),
    ]
  },
}

/** Views of 200,000 pages, each once. */
async function loadViews(site: Site, size: number): Promise<void> {
  await site.owner.query(
    `insert into analytics_events (id, at, received_at, visitor, bot, host, path, title, source, channel, country, device, browser, os)
       select gen_random_uuid(), at, at, n, false, 'www.example.com', '/pages/' || n, 'A page', 'Direct', 'Direct', 'DE', 'desktop', 'Chrome', 'Linux'
       from generate_series(1, $1::int) n, lateral (select now() - (n % 59 + 1) * interval '1 day' as at) t`,
    [Math.ceil(200_000 * size)],
  )
}

export const readingAbuses: readonly Abuse[] = [
  longComments,
  largeSubmissions,
  comparedReport,
  expressions,
  deepPages,
  oneLetter,
  manySearches,
  properties,
]
