import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { newFolder, type ZipEntry, zipOf } from './transfer.fixture.ts'
import { unzipFile } from './unzip-file.ts'

test('a ZIP that would fill the disk, has two files of one name or lies about a size is refused, and a link in it leads nowhere', async () => {
  const to = await newFolder()
  const twice = await zipOf([
    ['manifest.json', '{}'],
    ['manifest.json', '{}'],
  ])
  await expect(unzipFile(twice, to)).rejects.toMatchObject({
    details: [{ rule: 'zip', message: 'is no ZIP that can be unpacked: it has two files of one name' }],
  })
  await rm(to, { recursive: true })

  // A link is a file with the name of its target in it.
  const zip = new ZipFile()
  const link = join(await newFolder(), 'manifest.json')
  await symlink('/etc/passwd', link)
  zip.addBuffer(Buffer.from('/etc/passwd'), 'manifest.json', { mode: 0o120777 })
  zip.end()
  const path = join(dirname(link), 'link.zip')
  await writeFile(path, await buffer(zip.outputStream))
  await mkdir(to, { recursive: true })
  await unzipFile(path, to)
  expect(await readFile(join(to, 'manifest.json'), 'utf8')).toBe('/etc/passwd')

  const unpackInto = async (entries: readonly ZipEntry[], bytes: number, files: number) => {
    const empty = await newFolder()
    await unzipFile(await zipOf(entries), empty, { bytes, files, block: 4_096 })
  }
  const tables = ['a', 'b', 'c'].map((name): ZipEntry => [`live/${name}.ndjson`, ''])
  const tooLarge = { details: [{ rule: 'size' }] }
  // Three files and a folder.
  await unpackInto(tables, 16_384, 4)
  await expect(unpackInto(tables, 16_384, 3)).rejects.toMatchObject(tooLarge)
  await expect(unpackInto(tables, 16_383, 4)).rejects.toMatchObject(tooLarge)
  const deep: ZipEntry[] = [[`files/${'a/'.repeat(11)}b`, '']]
  await unpackInto(deep, 13 * 4_096, 13)
  await expect(unpackInto(deep, 13 * 4_096, 12)).rejects.toMatchObject(tooLarge)
  await expect(unpackInto(deep, 12 * 4_096, 13)).rejects.toMatchObject(tooLarge)
  await expect(unpackInto([['live/a.ndjson', 'x'.repeat(100_000)]], 100_000, 3)).rejects.toMatchObject(
    tooLarge,
  )
  await expect(unzipFile(await lying(), await newFolder())).rejects.toMatchObject({
    details: [{ rule: 'zip', message: expect.stringContaining('too many bytes in the stream') }],
  })
})

/** A ZIP whose only entry has more bytes than it says. */
async function lying(): Promise<string> {
  const path = await zipOf([['live/members.ndjson', 'x'.repeat(1_000)]])
  const bytes = await readFile(path)
  bytes.writeUInt32LE(10, bytes.lastIndexOf('PK\u0001\u0002', undefined, 'latin1') + 24)
  await writeFile(path, bytes)
  return path
}
