import { MONEY_QUERY, type Part } from './money-query.ts'
import { RULES } from './rules.ts'

/** Asks the database as guildhall_auditor, who reads the money of all projects. */
export interface Auditing {
  query<T extends object>(text: string, values?: unknown[]): Promise<{ rows: T[] }>
}

/** A member whose money does not add up in a currency: the parts, and their sum. Amounts are in the smallest unit. */
export type Difference = Readonly<Record<Part, number>> & {
  readonly project_id: string
  readonly member_id: string
  readonly currency: string
  /** Above zero: money is there that nothing was given for. Below zero: something was given that nobody paid for. */
  readonly difference: number
}

/** Something that breaks a rule. All ids are stored ones. */
export interface Breach {
  readonly rule: string
  readonly project_id: string
  readonly member_id: string
  /** What `id` is of: `payment`, `bill`, `order`, `subscription`, `discount`, `member`. */
  readonly type: string
  readonly id: string
}

export interface MoneyProof {
  /** How many sums, of a member in a currency, were proved. */
  readonly proved: number
  /** How many of them do not add up. */
  readonly different: number
  /** Those, up to a thousand. */
  readonly differences: readonly Difference[]
}

/**
 * Adds up what every member paid and what became of it: see MONEY_QUERY. One query.
 * @param projectIds only these; all where omitted
 */
export async function proveMoney(auditing: Auditing, projectIds?: readonly string[]): Promise<MoneyProof> {
  const { rows } = await auditing.query<MoneyProof>(MONEY_QUERY, [projectIds ?? null])
  return rows[0] as MoneyProof
}

/** The most breaches of one rule that an answer names. */
const NAMED = 1_000

/**
 * Finds data that breaks a rule about money.
 * @param projectIds only of these; of all where omitted
 */
export async function findBreaches(auditing: Auditing, projectIds?: readonly string[]): Promise<Breach[]> {
  const found: Breach[] = []
  for (const { name, query } of RULES) {
    const { rows } = await auditing.query<Omit<Breach, 'rule'>>(
      `select * from (${query}) found order by project_id, member_id, id limit ${NAMED}`,
      [projectIds ?? null],
    )
    found.push(...rows.map((row) => ({ rule: name, ...row })))
  }
  return found
}
