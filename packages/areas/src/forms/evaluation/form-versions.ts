import { LRUCache } from 'lru-cache'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { Field } from '../builder/field-schema.ts'
import { getVersion } from '../builder/queries.ts'
import { CompiledForm } from './compiled-form.ts'

/**
 * Bytes of the versions that are kept ready. Most forms take less than 100 KB, but one can be made of 1 MiB of choices: hundreds of
 * these would fill the heap of the process.
 */
const KEPT_BYTES = 48 * 1024 * 1024
/** Measured: of a version by itself, of a pattern, and of a character of the fields as JSON. */
const [VERSION_BYTES, PATTERN_BYTES, BYTES_OF_CHARACTER] = [10_000, 10_000, 2.5]

/** About how many bytes a version takes. */
function memoryOf(fields: readonly Field[]): number {
  const patterns = fields.filter(({ validation }) => validation?.pattern !== undefined).length
  return Math.ceil(
    VERSION_BYTES + PATTERN_BYTES * patterns + BYTES_OF_CHARACTER * JSON.stringify(fields).length,
  )
}

/** Versions of forms, compiled when they are first needed. They never change, so what is kept is never wrong. */
export class FormVersions {
  readonly #kept = new LRUCache<string, CompiledForm>({ maxSize: KEPT_BYTES })

  /**
   * A version of a form that the caller may see. Check access before calling.
   * @throws ApiError 404
   */
  async get(data: Pick<ProjectData, 'read'>, formId: string, version: number): Promise<CompiledForm> {
    const key = `${formId} ${version}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const { form } = await data.read({ form: getVersion({ formId, version }) })
    const compiled = new CompiledForm(version, form.fields, form.settings)
    this.#kept.set(key, compiled, { size: memoryOf(form.fields) })
    return compiled
  }
}
