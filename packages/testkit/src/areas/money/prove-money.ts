import { expect } from 'vitest'
import { RULES } from '#areas/proof/rules.ts'
import { type Breach, findBreaches, type MoneyProof, proveMoney } from '#areas/proof/service.ts'

/** Asks the database as its owner. */
interface Owner {
  query<T extends object>(text: string, values?: unknown[]): Promise<{ rows: T[] }>
}

/** The tenants that tests of this file have made, by the database. */
const made = new WeakMap<Owner, Set<string>>()
/** Tenants whose data a test has made wrong. */
const wrong = new Set<string>()

/** Has the money of a tenant proved when the file is done. */
export function proveLater(owner: Owner, projectId: string): void {
  const known = made.get(owner) ?? new Set()
  made.set(owner, known.add(projectId))
}

/** Leaves a tenant out of it, whose data a test makes wrong by itself. */
export const leaveUnproven = ({ projectId }: { projectId: string }): void => void wrong.add(projectId)

/** What the proof says of tenants, and which of their data breaks a rule. */
export async function askProof(
  owner: Owner,
  projectIds: readonly string[],
): Promise<MoneyProof & { readonly breaches: readonly Breach[] }> {
  return { ...(await proveMoney(owner, projectIds)), breaches: await findBreaches(owner, projectIds) }
}

const HINTS = new Set(RULES.filter(({ isHint }) => isHint).map(({ name }) => name))

/** Tests of these areas leave no money that does not add up. */
const OF_MONEY = /areas\/src\/(billing|entitlements|proof|shop)\//

/**
 * Proves the money of all tenants that the tests of this file have made: every file that closes its API ends with it.
 * @throws Error that has the sums
 */
export async function proveMade(owner: Owner): Promise<void> {
  const projectIds = [...(made.get(owner) ?? [])].filter((id) => !wrong.has(id))
  made.delete(owner)
  if (projectIds.length === 0 || !OF_MONEY.test(expect.getState().testPath ?? '')) return
  const { differences, breaches: all } = await askProof(owner, projectIds)
  const breaches = all.filter(({ rule }) => !HINTS.has(rule))
  if (differences.length > 0 || breaches.length > 0)
    throw new Error(`money does not add up: ${JSON.stringify({ differences, breaches }, null, 1)}`)
}
