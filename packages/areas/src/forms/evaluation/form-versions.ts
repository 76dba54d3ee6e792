import { LRUCache } from 'lru-cache'
import type { ProjectData } from '#platform/db/tenant.ts'
import { getVersion } from '../builder/queries.ts'
import { CompiledForm } from './compiled-form.ts'

/** Versions that are kept ready; one with 200 fields takes some 100 KB. */
const KEPT = 500

/** Versions of forms, compiled when they are first needed. They never change, so what is kept is never wrong. */
export class FormVersions {
  readonly #kept = new LRUCache<string, CompiledForm>({ max: KEPT })

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
    this.#kept.set(key, compiled)
    return compiled
  }
}
