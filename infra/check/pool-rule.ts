/**
 * The access to the data: `pg`, the pools and batches belong to platform/db. Whoever else needs a connection stands here
 * with the reason; areas reach data through `read` and `write` of a request, a run or `asSystem` only.
 */
import { posix } from 'node:path'
import type { Source } from './sources.ts'

/** Files, or folders with a slash at the end. */
const ALLOWED: Readonly<Record<string, string>> = {
  'packages/platform/src/db/': 'reads, writes and copies',
  'packages/platform/src/migrate/': 'changes the schema, with the login of the owner',
  'packages/platform/src/change-feed.ts': 'listens to notifications, with the role of keys',
  'packages/platform/src/deps.ts': 'opens the pools of the API',
  'packages/platform/src/worker-deps.ts': 'opens the pools of the worker',
  'packages/platform/src/events/': 'the relay works on all projects, with a role of its own',
  'packages/platform/src/jobs/': 'claims, sweeps, housekeeping and the queue, with roles of their own',
  'packages/platform/src/keys/': 'keys are looked up before their project is known, with a role of its own',
  'packages/platform/src/tokens/': 'signing keys and ended sessions, with the role of keys',
  'packages/platform/src/requests/':
    'requests of all projects are logged by one statement, with the role of keys',
  'packages/platform/src/doctor/': 'looks at the server with the login of the owner, and at each login',
  'packages/platform/src/cells/':
    'cells are found before a project is known, with the role of keys, and kept by operators',
  'packages/platform/src/ops/': 'operators see all projects, with a role of their own',
  'packages/areas/src/projects/': 'operators make and list projects, with a role of their own',
  'packages/areas/src/webhooks/delivery/': 'claims deliveries of all projects, with a role of its own',
  'apps/cli/src/operator.ts': 'operators’ commands',
}
const FORBIDDEN =
  /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(pg|(?:#platform|[./]+)\/(?:[\w./-]*\/)?db\/(?:pool|batch)\.ts)\1/
const IS_TEST = /\.(test|fixture)\.tsx?$/

/** What is wrong with a file, or undefined. */
export function poolFault({ path, text }: Source): string[] | undefined {
  if (!/^(apps|packages\/(platform|areas)\/src)\//.test(path) || IS_TEST.test(path)) return undefined
  const isAllowed = Object.keys(ALLOWED).some((place) =>
    place.endsWith('/') ? path.startsWith(place) : path === place,
  )
  const imported = FORBIDDEN.exec(text)?.[2]
  if (isAllowed || imported === undefined) return undefined
  return [
    `must not import ${posix.basename(imported)}: data is reached by read and write of platform/db (infra/check/pool-rule.ts)`,
  ]
}
