import { stat } from 'node:fs/promises'
import { invalidField } from '#platform/errors.ts'
import { unzipFile } from './unzip-file.ts'
import { inWorkFolder } from './work-folder.ts'

/**
 * Works with the folder of an export, which a ZIP is unpacked into for as long as it lasts.
 * @param path of a folder or a ZIP
 * @throws ApiError 422 where there is neither, or the ZIP cannot be unpacked
 */
export async function withArchive<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const found = await stat(path).catch((error) => {
    throw invalidField('from', 'exists', 'is neither a folder nor a ZIP that can be read', error)
  })
  if (found.isDirectory()) return work(path)
  return inWorkFolder(async (place) => work(await unzipFile(path, place)))
}
