import { createHash } from 'node:crypto'
import type { Objects } from '#platform/storage/objects.ts'
import type { Move } from './move.ts'

/** Files that were copied. */
export interface CopiedFiles {
  readonly files: number
  readonly bytes: number
}

/** A copy is another one than its original. */
export class CopyFault extends Error {
  override name = 'CopyFault'
}

/** Copies the files that the other bucket lacks: an object never changes under its key. What was copied is read again and compared. */
export async function copyFiles({ source, target, sides }: Move): Promise<CopiedFiles> {
  let [files, bytes] = [0, 0]
  if (!source.objects.isSetUp) return { files, bytes }
  for (const side of sides) {
    const there = new Map<string, number>()
    for await (const { key, size } of target.objects.list(`${side}/`)) there.set(key, size)
    for await (const { key, size } of source.objects.list(`${side}/`)) {
      if (there.get(key) === size) continue
      const object = await source.objects.get(key)
      // It was removed a moment ago, after its row.
      if (object === undefined) continue
      const hash = createHash('sha256')
      const watched = async function* () {
        for await (const chunk of object.body as AsyncIterable<Buffer>) {
          hash.update(chunk)
          yield chunk
        }
      }
      await target.objects.put(key, watched())
      if (hash.digest('hex') !== (await hashOf(target.objects, key)))
        throw new CopyFault(`the copy of ${key} is another file than the original`)
      files += 1
      bytes += size
    }
  }
  return { files, bytes }
}

async function hashOf(objects: Objects, key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of ((await objects.get(key))?.body ?? []) as AsyncIterable<Buffer>)
    hash.update(chunk)
  return hash.digest('hex')
}
