import { callConsole } from '../../data/console-api.ts'
import { useList } from '../../data/list-query.ts'

/** Something that was done with a project or in it. */
export interface AuditedAct {
  readonly at: string
  readonly environment: 'live' | 'test' | null
  readonly actor_kind: string
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly ip: string | null
  readonly action: string
  readonly target: string | null
  readonly reason: string | null
  readonly before: unknown
  readonly after: unknown
}

interface Page {
  readonly data: readonly AuditedAct[]
  readonly pagination: { readonly next_cursor: string | null }
}

/** Acts of both sides. The log has cursors and no pages: the address has the cursor of its page. */
export const useAuditLog = (project: string) =>
  useList('audit-log', async (_client, { page: _, limit, ...given }, signal) => {
    const query = new URLSearchParams({ limit: String(limit) })
    for (const [name, value] of Object.entries(given)) if (value) query.set(name, String(value))
    const path = `/projects/${project}/audit-log?${query}`
    const { data, pagination } = await callConsole<Page>('GET', path, { signal })
    return { data, next_cursor: pagination.next_cursor }
  })
