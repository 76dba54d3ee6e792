/** The requests that are measured. */
import type { Load } from '../load.ts'
import type { Variant, Variants } from './variants.ts'

export interface Case {
  readonly name: string
  /** What each variant reaches, as a share of the bare one's requests per second. */
  readonly goals: Partial<Record<keyof Variants, number>>
  /** The request, for one variant. */
  load(variant: Variant): Pick<Load, 'method' | 'paths' | 'body'>
}

export const LIST_QUERY = 'status=inactive&sort=created_at&order=desc&limit=20'
const NEW_MEMBER = JSON.stringify({
  email: 'new-{n}@example.com',
  full_name: 'New Member {n}',
  metadata: { company: 'Company {n}', seats: 5 },
})
const CHANGE = JSON.stringify({ metadata: { visits: '{n}', plan: 'gold' } })

/** @param members those that are read and changed */
export function casesOf(members: readonly { id: string; uuid: string }[]): Case[] {
  const membersOf = ({ prefix, ids }: Variant) => members.map((member) => `${prefix}/members/${member[ids]}`)
  const collectionOf = ({ prefix }: Variant) => [`${prefix}/members`]
  return [
    {
      name: 'GET one member',
      goals: { inProcess: 0.8, redis: 0.65 },
      load: (variant) => ({ method: 'GET', paths: membersOf(variant) }),
    },
    {
      name: 'GET a page of 20, filtered and sorted, with its exact total',
      goals: { inProcess: 0.95, redis: 0.95 },
      load: (variant) => ({ method: 'GET', paths: [`${collectionOf(variant)[0]}?${LIST_QUERY}`] }),
    },
    {
      name: 'POST a member',
      goals: { inProcess: 0.6, redis: 0.6 },
      load: (variant) => ({ method: 'POST', paths: collectionOf(variant), body: NEW_MEMBER }),
    },
    {
      name: "PATCH a member's metadata",
      goals: { inProcess: 0.6, redis: 0.6 },
      load: (variant) => ({ method: 'PATCH', paths: membersOf(variant), body: CHANGE }),
    },
  ]
}
