import { sql } from 'kysely'
import { defineQuery, together } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { FieldFault } from '#platform/errors.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import type { ImportedMemberRow } from '../queries.ts'
import { createMembers } from '../service.ts'
import { type Candidate, METADATA_BYTES, METADATA_FAULT } from './candidate.ts'
import type { ImportedMember } from './schema.ts'

/** A row that creates no member, with the reasons. */
export interface FaultyRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly faults: readonly FieldFault[]
}

/** The result of some rows. */
export interface Outcome {
  /** In a dry run, the members that would have been created. */
  readonly created: number
  readonly faulty: readonly FaultyRow[]
}

const TAKEN: FieldFault = { field: 'email', rule: 'unique', message: 'another member has this email' }
const noPlan = (field: string): FieldFault => ({
  field,
  rule: 'exists',
  message: 'is not an active plan of this project',
})

/** Creates members of the rows that have no fault; in a dry run, finds the same faults and creates nobody. */
export async function importChunk(
  ctx: Context,
  candidates: readonly Candidate[],
  { dryRun }: { dryRun: boolean },
): Promise<Outcome> {
  const check = await makeChecker(ctx, candidates)
  const rows = new Map<Candidate, ImportedMemberRow>()
  const faulty: FaultyRow[] = []
  for (const candidate of candidates) {
    const { faults, row } = check(candidate)
    if (row !== undefined) rows.set(candidate, row)
    else faulty.push({ row: candidate.row, cells: candidate.cells, faults })
  }
  if (dryRun) return { created: rows.size, faulty }
  const created = await createMembers(ctx, [...rows.values()])
  // Another request took the address after it was checked.
  for (const [{ row, cells }, { id }] of rows)
    if (!created.has(id)) faulty.push({ row, cells, faults: [TAKEN] })
  return { created: created.size, faulty }
}

/** A row as it is to be inserted, or what is wrong with it. */
interface CheckedRow {
  readonly faults: readonly FieldFault[]
  readonly row?: ImportedMemberRow
}

/** Plans that a member can be on. */
const listActivePlans = defineQuery('plans_for_import', () =>
  query.selectFrom('plans').select(['id', 'slug', 'is_default']).where('status', '=', 'active'),
)

/** Which of these addresses, in lower case, live members have. */
const listTaken = defineQuery('taken_emails', (v: { keys: string[] }) =>
  query
    .selectFrom('members')
    .select('email_key')
    .where('email_key', '=', sql<string>`any (${v.keys}::text[])`)
    .where('deleted_at', 'is', null),
)

/** Which of these, counted from 1, PostgreSQL would spell longer than it keeps: numbers like 1e300. */
const listOversize = defineQuery('oversize_metadata', (v: { texts: string[] }) =>
  query
    .selectFrom(
      sql<{ place: number }>`unnest(${v.texts}::text[]) with ordinality`.as<'given'>(
        sql`given (metadata, place)`,
      ),
    )
    .select('given.place')
    .where(sql<boolean>`octet_length(given.metadata::jsonb::text) > ${sql.lit(METADATA_BYTES)}`),
)

/** The facts about the rows that only the database knows, read together. */
async function makeChecker(ctx: Context, candidates: readonly Candidate[]) {
  const members = candidates.flatMap(({ member }) => (member === undefined ? [] : [member]))
  const keys = candidates.map(({ emailKey }) => emailKey)
  const { plans, taken, oversize } = await together(ctx, {
    plans: listActivePlans(),
    taken: listTaken({ keys }),
    oversize: listOversize({ texts: members.map(({ metadata = '{}' }) => metadata) }),
  })
  const byId = new Map(plans.map((plan) => [plan.id, plan]))
  const bySlug = new Map(plans.map((plan) => [plan.slug, plan]))
  const standard = plans.find((plan) => plan.is_default)
  const takenKeys = new Set(taken.map(({ email_key }) => email_key))
  const oversized = new Set(oversize.map(({ place }) => members[place - 1]))

  return ({ member, emailKey, faults: known }: Candidate): CheckedRow => {
    const isReported = known.some(({ field }) => field === 'email')
    const ofEmail = takenKeys.has(emailKey) && !isReported ? [TAKEN] : []
    if (member === undefined) return { faults: [...ofEmail, ...known] }
    const named = member.plan === undefined ? undefined : bySlug.get(member.plan)
    const identified =
      member.plan_id === undefined ? undefined : byId.get(parseId('plan', member.plan_id) ?? '')
    const plan = named ?? identified ?? standard
    const faults = [
      ...ofEmail,
      ...(member.plan !== undefined && named === undefined ? [noPlan('plan')] : []),
      ...(member.plan_id !== undefined && identified === undefined ? [noPlan('plan_id')] : []),
      ...(named !== undefined && identified !== undefined && named !== identified ? [TWO_PLANS] : []),
      ...(oversized.has(member) ? [METADATA_FAULT] : []),
      ...(plan === undefined ? [noPlan('plan')] : []),
    ]
    return faults.length > 0 || plan === undefined ? { faults } : { faults, row: toRow(member, plan.id) }
  }
}

const TWO_PLANS: FieldFault = {
  field: 'plan_id',
  rule: 'exists',
  message: 'is not the plan in the column plan',
}

const toRow = (member: ImportedMember, planId: string): ImportedMemberRow => ({
  id: newUuid(),
  email: normalizeEmail(member.email),
  full_name: member.full_name ?? '',
  avatar_url: member.avatar_url ?? null,
  role: member.role ?? 'member',
  status: member.status ?? 'active',
  plan_id: planId,
  metadata: member.metadata ?? '{}',
  created_at: member.created_at ?? null,
  email_verified_at: member.email_verified_at ?? null,
  last_login_at: member.last_login_at ?? null,
})
