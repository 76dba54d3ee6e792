/** The requests that are measured. */
import type { Load } from '../load.ts'
import type { Project } from './data.ts'
import type { Variant, Variants } from './variants.ts'

/** What is asked of one variant. */
export interface Asked {
  readonly name: string
  readonly variant: Variant
  /** What it reaches, as a share of the reference's requests per second, both in the same round. */
  readonly goal?: number
  /** Or how long half of its requests take at most, with one client. */
  readonly p50?: number
  readonly request: Pick<Load, 'method' | 'body' | 'headers' | 'expects'>
  /** The paths of one project. */
  paths(project: Project): readonly string[]
}

/** Requests that are compared with each other; the first one is the reference. */
export interface Case {
  readonly name: string
  readonly asked: readonly Asked[]
  /** Only one project is large enough, or the projects that are asked are others. */
  readonly of?: 'one' | 'limited'
}

export const LIST_QUERY = 'status=inactive&sort=created_at&order=desc&limit=20'
const NEW_MEMBER = JSON.stringify({
  email: 'new-{n}@example.com',
  full_name: 'New Member {n}',
  metadata: { company: 'Company {n}', seats: 5 },
})
const CHANGE = JSON.stringify({ metadata: { visits: '{n}', plan: 'gold' } })
const GET = { method: 'GET' } as const
const POST = { method: 'POST', body: NEW_MEMBER } as const
const KEYED = { ...POST, headers: { 'idempotency-key': ['key-{n}'] } }

/** @param variants what is measured side by side */
export function casesOf({ bare, withoutIsolation, inProcess, redis }: Variants): Case[] {
  const ours = [withoutIsolation, inProcess, ...(redis ? [redis] : [])]
  const one = (variant: Variant) => (project: Project) =>
    project.members.map((member) => `${variant.prefix}/members/${member[variant.ids]}`)
  const all = (variant: Variant, rest = '') => {
    const path = [`${variant.prefix}/members${rest}`]
    return () => path
  }
  /** The bare handler, and ours beside it. */
  const beside = (
    request: Asked['request'],
    paths: (variant: Variant) => Asked['paths'],
    goals: { inProcess: number; redis: number },
  ): Asked[] =>
    [bare, ...ours].map((variant) => ({
      name: variant.name,
      variant,
      request,
      paths: paths(variant),
      ...(variant === inProcess && { goal: goals.inProcess }),
      ...(variant === redis && { goal: goals.redis }),
    }))
  const alone = (name: string, rest: string, more: Partial<Asked> = {}): Asked => ({
    name,
    variant: inProcess,
    request: GET,
    paths: all(inProcess, rest),
    ...more,
  })
  return [
    { name: 'GET one member', asked: beside(GET, one, { inProcess: 0.9, redis: 0.75 }) },
    {
      name: 'GET a page of 20, filtered and sorted, with its exact total',
      asked: [
        ...beside(GET, (variant) => all(variant, `${variant === bare ? '/kept' : ''}?${LIST_QUERY}`), {
          inProcess: 0.95,
          redis: 0.95,
        }),
        { name: 'bare, which counts', variant: bare, request: GET, paths: all(bare, `?${LIST_QUERY}`) },
      ],
    },
    // Before the writes: they would make the one project twice as large.
    {
      name: 'Search',
      asked: [
        alone('one hit', '?limit=20&search=member-77777@', { p50: 20 }),
        alone('no hit', '?limit=20&search=qqxjzkwv', { p50: 20 }),
        alone('many hits', '?limit=20&search=example', { p50: 20 }),
      ],
    },
    {
      name: 'Pages of 20 of 100,000 members',
      of: 'one',
      asked: [alone('page 1', '?limit=20'), alone('page 5,000', '?limit=20&page=5000', { goal: 0.1 })],
    },
    { name: 'POST a member', asked: beside(POST, all, { inProcess: 0.75, redis: 0.75 }) },
    {
      name: "PATCH a member's metadata",
      asked: beside({ method: 'PATCH', body: CHANGE }, one, { inProcess: 0.7, redis: 0.7 }),
    },
    {
      name: 'POST a member with an Idempotency-Key',
      asked: [
        alone('without a key', '', { request: POST }),
        alone('with a key', '', { request: KEYED, goal: 0.75 }),
      ],
    },
    {
      name: 'GET one member, refused by its limit',
      of: 'limited',
      asked: [inProcess, ...(redis ? [redis] : [])].map((variant) => ({
        name: variant.name,
        variant,
        // One request of each minute passes.
        request: { ...GET, expects: [429, 404] },
        paths: () => [`${variant.prefix}/members/mem_none`],
      })),
    },
  ]
}
