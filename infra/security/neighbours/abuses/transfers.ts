/** Files and exports, and clients that take or send them by the byte. */
import { loadMembers } from '../../../bench/data.ts'
import { type Abuse, multipart, part, posting, reading, type Site } from '../abuse.ts'

const MIB = 1_048_576

const upload = (site: Site, mib: number): Promise<string> =>
  site.upload('/storage/files', new Blob([new Uint8Array(Math.ceil(mib * MIB))]))

const ranges: Abuse = {
  name: 'ranges and conditional GETs',
  inShortForm: true,
  prepare: async (site, size) => {
    const path = `/storage/files/${await upload(site, 20 * size)}/content`
    const many = Array.from({ length: 200 }, (_, n) => `${n * 2}-${n * 2}`).join(',')
    const etags = Array.from({ length: 500 }, (_, n) => `"${n}{n}"`).join(', ')
    const member = `/members/${await site.make('/members', { email: 'conditions@example.com' })}`
    return [
      reading(site, member, { 'if-none-match': etags }),
      reading(site, '/members?limit=100', { 'if-none-match': etags }),
      reading(site, path, { 'if-range': '"none"', range: 'bytes=0-0' }),
      reading(site, path, { range: 'bytes=0-0' }),
      reading(site, path, { range: `bytes=${many}` }),
      reading(site, path, { range: 'bytes=-1000' }),
      reading(site, path, { range: 'bytes=0-', 'if-none-match': etags }),
    ]
  },
}

const slowDownloads: Abuse = {
  name: 'downloads by the byte',
  connections: 100,
  manner: 'slow-download',
  inShortForm: true,
  prepare: async (site, size) => {
    await loadMembers(site.owner, [site], part(size, 50_000))
    return [
      reading(site, `/storage/files/${await upload(site, 20 * size)}/content`),
      reading(site, '/members/export'),
      reading(site, '/members?limit=100'),
    ]
  },
}

const slowHeads: Abuse = {
  name: 'heads of requests by the byte',
  connections: 200,
  manner: 'slow-head',
  prepare: async (site) => [reading(site, '/members')],
}

const slowBodies: Abuse = {
  name: 'bodies by the byte',
  connections: 200,
  manner: 'slow-upload',
  prepare: async (site) => [posting(site, '/members', { email: 'slow{n}@example.com' })],
}

const slowFiles: Abuse = {
  name: 'uploads by the byte',
  connections: 100,
  manner: 'slow-upload',
  prepare: async (site) => [
    multipart(site, '/storage/files', {
      ...{ name: 'a.bin', type: 'application/octet-stream' },
      content: 'x'.repeat(100_000),
    }),
  ],
}

const exportsAbuse: Abuse = {
  name: 'exports',
  prepare: async (site, size) => {
    await loadMembers(site.owner, [site], Math.ceil(50_000 * size))
    const form = await site.make('/forms', {
      name: 'Exported',
      type: 'custom',
      fields: [{ id: 'text', type: 'textarea', label: 'Text' }],
    })
    await site.send('POST', `/forms/${form}/publish`)
    return [
      reading(site, '/members/export'),
      reading(site, '/members/export?search=e'),
      posting(site, `/forms/${form}/exports`, { format: 'csv' }),
    ]
  },
}

export const transferAbuses: readonly Abuse[] = [
  ranges,
  slowDownloads,
  slowHeads,
  slowBodies,
  slowFiles,
  exportsAbuse,
]
