import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { invalidField } from '#platform/errors.ts'

/** Characters of a line: far more than a row can have. One that has no end would fill the memory. */
const LONGEST = 64 * 2 ** 20
/** Bytes that are read at a time. */
const CHUNK = 2 ** 20

/**
 * The lines of a file of an archive. Only a line feed ends one: texts have other separators of lines, such as U+2028, inside of their JSON.
 * @param longest characters of a line
 * @throws ApiError 422 where the file is not there, or a line is too long
 */
export async function* linesOf(folder: string, file: string, longest = LONGEST): AsyncGenerator<string> {
  let rest = ''
  try {
    const chunks = createReadStream(join(folder, file), { encoding: 'utf8', highWaterMark: CHUNK })
    for await (const chunk of chunks as AsyncIterable<string>) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (rest.length > longest)
        throw invalidField('from', 'readable', `has a line in ${file} that no export has written`)
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    throw invalidField('from', 'file', `lacks the file ${file}`, error)
  }
  if (rest !== '') yield rest
}

/** The object of a line. @throws ApiError 422 where it is none */
export function objectOf<T extends object>(line: string, file: string): T {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw invalidField('from', 'readable', `has a line in ${file} that no export has written`, error)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T
  throw invalidField('from', 'readable', `has a line in ${file} that no export has written`)
}
