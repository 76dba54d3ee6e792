/** The requests that are measured. */
import type { Load } from '../load.ts'
import type { Server } from '../rig.ts'

/** A server under measurement, and how it names things. */
export interface Variant {
  readonly name: string
  readonly server: Server
  readonly prefix: string
  readonly authorizations: readonly string[]
  readonly ids: Ids
}
export interface Ids {
  readonly threads: readonly string[]
  readonly items: readonly string[]
  readonly members: readonly string[]
}
export interface Case {
  readonly name: string
  /** What ours reaches, as a share of the bare one's requests per second. */
  readonly goal: number
  load(variant: Variant): Pick<Load, 'method' | 'paths' | 'body' | 'headers'>
}

/** What is searched for. */
export const WORDS = Array.from(
  { length: 2_000 },
  (_, n) => `word${String((n * 13) % 5_000).padStart(4, '0')}`,
)
export const CASES: readonly Case[] = [
  {
    name: 'GET a page of 20 discussions, with its total',
    goal: 0.8,
    load: ({ prefix }) => ({ method: 'GET', paths: [`${prefix}/discussions?limit=20`] }),
  },
  {
    name: 'GET a page of 20 comments of a discussion',
    goal: 0.8,
    load: ({ prefix, ids }) => ({
      method: 'GET',
      paths: ids.threads.map((id) => `${prefix}/discussions/${id}/comments?limit=20`),
    }),
  },
  {
    name: 'GET a search of the help center',
    goal: 0.8,
    load: ({ prefix }) => ({ method: 'GET', paths: WORDS.map((word) => `${prefix}/help/search?q=${word}`) }),
  },
  {
    name: 'PUT a vote for feedback',
    goal: 0.6,
    load: ({ prefix, ids }) => ({
      method: 'PUT',
      paths: ids.items.map((id) => `${prefix}/feedback/${id}/vote`),
      headers: { 'x-user-id': ids.members },
    }),
  },
  {
    name: 'POST a comment',
    goal: 0.6,
    load: (variant) => ({
      method: 'POST',
      paths: variant.ids.threads.map((id) => `${variant.prefix}/discussions/${id}/comments`),
      body: JSON.stringify({
        content: 'Mine is the **same**, number {n}.',
        author_id: variant.ids.members[0],
      }),
    }),
  },
]
