import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import { parseId } from '#platform/ids.ts'
import type { RunningWorker } from '#platform/jobs/worker.ts'
import { fileOf, formOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import type { PostFile, StoredFile } from '../schema.ts'

let env: StorageEnvironment
let side: Side
let forum: Forum
let worker: RunningWorker
withStorage(async (opened) => {
  env = opened
  side = env.side
  forum = new Forum(side)
  await forum.category({ name: 'General' })
  worker = env.work()
})
afterAll(() => worker.stop())

/** No credential. */
const ANYBODY = { headers: {} }
const MIB = 1024 * 1024

interface Shown {
  readonly id: string
  readonly status?: string
  readonly attachments: readonly string[]
  readonly files?: PostFile[]
}

const upload = async (client: Client, file: File, fields: Record<string, string> = {}): Promise<StoredFile> =>
  taken(
    await client.post<{ data: StoredFile }>('/storage/files', undefined, await formOf({ ...fields, file })),
  ).data
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
/** What whoever reads a post is given of its files. */
const filesOf = async (path: string, client: Client): Promise<PostFile[]> =>
  taken(await client.get<{ data: Shown }>(`${path}?include=attachments`)).data.files ?? []
const start = ({ client }: Visitor, input: object) => forum.start({ client }, input)

const jobsDone = async (name: string, files: readonly string[]) =>
  (
    await env.sql(
      `select distinct payload ->> 'file_id' from jobs where name = $1 and state = 'done' and payload ->> 'file_id' = any ($2)`,
      [name, files.map((id) => parseId('file', id))],
    )
  ).length

describe('pictures', () => {
  /** The picture of a new post, as soon as it is measured. */
  async function shownPicture(bytes: Buffer, name = 'a.jpg'): Promise<PostFile> {
    const author = await forum.join()
    const file = await upload(author.client, fileOf(bytes, name, 'image/jpeg'))
    const { id } = await start(author, { attachments: [file.id] })
    await expect
      .poll(async () => (await filesOf(`/discussions/${id}`, author.client))[0]?.preview, SOON)
      .not.toBeNull()
    const [shown] = await filesOf(`/discussions/${id}`, author.client)
    if (shown === undefined) throw new Error('the post has no file')
    return shown
  }
  const previewOf = async ({ preview }: PostFile) => {
    const answer = await env.read({ url: preview?.url ?? '' }, ANYBODY)
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { answer, bytes, is: await sharp(bytes, { animated: true }).metadata() }
  }

  test('have their measures as they are shown, and a preview without the place where they were taken', async () => {
    const taken = await picture(1_200, 600)
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const shown = await shownPicture(taken)
    expect(shown).toMatchObject({ width: 600, height: 1_200, preview: { width: 320, height: 640 } })
    const { answer, is, bytes } = await previewOf(shown)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length)
    expect([is.width, is.height, is.exif, is.orientation]).toEqual([320, 640, undefined, undefined])
    // The file itself stays as it was uploaded.
    const whole = await env.read({ url: shown.url }, ANYBODY)
    expect(Buffer.from(await whole.arrayBuffer()).equals(taken)).toBe(true)
  })

  test.each(['gif', 'webp'] as const)(
    'that move (%s) have a preview of their first image',
    async (format) => {
      const frames = Buffer.concat([Buffer.alloc(40 * 20 * 3, 200), Buffer.alloc(40 * 20 * 3, 20)])
      const moving = sharp(frames, { raw: { width: 40, height: 40, channels: 3, pageHeight: 20 } } as never)
      const shown = await shownPicture(await moving[format]({ delay: [100, 100] }).toBuffer(), `a.${format}`)
      expect(shown).toMatchObject({ width: 40, height: 20, preview: { width: 40, height: 20 } })
      expect((await previewOf(shown)).is.pages ?? 1).toBe(1)
    },
  )

  test('that say they have billions of pixels, are cut off, or are pages or drawings have no preview, and do no harm', async () => {
    const png = await picture(1, 1).png().toBuffer()
    const huge = Buffer.from(png)
    // The head of a PNG: its width and height.
    huge.writeUInt32BE(100_000, 16)
    huge.writeUInt32BE(100_000, 20)
    const big = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    )
    const page = Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), png])
    const polyglot = Buffer.concat([png, Buffer.from('<html><script>alert(1)</script>')])
    const files: readonly (readonly [string, Buffer])[] = [
      ['huge.png', huge],
      ['big.png', big],
      ['cut.png', (await picture(300, 300).png().toBuffer()).subarray(0, 60)],
      ['drawing.png', svg],
      ['page.png', page],
      ['../../etc/passwd.png', polyglot],
    ]
    const author = await forum.join()
    const ids: string[] = []
    for (const [name, bytes] of files)
      ids.push((await upload(author.client, fileOf(bytes, name, 'image/png'))).id)
    const { id } = await start(author, { attachments: ids })
    // The drawing and the page are no pictures.
    await expect.poll(() => jobsDone('storage.make-preview', ids), SOON).toBe(4)
    const shown = await filesOf(`/discussions/${id}`, author.client)
    expect(shown.map(({ name, preview }) => [name, preview !== null])).toEqual([
      ...[
        ['huge.png', false],
        ['big.png', false],
        ['cut.png', false],
        ['drawing.png', false],
        ['page.png', false],
      ],
      ['passwd.png', true],
    ])
    const headers = async (i: number) => {
      const { headers } = await env.read({ url: shown[i]?.url ?? '' }, ANYBODY)
      return [headers.get('content-disposition')?.split(';')[0], headers.get('x-content-type-options')]
    }
    expect(await headers(3)).toEqual(['attachment', 'nosniff'])
    expect(await headers(4)).toEqual(['attachment', 'nosniff'])
    expect(await headers(5)).toEqual(['inline', 'nosniff'])
    expect(shown[5]?.content_type).toBe('image/png')
  })

  test('become the picture of a member only if they can be read to their end, before a preview is made, too', async () => {
    const { client } = await forum.join()
    const choose = async (bytes: Buffer) => {
      const { id } = await upload(client, fileOf(bytes, 'me.png', 'image/png'), { purpose: 'avatar' })
      const chosen = await client.patch<{ details?: { rule: string }[] }>('/user/profile', {
        avatar_file_id: id,
      })
      return [chosen.status, chosen.body.details?.[0]?.rule]
    }
    const made = {
      create: {
        width: 64,
        height: 64,
        channels: 3 as const,
        background: 'teal',
        noise: { type: 'gaussian' as const, mean: 128, sigma: 30 },
      },
    }
    for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
      const whole = await sharp(made).toFormat(format).toBuffer()
      expect([format, await choose(whole)]).toEqual([format, [200, undefined]])
      const cut = whole.subarray(0, Math.floor(whole.length * 0.9))
      expect([format, await choose(cut)]).toEqual([format, [422, 'picture']])
    }
  })

  test('deleted while their preview is made leave nothing behind', async () => {
    const author = await forum.join()
    const bytes = await sharp({
      create: {
        width: 3_000,
        height: 3_000,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .jpeg()
      .toBuffer()
    expect(bytes.length).toBeLessThan(25 * MIB)
    const file = await upload(author.client, fileOf(bytes, 'a.jpg'))
    taken(await side.admin.delete<object>(`/storage/files/${file.id}`))
    await expect.poll(() => jobsDone('storage.make-preview', [file.id]), SOON).toBe(1)
    // A preview that came too late is removed by another job.
    const stored = async () =>
      (await env.s3.keys()).filter((key) => key.includes(parseId('file', file.id) ?? ''))
    await expect.poll(stored, SOON).toEqual([])
  })
})
