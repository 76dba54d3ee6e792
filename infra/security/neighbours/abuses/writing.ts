/** Bodies that are hard to read, to check and to turn into something else. */
import { type Abuse, multipart, posting, repeat } from '../abuse.ts'

const ONE_MIB = 1_048_576

const tables: Abuse = {
  name: 'Markdown with large tables',
  inShortForm: true,
  prepare: async (site) => {
    const author_id = await site.make('/members', { email: 'abuser@example.com' })
    await site.make('/discussion-categories', { name: 'General', slug: 'general' })
    const thread = (content: string) =>
      posting(site, '/discussions', { title: 'Table {n}', content, category: 'general', author_id })
    const wide = `|${'a|'.repeat(6_000)}\n|${'-|'.repeat(6_000)}\n|${'b|'.repeat(6_000)}`
    const long = `|a|b|\n|-|-|\n${'|\n'.repeat(20_000)}`
    return [thread(wide), thread(long), thread('*'.repeat(50_000)), thread('[a]('.repeat(12_000))]
  },
}

const largestBodies: Abuse = {
  name: 'bodies of 1 MiB',
  inShortForm: true,
  prepare: async (site) => {
    const email = 'large{n}@example.com'
    const filler = 'x'.repeat(ONE_MIB - 1_000)
    return [
      posting(site, '/members', { email, metadata: { filler } }),
      posting(site, '/members', { email, full_name: filler }),
      posting(site, '/members', { email, metadata: { list: Array.from({ length: 200_000 }, () => 1) } }),
      posting(site, '/members/bulk', {
        operations: Array.from({ length: 1_000 }, () => ({
          action: 'update',
          id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d',
          changes: { full_name: 'x'.repeat(900) },
        })),
      }),
    ]
  },
}

const manyKeys: Abuse = {
  name: 'JSON of many keys',
  prepare: async (site) => {
    const keys = Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`k${n}`, 1]))
    const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const request = posting(site, '/members', { email: 'keys{n}@example.com', ...keys })
    return [
      request,
      posting(site, '/members', { email: 'keys{n}@example.com', metadata: keys }),
      { ...request, body: `{"email":"keys{n}@example.com","metadata":${nested}}` },
    ]
  },
}

/** Files of which no row is a member. */
const garbageImports: Abuse = {
  name: 'imports of garbage',
  connections: 4,
  prepare: async (site) => {
    const rows = `email,full_name\n${'"not, an address,"",\n'.repeat(50_000)}`
    return [rows, 'email,full_name\nno-address,X\n'.repeat(30_000)].map((content) =>
      multipart(site, '/members/imports', { name: 'a.csv', type: 'text/csv', content }),
    )
  },
}

/** Each member's certificate, drawn the first time that it is asked for. */
const certificates: Abuse = {
  name: 'certificates as PDFs',
  connections: 16,
  prepare: async (site, size) => {
    const course_id = await site.make('/lms/courses', { title: 'First steps' })
    const module = await site.make(`/lms/courses/${course_id}/modules`, { title: 'Begin' })
    const lesson_id = await site.make(`/lms/modules/${module}/lessons`, { title: 'A lesson', type: 'text' })
    await site.send('POST', `/lms/courses/${course_id}/publish`)
    const made = await repeat(Math.ceil(200 * size), async (n) => {
      const student_id = await site.make('/members', {
        email: `student${n}@example.com`,
        full_name: `Student ${n}`,
      })
      const enrollment = await site.make('/lms/enrollments', { course_id, student_id })
      await site.send('POST', '/lms/progress', { course_id, student_id, lesson_id, completed: true })
      const path = `/lms/enrollments/${enrollment}`
      return (await site.send<{ certificate_id: string }>('GET', path)).certificate_id
    })
    return made.map((id) => ({
      method: 'GET',
      path: `/lms/certificates/${id}?format=pdf`,
      headers: { authorization: site.authorization },
    }))
  },
}

/** Each with a key of its own, which is kept for a day. */
const keyedPosts: Abuse = {
  name: 'POSTs with an Idempotency-Key each',
  prepare: async (site) => [
    posting(site, '/members', { email: 'keyed{n}@example.com' }, { 'idempotency-key': 'key-{n}' }),
    posting(site, '/members', { email: 'none' }, { 'idempotency-key': 'key-{n}' }),
  ],
}

/** As a site sends them: with a public key, from an address each. */
const pageViews: Abuse = {
  name: 'page views and batches of events',
  prepare: async (site) => {
    const authorization = await site.makeSiteKey()
    const headers = { authorization, 'x-forwarded-for': '2001:db8:4:{n}::1' }
    const url = `https://www.example.com/${'long/'.repeat(100)}{n}`
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`property${n}`, '{n}'.repeat(20)]),
    )
    const event = { type: 'event', name: 'clicked', url, properties }
    return [
      posting(site, '/analytics/pageview', { url }, headers),
      posting(site, '/analytics/batch', { events: Array.from({ length: 300 }, () => event) }, headers),
    ]
  },
}

export const writingAbuses: readonly Abuse[] = [
  tables,
  largestBodies,
  manyKeys,
  garbageImports,
  certificates,
  keyedPosts,
  pageViews,
]
