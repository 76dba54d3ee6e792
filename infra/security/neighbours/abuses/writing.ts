/** Bodies that are hard to read, to check and to turn into something else. */
import { type Abuse, posting, repeat } from '../abuse.ts'

const ONE_MIB = 1_048_576

/** As many wildcards as a rule may have, and paths that nearly match. */
const pageChecks: Abuse = {
  name: 'page checks in batches with thousands of rules',
  inShortForm: true,
  prepare: async (site, size) => {
    await site.owner.query(
      `insert into content_rules (project_id, id, url_pattern, created_at, updated_at)
       select $1, gen_random_uuid(), repeat('/*/a', 9) || '/*/' || n, now(), now() from generate_series(1, $2::int) n`,
      [site.projectId, Math.ceil(4_990 * size)],
    )
    // Written as every customer writes it, so that all rules are read anew.
    await site.make('/member-content', { url_pattern: '/**/a/**/a/**/a/**/a/**/a/b' })
    const url = '/a'.repeat(1_000)
    const checks = Array.from({ length: 100 }, (_, n) => ({ url: `${url}/${n}{n}` }))
    return [posting(site, '/member-content/check/batch', { checks })]
  },
}

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
    const boundary = 'neighbours'
    const part = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n`
    const rows = `email,full_name\n${'"not, an address,"",\n'.repeat(50_000)}`
    const headers = {
      authorization: site.authorization,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    }
    const request = { method: 'POST', path: '/members/imports', headers } as const
    return [rows, 'email,full_name\nno-address,X\n'.repeat(30_000)].map((text) => ({
      ...request,
      body: `${part}${text}\r\n--${boundary}--\r\n`,
    }))
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

export const writingAbuses: readonly Abuse[] = [
  pageChecks,
  tables,
  largestBodies,
  manyKeys,
  garbageImports,
  certificates,
]
