import type { Guildhall } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useProject } from './list-query.ts'

/** The most ids that the API takes at once. */
const MOST = 100
const FRESH_MS = 60_000

interface Batch {
  readonly ids: Set<string>
  readonly names: Promise<ReadonlyMap<string, string>>
}
const waiting = new WeakMap<Guildhall, Batch>()

/** The name or the address of a member; those that a screen asks for at the same time are one request. */
async function nameOf(client: Guildhall, id: string): Promise<string | null> {
  let batch = waiting.get(client)
  if (batch === undefined || batch.ids.size >= MOST) {
    const ids = new Set<string>()
    batch = { ids, names: soon().then(() => askFor(client, ids)) }
    waiting.set(client, batch)
  }
  batch.ids.add(id)
  return (await batch.names).get(id) ?? null
}

/** After everything that is shown now has asked. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 0))

async function askFor(client: Guildhall, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  if (waiting.get(client)?.ids === ids) waiting.delete(client)
  const { data } = await client.members.list({ ids: [...ids].join(','), limit: MOST })
  return new Map(data.map((member) => [member.id, member.full_name || member.email]))
}

/** What a member is called. @returns null as the name of a member who was deleted, undefined until it is known */
export function useMemberName(id: string) {
  const { project, side, client } = useProject()
  const { data: name } = useQuery({
    queryKey: [project, side, 'members', 'name', id],
    queryFn: () => nameOf(client, id),
    staleTime: FRESH_MS,
  })
  return { name, params: { project, side } }
}
